// Times that a program takes of itself: of a worker's clock, and of the processors.
#pragma once

#include <chrono>
#include <vector>

#include "workloads/kit/charge.hpp"

namespace stealbench::kit {

using clock = std::chrono::steady_clock;

/// The time on the worker's machine: in simulated time that of its own clock.
template <class Worker>
clock::time_point now([[maybe_unused]] Worker worker) {
  if constexpr (charged_worker<Worker> && requires { machine_of<Worker>::now(); }) {
    return machine_of<Worker>::now();
  } else {
    return clock::now();
  }
}

/// CPU time of all threads of this process so far, in user and kernel mode.
[[nodiscard]] std::chrono::nanoseconds processor_time();

/// The upper median. Requires: not empty.
[[nodiscard]] std::chrono::nanoseconds median_of(std::vector<clock::duration> times);

}  // namespace stealbench::kit
