// Reading the clock, and what that costs.
#pragma once

#include <chrono>
#include <cstdint>

namespace stealbench::costs {

using clock = std::chrono::steady_clock;

[[nodiscard]] inline double nanoseconds_between(clock::time_point from, clock::time_point to) {
  return std::chrono::duration<double, std::nano>(to - from).count();
}

template <class F>
[[nodiscard]] double nanoseconds_of(const F& f) {
  const clock::time_point start = clock::now();
  f();
  return nanoseconds_between(start, clock::now());
}

/// Occupies the processor.
inline void busy_for(std::chrono::nanoseconds time) {
  const clock::time_point end = clock::now() + time;
  while (clock::now() < end) {
  }
}

/// What a measurement of nothing gives: the price of reading the clock. The median of 1000.
[[nodiscard]] double clock_nanoseconds();

/// The least by which the clock advances, as far as 1000 reads show it.
[[nodiscard]] double clock_step_nanoseconds();

/// How often a thread has given up its processor so far.
struct thread_switches {
  std::int64_t slept = 0;
  std::int64_t forced = 0;  ///< It was preempted, or yielded to another thread.

  friend bool operator==(const thread_switches&, const thread_switches&) = default;
};

/// Of the calling thread.
[[nodiscard]] thread_switches switches_so_far();

}  // namespace stealbench::costs
