// A control loop, as in games, robots and audio: at each tick some bursts of small tasks with
// serial code between them, then nothing until the next tick. Workers that spin through the serial
// code and the gaps answer the next burst at once, and burn processors for it; workers that sleep
// have to be woken. So the processor time of a tick is shown beside its latency.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "workloads/kit/receipts.hpp"
#include "workloads/kit/times.hpp"
#include "workloads/workload.hpp"

namespace stealbench::control_loop {

struct pattern {
  std::uint64_t ticks;
  std::uint64_t bursts;              ///< Of each tick.
  std::uint64_t tasks;               ///< Of each burst.
  std::chrono::microseconds serial;  ///< Between two bursts of a tick.
  std::chrono::microseconds gap;     ///< Before each tick.
};

/// The bursts of a tick, and the serial code between them, which keeps its processor.
template <class Worker>
void tick(Worker worker, kit::receipts& done, std::uint64_t first_task, const pattern& how) {
  for (std::uint64_t index = 0; index < how.bursts; ++index) {
    if (index > 0) kit::wait(worker, how.serial, kit::gap_form::spin);
    kit::spawn_and_join(worker, done, first_task + index * how.tasks, how.tasks);
  }
}

struct workload : kit::with_receipts {
  struct input {
    pattern how;
    kit::receipts done;  ///< Burst by burst.
  };
  struct output {
    std::vector<kit::clock::duration> latencies;  ///< Of each tick, from the end of its gap.
    /// Of the process, from the beginning of the first gap to the end of the last tick. None in
    /// simulated time, where the process does what all simulated processors would do.
    std::optional<std::chrono::nanoseconds> processor_time;
  };

  static kit::description describe() { return kit::description_of("control_loop"); }
  static input prepare(const kit::parameters& chosen);

  /// Work and span are those of the ticks and the gaps, one after the other.
  template <class Worker>
  static output run(Worker worker, input& in) {
    output out;
    out.latencies.reserve(in.how.ticks);
    const std::chrono::nanoseconds before = kit::processor_time();
    for (std::uint64_t index = 0; index < in.how.ticks; ++index) {
      kit::wait(worker, in.how.gap, kit::gap_form::sleep);
      const kit::clock::time_point begin = kit::now(worker);
      tick(worker, in.done, index * in.how.bursts * in.how.tasks, in.how);
      out.latencies.push_back(kit::now(worker) - begin);
    }
    if constexpr (!kit::charged_worker<Worker>) {
      out.processor_time = kit::processor_time() - before;
    }
    return out;
  }

  static output sequential(input& in) { return run(serial::worker(), in); }
  // The times are not judged: they depend on the machine.
  static nlohmann::ordered_json answer(const input& in, const output& out);
};

}  // namespace stealbench::control_loop
