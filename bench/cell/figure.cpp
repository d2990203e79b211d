#include "bench/cell/figure.hpp"

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <utility>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/cell/google_benchmark.hpp"
#include "bench/cell/program.hpp"
#include "bench/costs/registry.hpp"
#include "results/analysis/statistics.hpp"
#include "results/system/usage.hpp"
#include "workloads/parameters.hpp"

namespace stealbench::cell {
namespace {

const costs::figure_maker& maker_of(const variant& chosen) {
  const auto found = std::find_if(
      costs::figure_makers().begin(), costs::figure_makers().end(), [&](const auto& each) {
        return each.deque.empty() || each.deque == chosen.value_of("deque");
      });
  if (found == costs::figure_makers().end()) throw std::logic_error("no figures are linked here");
  return *found;
}

void expect_applicable(const costs::figure_description& of, unsigned workers) {
  const std::string_view reason = costs::why_not_applicable(of, scheduler_name());
  if (!reason.empty()) {
    std::vector<std::string_view> valid;
    for (const costs::figure_description& each : costs::figures()) {
      if (costs::why_not_applicable(each, scheduler_name()).empty()) valid.push_back(each.name);
    }
    throw workloads::bad_input(
        fmt::format("no figure {} of {}: {}; valid: {}", of.name, scheduler_name(), reason,
                    valid.empty() ? "none" : fmt::format("{}", fmt::join(valid, ", "))));
  }
  if (workers != of.workers) {
    throw workloads::bad_input(
        fmt::format("figure {} with workers '{}'; valid: {}", of.name, workers, of.workers));
  }
}

// One iteration for Google Benchmark, as the runs are many already: its time is their median.
void report(benchmark::State& state, const costs::figure_result& found, costs::figure_unit unit) {
  const costs::figure_times& times = found.times;
  for (auto _ : state) state.SetIterationTime(analysis::median(times.ns_per_operation) * 1e-9);
  state.counters["runs"] = static_cast<double>(times.ns_per_operation.size());
  state.counters["uncounted_runs"] = static_cast<double>(times.uncounted_runs);
  state.counters["start_up_seconds"] = found.start_up_seconds;
  state.counters["first_run_seconds"] = times.first_run_seconds;
  state.counters["still_seconds"] = times.still_seconds;
  state.counters["cpu_seconds"] = times.per_run.cpu_seconds();
  state.counters["user_seconds"] = times.per_run.user_seconds;
  state.counters["system_seconds"] = times.per_run.system_seconds;
  state.counters["voluntary_switches"] = times.per_run.voluntary_switches;
  state.counters["forced_switches"] = times.per_run.forced_switches;
  state.counters["fork_count"] = static_cast<double>(times.operations_per_run);
  if (unit == costs::figure_unit::bytes) {
    state.counters["bytes_per_worker"] = found.bytes_per_worker;
  }
  state.counters["worker_count"] = found.worker_count;
  state.counters["peak_rss_bytes"] = system::peak_rss_bytes();
}

}  // namespace

int run_figure(const costs::figure_description& of, const variant& chosen,
               const schedulers::options& options, std::vector<std::string> arguments) {
  expect_applicable(of, options.workers);
  bool has_failed = false;  // Google Benchmark's own exit status does not tell.
  const std::string name =
      fmt::format("{}/{}/workers:{}", of.name, chosen.name_of(scheduler_name()), options.workers);
  benchmark::RegisterBenchmark(name.c_str(),
                               [&](benchmark::State& state) {
                                 try {
                                   report(state, maker_of(chosen).measure(of.which, options),
                                          of.unit);
                                 } catch (const std::exception& error) {
                                   has_failed = true;
                                   state.SkipWithError(error.what());
                                 }
                               })
      ->UseManualTime()
      ->Unit(benchmark::kNanosecond);
  benchmark::AddCustomContext("scheduler_library", strategy_of(chosen).library());
  // A minimum of no time is one iteration, unless a flag of the user's says otherwise.
  arguments.insert(arguments.begin(), {fmt::format("stealbench-{}", scheduler_name()),
                                       std::string("--benchmark_min_time=0")});
  const int status = run_google_benchmark(std::move(arguments));
  return status == 0 && has_failed ? 1 : status;
}

}  // namespace stealbench::cell
