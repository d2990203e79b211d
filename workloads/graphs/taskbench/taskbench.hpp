// Task Bench: a grid of tasks with one of several patterns of dependences, and a known amount of
// work in each. With ever less work it shows the least size of a task that a scheduler can run
// efficiently (METG).
//
// Fork-join has no edges between tasks, so the graph is run bulk-synchronously: a loop over the
// points for each step, whose join means all edges of the step. That is Task Bench's own
// mapping for fork-join systems; the pattern then decides what a task reads, not when it may start.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "workloads/kit/random.hpp"
#include "workloads/workload.hpp"

namespace stealbench::taskbench {

/// Which tasks of the step before a task needs: as in Task Bench's paper and its core library.
enum class pattern_kind : std::uint8_t {
  stencil_1d,
  fft,
  tree,
  all_to_all,
  nearest,
  random_nearest,
  trivial  ///< No task needs another; steps are joined all the same, so one step says the most.
};

struct graph {
  pattern_kind pattern;
  std::uint64_t width;  ///< Points of a step; at most, with `tree`. At least 1.
  std::uint64_t steps;
  std::uint64_t radix;  ///< Points of the window of `nearest` and `random_nearest`. At least 1.
  std::uint64_t seed;   ///< Of the draws of `random_nearest`.

  /// Tasks of a step: a tree doubles from one task up to the width.
  [[nodiscard]] std::uint64_t width_at(std::uint64_t step) const {
    if (pattern != pattern_kind::tree || step >= 63) return width;
    return std::min(width, std::uint64_t{1} << step);
  }

  /// Calls `visit(point)` for each task of step - 1 that the task (step, point) needs, ascending.
  /// Requires: step >= 1, point < width_at(step).
  template <class Visit>
  void for_each_input(std::uint64_t step, std::uint64_t point, const Visit& visit) const {
    switch (pattern) {
      case pattern_kind::stencil_1d:
        visit_window(point, 1, 1, visit);
        break;
      case pattern_kind::fft:
        visit_butterfly(step, point, visit);
        break;
      case pattern_kind::tree:
        visit(point / 2);
        break;
      case pattern_kind::all_to_all:
        for (std::uint64_t each = 0; each < width; ++each) visit(each);
        break;
      case pattern_kind::nearest:
        visit_window(point, radix / 2, (radix - 1) / 2, visit);
        break;
      case pattern_kind::random_nearest:
        visit_window(point, radix / 2, (radix - 1) / 2, [&](std::uint64_t each) {
          if (each == point || is_drawn(step, point, each)) visit(each);
        });
        break;
      case pattern_kind::trivial:
        break;
    }
  }

 private:
  template <class Visit>
  void visit_window(std::uint64_t point, std::uint64_t before, std::uint64_t after,
                    const Visit& visit) const {
    const std::uint64_t first = point - std::min(point, before);
    const std::uint64_t last = std::min(point + after, width - 1);
    for (std::uint64_t each = first; each <= last; ++each) visit(each);
  }

  /// The distance doubles from step to step, and begins anew when it would exceed the width.
  template <class Visit>
  void visit_butterfly(std::uint64_t step, std::uint64_t point, const Visit& visit) const {
    const auto rounds = static_cast<std::uint64_t>(std::bit_width(width - 1));
    const std::uint64_t distance = rounds == 0 ? width : std::uint64_t{1} << ((step - 1) % rounds);
    if (point >= distance) visit(point - distance);
    visit(point);
    if (point + distance < width) visit(point + distance);
  }

  /// One of four in the long run, as is Task Bench's default.
  [[nodiscard]] bool is_drawn(std::uint64_t step, std::uint64_t point, std::uint64_t input) const {
    using kit::golden_gamma;
    using kit::mixed;
    return mixed(mixed(mixed(seed + step) + golden_gamma * point) + golden_gamma * input) % 4 == 0;
  }
};

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
  struct output {};  ///< The answer is in the input's tallies.

  static kit::description describe() { return kit::description_of("taskbench"); }
  static input prepare(const kit::parameters& chosen);
  static void reset(input& in);

  template <class Worker>
  static output run(Worker worker, input& in) {
    for (std::uint64_t step = 0; step < in.tasks.steps; ++step) {
      worker->parallel_for(std::size_t{0}, std::size_t{in.tasks.width_at(step)}, in.grain,
                           [&in, step](Worker w, std::size_t point) {
                             run_task(in, step, point);
                             kit::charge(w, [&] { return units_of_task(in, step, point); });
                           });
    }
    return {};
  }

  static output sequential(input& in);
  static void corrupt(input& in, output& /*unused*/) {
    run_task(in, in.tasks.steps - 1, 0);  // Once more.
  }
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

}  // namespace stealbench::taskbench
