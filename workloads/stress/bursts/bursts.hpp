// Bursts of small tasks with idle gaps between them, as a server sees them. In a gap the other
// workers find nothing and may go to sleep: what a scheduler saves there in processor time it may
// pay for when the next burst has to wake them.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

#include "workloads/kit/receipts.hpp"
#include "workloads/kit/times.hpp"
#include "workloads/workload.hpp"

namespace stealbench::bursts {

using kit::clock;

struct pattern {
  std::uint64_t bursts;
  std::uint64_t tasks;            ///< Of each burst.
  std::chrono::microseconds gap;  ///< Before each burst.
  kit::gap_form idle;
};

/// Spawns and joins one burst. Returns the time from its first spawn to the first start of a task
/// on another thread than the one on which the burst begins; nothing where all ran on that one.
/// `started` has a place for each task, in which only tasks that run elsewhere write: the clock
/// costs the others nothing.
template <class Worker>
std::optional<clock::duration> burst(Worker worker, kit::receipts& done, std::uint64_t first_task,
                                     std::span<clock::time_point> started) {
  std::fill(started.begin(), started.end(), clock::time_point::max());
  struct {
    kit::receipts& done;
    std::uint64_t first_task;
    std::span<clock::time_point> started;
    const void* spawner;
  } const common{done, first_task, started, kit::this_thread(worker)};
  auto group = worker->task_group();
  const clock::time_point begin = kit::now(worker);
  for (std::uint64_t index = 0; index < started.size(); ++index) {
    group.spawn([&common, index](Worker w) {
      if (kit::this_thread(w) != common.spawner) common.started[index] = kit::now(w);
      common.done.perform(w, common.first_task + index);
    });
  }
  group.sync();
  const clock::time_point earliest = *std::min_element(started.begin(), started.end());
  if (earliest == clock::time_point::max()) return std::nullopt;
  return earliest - begin;
}

struct workload : kit::with_receipts {
  struct input {
    pattern how;
    kit::receipts done;                      ///< Burst by burst.
    std::vector<clock::time_point> started;  ///< Of the tasks of the latest burst.
  };
  struct output {
    std::vector<clock::duration> latencies;  ///< Of the bursts that other threads took part in.
  };

  static kit::description describe() { return kit::description_of("bursts"); }
  static input prepare(const kit::parameters& chosen);

  /// Work and span are those of the bursts and the gaps, one after the other.
  template <class Worker>
  static output run(Worker worker, input& in) {
    output out;
    out.latencies.reserve(in.how.bursts);
    for (std::uint64_t index = 0; index < in.how.bursts; ++index) {
      kit::wait(worker, in.how.gap, in.how.idle);
      const auto latency = burst(worker, in.done, index * in.how.tasks, std::span(in.started));
      if (latency) out.latencies.push_back(*latency);
    }
    return out;
  }

  static output sequential(input& in) { return run(serial::worker(), in); }
  // The times are not judged: they depend on the machine.
  static nlohmann::ordered_json answer(const input& in, const output& out);
};

}  // namespace stealbench::bursts
