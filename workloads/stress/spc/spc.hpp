// Single producer: one closure spawns every task, all others only consume. No worker finds work but
// with the producer, who hands out one task for each steal and so bounds the speed.
#pragma once

#include <algorithm>
#include <cstdint>

#include "workloads/kit/receipts.hpp"
#include "workloads/kit/steps.hpp"
#include "workloads/workload.hpp"

namespace stealbench::spc {

/// How the producer goes about it.
struct production {
  std::uint64_t steps;  ///< That it takes before each spawn.
  std::uint64_t batch;  ///< Tasks that it spawns before it waits for them; at least 1.
};

/// Produces and consumes every task once; returns where the producer's own steps have led. Work
/// O(tasks); span O(tasks) as well, since one closure spawns them all.
template <class Worker>
std::uint64_t produce(Worker worker, kit::receipts& done, production how) {
  std::uint64_t position = 0;
  for (std::uint64_t first = 0; first < done.tasks(); first += how.batch) {
    const std::uint64_t last = first + std::min(how.batch, done.tasks() - first);
    auto group = worker->task_group();
    for (std::uint64_t task = first; task < last; ++task) {
      position = kit::stepped(position, how.steps);
      kit::charge(worker, how.steps);
      group.spawn([&done, task](Worker w) { done.perform(w, task); });
    }
    group.sync();
  }
  return position;
}

struct workload : kit::with_receipts {
  struct input {
    kit::receipts done;
    production how;
  };
  using output = std::uint64_t;

  static kit::description describe() { return kit::description_of("spc"); }
  static input prepare(const kit::parameters& chosen);

  template <class Worker>
  static output run(Worker worker, input& in) {
    return produce(worker, in.done, in.how);
  }

  static output sequential(input& in);
  static std::optional<bool> verify(const input& in, const output& out) {
    return in.done.complete() && out == kit::leap(in.done.tasks() * in.how.steps).of(0);
  }
};

}  // namespace stealbench::spc
