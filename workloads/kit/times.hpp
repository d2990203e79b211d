// A program's dealings with time: gaps in which it has nothing to run, the worker's clock, and the
// processor time that it takes.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "schedulers/operating_system/thread.hpp"
#include "workloads/kit/charge.hpp"

namespace stealbench::kit {

using clock = std::chrono::steady_clock;

/// What the task that waits does in a gap: give its processor back, or keep it.
enum class gap_form : std::uint8_t { sleep, spin };

/// Lets the gap pass. Not inline: parallel and sequential versions wait in the same code.
void wait(std::chrono::microseconds gap, gap_form form);

/// The same for any worker: one in simulated time is charged for it, a nanosecond as a step
/// (stepped), which takes about as long.
template <class Worker>
void wait(Worker worker, std::chrono::microseconds gap, gap_form form) {
  if constexpr (charged_worker<Worker>) {
    charge(worker, static_cast<std::uint64_t>(std::chrono::nanoseconds(gap).count()));
  } else {
    wait(gap, form);
  }
}

/// The time on the worker's machine: in simulated time that of its own clock.
template <class Worker>
clock::time_point now([[maybe_unused]] Worker worker) {
  if constexpr (charged_worker<Worker> && requires { machine_of<Worker>::now(); }) {
    return machine_of<Worker>::now();
  } else {
    return clock::now();
  }
}

/// Equal for two calls if the same worker's thread makes them: in simulated time that of its own
/// machine. What is behind a join may be on another one, which std::this_thread does not show there
/// (operating_system::this_thread).
template <class Worker>
const void* this_thread([[maybe_unused]] Worker worker) {
  if constexpr (charged_worker<Worker> && requires { machine_of<Worker>::this_thread(); }) {
    return machine_of<Worker>::this_thread();
  } else {
    return operating_system::this_thread();
  }
}

/// CPU time of all threads of this process so far, in user and kernel mode.
[[nodiscard]] std::chrono::nanoseconds processor_time();

/// The upper median. Requires: not empty.
[[nodiscard]] std::chrono::nanoseconds median_of(std::vector<clock::duration> times);

}  // namespace stealbench::kit
