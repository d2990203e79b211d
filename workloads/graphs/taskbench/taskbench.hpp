// Task Bench: a grid of tasks with one of several patterns of dependences, and a known amount of
// work in each. With ever less work it shows the least size of a task that a scheduler can run
// efficiently (METG).
//
// Fork-join has no edges between tasks, so the graph is run bulk-synchronously: a loop over the
// points for each step, whose join stands for all edges of the step. That is Task Bench's own
// mapping for fork-join systems; the pattern then decides what a task reads, not when it may start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workloads/graphs/taskbench/graph.hpp"
#include "workloads/workload.hpp"

namespace stealbench::taskbench {

/// What a task leaves for those that need it: who it is, and what it has computed. On a cache line
/// of its own, for neighbours run on different workers.
struct alignas(64) result {
  std::uint64_t step;
  std::uint64_t point;
  std::uint64_t value;
};

/// What the tasks of a point have seen so far.
struct alignas(64) tally {
  std::uint64_t tasks;
  std::uint64_t inputs;
  std::uint64_t wrong_inputs;  ///< With the stamp of another step or point than the graph says.
  std::uint64_t values;        ///< Sum over the tasks.

  bool operator==(const tally&) const = default;
};

/// `iterations` multiplications and additions in each of 64 lanes of 32 bits, which start from
/// `carried`: Task Bench's compute-bound kernel, in integers, so that it is exact everywhere.
[[nodiscard]] std::uint64_t kernel(std::uint64_t carried, std::uint64_t iterations);

/// The catalogue's entry.
struct workload {
  struct input {
    graph tasks;
    std::uint64_t iterations;
    std::size_t grain;
    std::vector<result> even;  ///< Results of the last even step, one for each point.
    std::vector<result> odd;
    std::vector<tally> tallies;           ///< One for each point.
    mutable std::vector<tally> expected;  ///< Empty until asked for.
  };
  struct output {};  ///< The answer lies in the input's tallies.

  static kit::description describe();
  static input prepare(const kit::parameters& chosen);
  static void reset(input& in);

  template <class Worker>
  static output run(Worker worker, input& in) {
    for (std::uint64_t step = 0; step < in.tasks.steps; ++step) {
      worker->parallel_for(std::size_t{0}, std::size_t{in.tasks.width_at(step)}, in.grain,
                           [&in, step](Worker w, std::size_t point) {
                             run_task(in, step, point);
                             if constexpr (kit::charged_worker<Worker>) {
                               kit::charge(w, units_of_task(in, step, point));
                             }
                           });
    }
    return {};
  }

  static output sequential(input& in);
  static void corrupt(input& in, output& /*unused*/);
  /// Every task once, none with an input of another task, and the values the serial program's.
  static std::optional<bool> verify(const input& in, const output& /*unused*/);
  static nlohmann::ordered_json answer(const input& in, const output& /*unused*/);
  static std::uint64_t fork_count(const input& in, const output& /*unused*/);

  /// Checks the stamps of the task's inputs, runs the kernel on what they carry and leaves the
  /// result. Requires: the tasks of the step before are done, those of the next not begun.
  static void run_task(input& in, std::uint64_t step, std::uint64_t point);

  /// The iterations of the kernel that take as long as the task: its own, one for each input, and 6
  /// for a task without any (g++ 12 -O3 -march=native, AMD EPYC). O(inputs).
  static std::uint64_t units_of_task(const input& in, std::uint64_t step, std::uint64_t point);
};

static_assert(workloads::workload<workload>);

}  // namespace stealbench::taskbench
