// Time in which a program offers its scheduler nothing to run.
#pragma once

#include <chrono>
#include <cstdint>

#include "workloads/kit/charge.hpp"

namespace stealbench::kit {

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

}  // namespace stealbench::kit
