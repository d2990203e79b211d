// Whether what threads saw of a deque could have been seen of a sequential one. Independent of the
// memory model: it judges answers, not orders. Knows nothing of Relacy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace stealbench::verify {

/// One operation, from before its first step to after its last one by a clock that all threads
/// share.
struct event {
  enum class kind : std::uint8_t { push, pop, steal };
  kind what;
  std::optional<std::size_t> job;  ///< Nothing: a pop or steal that found none.
  std::uint64_t begin;
  std::uint64_t end;
};

/// Whether the events can be put into an order that keeps those that did not overlap, and in which
/// a sequential deque gives the same answers (Herlihy & Wing, TOPLAS 1990; the search is that of
/// Wing & Gong, JPDC 1993). One owner pushes and pops the youngest job, thieves steal the oldest. A
/// steal that found none says nothing: it may have lost a race, or read a bottom that was out of
/// date. Requires: at most 64 events. Exponential in how many overlap.
[[nodiscard]] bool linearizable(std::span<const event> history);

}  // namespace stealbench::verify
