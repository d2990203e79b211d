// What every scheduler is constructed from.
#pragma once

#include <cstddef>
#include <cstdint>

#include "schedulers/work_stealing/options.hpp"

namespace stealbench::schedulers {

/// Most workers that a scheduler accepts: far above any machine we measure on, and low enough that
/// a mistyped count is refused before it starts a million threads.
inline constexpr unsigned max_workers = 256;

/// Stack of a worker thread. Reserved, not committed: a page costs memory only once it is touched.
/// UTS T3L nests 17 844 levels and T3XXL 99 049, at a few hundred bytes each.
inline constexpr std::size_t default_stack_bytes = std::size_t{256} << 20;

/// What an in-house worker does that finds no work.
enum class idle_policy : std::uint8_t {
  spin,   ///< Goes on looking, for ever.
  yield,  ///< Spins briefly, then lets other threads run between two looks, for ever.
  park,   ///< Spins, yields, then sleeps until there is work.
};

/// Whose jobs a work-stealing worker runs while another one has the job that it waits for.
enum class join_policy : std::uint8_t {
  any,       ///< Anyone's.
  leapfrog,  ///< That worker's alone (Wagner & Calder, PPoPP 1993). The waiting worker asks
             ///< nobody for work, so nothing is made public for it: what is private it must force.
};

class timeline;  // timeline.hpp

/// Options of a scheduler. An aggregate, so that a caller names only what differs from the default.
struct options {
  unsigned workers = 1;                           ///< Worker count, 1 to max_workers.
  bool pin = false;                               ///< Pin worker i to the i-th allowed processor.
  std::size_t stack_bytes = default_stack_bytes;  ///< Stack of each thread that is started, bytes.
  work_stealing::options stealing = {};           ///< Work stealing only.
  idle_policy idle = idle_policy::park;           ///< In-house schedulers only.
  join_policy join = join_policy::any;            ///< Work stealing only.
  /// Where a counting variant records what its workers do, from its construction to its
  /// destruction; null: it does not. Has as many workers at least, and outlives the scheduler.
  timeline* recording = nullptr;
};

}  // namespace stealbench::schedulers
