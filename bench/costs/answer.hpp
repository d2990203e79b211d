// What a job says that one worker forks and another one runs.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

#include "bench/costs/stopwatch.hpp"

namespace stealbench::costs {

/// Written by the thread that runs the job, on lines of its own. The other members may be read
/// once `await` has returned true for the round, or the job has been joined.
struct alignas(128) answer {
  clock::time_point begun;   ///< The job's first act.
  thread_switches switches;  ///< Of the thread that ran it, so far.
  std::thread::id by;
  std::atomic<std::uint32_t> round{0};

  void give(clock::time_point now, std::uint32_t number) {
    begun = now;
    switches = switches_so_far();
    by = std::this_thread::get_id();
    round.store(number, std::memory_order_release);  // A: after the other members
  }
  [[nodiscard]] bool is_given(std::uint32_t number) const {
    return round.load(std::memory_order_acquire) == number;  // pairs with A
  }
  void await(std::uint32_t number) const {
    while (!is_given(number)) {
    }
  }
  /// Gives up after `patience`: not every scheduler hands every job to another worker.
  void await(std::uint32_t number, std::chrono::nanoseconds patience) const {
    const clock::time_point end = clock::now() + patience;
    while (!is_given(number) && clock::now() < end) {
    }
  }
};

}  // namespace stealbench::costs
