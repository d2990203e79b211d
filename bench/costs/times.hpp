// What a figure is made of: times of many runs, of which those count that can be right.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <benchmark/benchmark.h>

#include "bench/costs/stopwatch.hpp"
#include "results/system/usage.hpp"

namespace stealbench::costs {

/// A run is a batch of operations, or the hand-over of one job.
struct figure_times {
  std::vector<double> ns_per_operation;  ///< One for each run that counts; all are above 0.
  std::uint64_t operations_per_run = 1;
  std::uint64_t all_operations = 0;  ///< Of every run, the first one and uncounted ones included.
  std::uint64_t uncounted_runs = 0;
  double first_run_seconds = 0;  ///< Of the run that warms up and does not count.
  double still_seconds = 0;      ///< How long the pool lay still before each run.
  system::usage per_run;         ///< From the end of the first run on.
};

/// Calls `batch`, which does so many operations: as often in a run as makes the run a hundred
/// microseconds long, and in some hundred runs. A run that is not far longer than a step of the
/// clock, in nanoseconds, does not count; throws std::runtime_error if too few do.
[[nodiscard]] figure_times time_batches(std::uint64_t operations,
                                        const std::function<void()>& batch,
                                        double clock_step = clock_step_nanoseconds());

/// A branch, child or index with nothing in it, which the compiler must take for something. No
/// call: the processor would do the scheduler's work in the shadow of calls.
[[gnu::always_inline]] inline void do_nothing() { benchmark::ClobberMemory(); }

}  // namespace stealbench::costs
