// What ranks send each other, as bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "schedulers/cluster/termination.hpp"

namespace stealbench::cluster {

/// Every request and every `lifeline` has one answer: a refusal or loot. So no rank ends before the
/// answers have come.
enum class message_kind : std::uint8_t {
  request,   ///< For tasks.
  lifeline,  ///< The same, and if there are none: later.
  refusal,   ///< An answer: no tasks.
  loot,      ///< An answer: tasks.
  gift,      ///< Tasks for who has asked for them by `lifeline`, or for the master.
  report,    ///< Of termination detection, to the parent.
  wave,      ///< From the parent: report again.
  stop,      ///< From the parent: the search has ended.
  done,      ///< To the parent, after the end: this rank and all below it await no answer.
  leave,     ///< From the parent: no rank awaits one.
};

/// Thrown where a message cannot be one of this search.
class foreign_message : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct message {
  message_kind kind;
  std::uint64_t known = 0;  ///< The best value that its sender knows of, for branch and bound.
  wave_report report = {};  ///< Of a message_kind::report.
  std::size_t tasks = 0;    ///< Of loot and gifts.
  std::vector<std::byte> bytes = {};  ///< Those of the tasks, one after the other.
};

[[nodiscard]] std::vector<std::byte> encode(const message& sent, std::size_t bytes_of_task);

/// Throws foreign_message if the bytes are too few or too many, not of any search, or of tasks of
/// another size. All ranks run on machines of one byte order.
[[nodiscard]] message decode(std::span<const std::byte> received, std::size_t bytes_of_task);

}  // namespace stealbench::cluster
