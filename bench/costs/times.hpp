// Reading the clock, and the result of a metric: times of many runs, of which those count that can
// be right.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <vector>

#include "bench/system/usage.hpp"

namespace stealbench::costs {

using clock = std::chrono::steady_clock;

[[nodiscard]] inline double nanoseconds_between(clock::time_point begin, clock::time_point end) {
  return std::chrono::duration<double, std::nano>(end - begin).count();
}

template <class F>
[[nodiscard]] double nanoseconds_of(const F& f) {
  const clock::time_point start = clock::now();
  f();
  return nanoseconds_between(start, clock::now());
}

/// Occupies the processor.
inline void busy_for(std::chrono::nanoseconds time) {
  const clock::time_point end = clock::now() + time;
  while (clock::now() < end) {
  }
}

/// What a measurement of nothing gives: the price of reading the clock. The median of 1000.
[[nodiscard]] double clock_nanoseconds();

/// The least by which the clock advances, as far as 1000 reads show it.
[[nodiscard]] double clock_step_nanoseconds();

/// A run is a batch of operations, or a single one.
struct figure_times {
  std::vector<double> ns_per_operation;  ///< One for each run that counts; all are above 0.
  std::uint64_t operations_per_run = 1;
  std::uint64_t all_operations = 0;  ///< Of every run, the first one and uncounted ones included.
  std::uint64_t uncounted_runs = 0;
  double first_run_seconds = 0;  ///< Of the run that warms up and does not count.
  double still_seconds = 0;      ///< How long the pool was left alone before each run.
  system::usage per_run;         ///< From the end of the first run on.
};

/// The middle value; of an even number of values, the midpoint of the two in the middle. Linear.
/// Throws std::invalid_argument if there are none, or one is not finite.
[[nodiscard]] double median(std::vector<double> values);

/// Of its runs, in nanoseconds of an operation. Requires: one run counts.
[[nodiscard]] double median_of(const figure_times& times);

struct figure_result {
  figure_times times;
  unsigned worker_count = 0;    ///< Workers that the scheduler really has.
  double start_up_seconds = 0;  ///< Of making the scheduler.
  double bytes_per_worker = 0;  ///< Where the metric's unit is bytes.
};

/// Times `batch`, which executes `operations` operations. One run repeats it as often as takes
/// 100 µs twice in succession; some hundred runs are timed. A run shorter than 100 steps of the
/// clock does not count; throws std::runtime_error if too few runs count.
[[nodiscard]] figure_times time_batches(std::uint64_t operations,
                                        const std::function<void()>& batch);

/// Times batches of `count` calls of `operation`.
template <class Operation>
[[nodiscard]] figure_times time_operations(std::uint64_t count, const Operation& operation) {
  return time_batches(count, [count, &operation] {
    for (std::uint64_t i = 0; i < count; ++i) operation();
  });
}

/// Calls `run` once to warm up, and then `runs` times. It returns the nanoseconds of one operation,
/// which is long beside reading the clock.
[[nodiscard]] figure_times time_each(std::uint64_t runs, const std::function<double()>& run);

/// From the end of a run, or of making a pool: by then most schedulers' workers sleep.
inline constexpr std::chrono::milliseconds until_asleep{20};

/// Processor time per second of this process while it sleeps after a call of `run`.
[[nodiscard]] figure_times time_idleness(const std::function<void()>& run);

/// Bytes of this process, after its allocator has given back what it does not use. Throws
/// std::runtime_error where the system does not say.
[[nodiscard]] double resident_bytes();

}  // namespace stealbench::costs
