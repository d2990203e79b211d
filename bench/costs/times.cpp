#include "bench/costs/times.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>
#include <malloc.h>

#include "bench/system/host.hpp"
#include "workloads/kit/times.hpp"

namespace stealbench::costs {
namespace {

constexpr int clock_reads = 1000;
constexpr std::uint64_t least_runs = 21;
constexpr std::uint64_t most_runs = 1001;
constexpr std::chrono::milliseconds long_enough{200};
constexpr double least_run_ns = 100'000;
constexpr std::uint64_t most_calls = 1U << 16;
// Then a step of the clock is one percent.
constexpr double least_steps = 100;

}  // namespace

double median(std::vector<double> values) {
  if (values.empty() ||
      !std::ranges::all_of(values, [](double each) { return std::isfinite(each); })) {
    throw std::invalid_argument("a median needs finite values, and one at least");
  }
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return *middle;
  return std::midpoint(*std::max_element(values.begin(), middle), *middle);
}

double clock_nanoseconds() {
  std::vector<double> times(clock_reads);
  for (double& each : times) each = nanoseconds_of([] {});
  return median(times);
}

double clock_step_nanoseconds() {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < clock_reads; ++i) {
    const clock::time_point start = clock::now();
    clock::time_point next = clock::now();
    while (next == start) next = clock::now();
    least = std::min(least, nanoseconds_between(start, next));
  }
  return least;
}

double median_of(const figure_times& times) { return median(times.ns_per_operation); }

figure_times time_batches(std::uint64_t operations, const std::function<void()>& batch) {
  const double clock_ns = clock_nanoseconds();
  const double least_ns = least_steps * clock_step_nanoseconds();
  std::uint64_t calls = 1;
  figure_times times;
  const auto run = [&] {
    times.all_operations += calls * operations;
    return nanoseconds_of([&] {
      for (std::uint64_t i = 0; i < calls; ++i) batch();
    });
  };
  times.first_run_seconds = run() * 1e-9;
  const double needed_ns = std::max(least_run_ns, least_ns);
  // Two runs: one alone may be long because the thread lost its processor.
  while (calls < most_calls && std::min(run(), run()) < needed_ns) calls *= 2;
  times.operations_per_run = calls * operations;

  const system::usage before = system::usage_of_process();
  const clock::time_point end = clock::now() + long_enough;
  std::uint64_t runs = 0;
  while (runs < most_runs && (runs < least_runs || clock::now() < end)) {
    const double ns = run() - clock_ns;
    ++runs;
    if (ns < least_ns) {
      ++times.uncounted_runs;
    } else {
      times.ns_per_operation.push_back(ns / static_cast<double>(times.operations_per_run));
    }
  }
  times.per_run = (system::usage_of_process() - before) / static_cast<double>(runs);
  if (times.ns_per_operation.size() < least_runs) {
    throw std::runtime_error(
        fmt::format("the clock is too coarse: {} of {} runs took {:.0f} ns, {} must",
                    times.ns_per_operation.size(), runs, least_ns, least_runs));
  }
  return times;
}

figure_times time_each(std::uint64_t runs, const std::function<double()>& run) {
  figure_times times;
  times.first_run_seconds = run() * 1e-9;
  const system::usage before = system::usage_of_process();
  for (std::uint64_t i = 0; i < runs; ++i) times.ns_per_operation.push_back(run());
  times.all_operations = runs + 1;
  times.per_run = (system::usage_of_process() - before) / static_cast<double>(runs);
  return times;
}

figure_times time_idleness(const std::function<void()>& run) {
  constexpr std::uint64_t windows = 3;
  constexpr std::chrono::milliseconds window{200};
  figure_times times = time_each(windows, [&] {
    run();
    std::this_thread::sleep_for(until_asleep);
    const std::chrono::nanoseconds before = kit::processor_time();
    const double seconds = nanoseconds_of([&] { std::this_thread::sleep_for(window); }) * 1e-9;
    return static_cast<double>((kit::processor_time() - before).count()) / seconds;
  });
  times.still_seconds = std::chrono::duration<double>(until_asleep + window).count();
  return times;
}

// Counted page by page by the kernel: VmRSS of /proc/self/status lags behind by up to some dozen
// pages a thread, as much as what is measured.
double resident_bytes() {
  malloc_trim(0);  // Else a pool gets pages that an earlier one has left to the allocator.
  const std::optional<double> bytes = system::bytes_in("/proc/self/smaps_rollup", "Rss:");
  if (bytes) return *bytes;
  throw std::runtime_error("/proc/self/smaps_rollup: no line 'Rss:'; memory cannot be measured");
}

}  // namespace stealbench::costs
