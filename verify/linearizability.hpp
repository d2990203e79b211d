// Whether what threads saw of a deque could have been seen of a sequential one. Independent of the
// memory model: it judges answers, not orders. Knows nothing of Relacy.
#pragma once

#include <array>
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

inline constexpr std::size_t most_events = 64;  ///< Of a history.

/// Takes down the events of one thread, or of threads that run one at a time. `Clock` is an integer
/// that all threads share, an atomic one where they run at once. Allocates nothing: under Relacy an
/// allocation is a choice, which multiplies what a full search has to go through.
template <class Clock>
class recording {
 public:
  explicit recording(Clock& clock) : clock_(clock) {}

  /// `act` does what is taken down, and returns the job. At most most_events in all.
  template <class Act>
  void take_down(event::kind what, const Act& act) {
    // The two readings of an atomic clock are read-modify-writes in one order that all agree on.
    const std::uint64_t begin = clock_++;
    const std::optional<std::size_t> job = act();
    const std::uint64_t end = clock_++;
    events_[count_++] = {what, job, begin, end};
  }

  void clear() { count_ = 0; }
  [[nodiscard]] std::span<const event> events() const { return {events_.data(), count_}; }

 private:
  Clock& clock_;
  std::array<event, most_events> events_{};
  std::size_t count_ = 0;
};

/// Whether the events can be put into an order that keeps those that did not overlap, and in which
/// a sequential deque gives the same answers (Herlihy & Wing, TOPLAS 1990; the search is that of
/// Wing & Gong, JPDC 1993). One owner pushes and pops the youngest job, thieves steal the oldest. A
/// steal that found none says nothing: it may have lost a race, or read a bottom that was out of
/// date. Requires: at most most_events. Exponential in how many overlap.
[[nodiscard]] bool linearizable(std::span<const event> history);

}  // namespace stealbench::verify
