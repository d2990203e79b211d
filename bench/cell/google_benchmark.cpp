#include "bench/cell/google_benchmark.hpp"

#include <cstdlib>
#include <exception>
#include <iostream>
#include <optional>
#include <stdexcept>

#include <benchmark/benchmark.h>

#include "bench/system/host.hpp"
#include "bench/system/inherited.hpp"

namespace stealbench::cell {
namespace {

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables)
bool any_failed = false;  // Google Benchmark's own exit status does not tell.
// The cell in hand, so that the pool of one benchmark is gone when the next begins.
std::string name_in_hand;
std::optional<warm_cell> in_hand;
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

double seconds_of(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

/// Adds to a counter that is shown as its mean over the iterations.
void add(benchmark::State& state, const char* counter, double value) {
  benchmark::Counter& sum = state.counters[counter];
  sum.flags = benchmark::Counter::kAvgIterations;
  sum.value += value;
}

void add(benchmark::State& state, const system::usage& used, std::size_t runs) {
  add(state, "runs", static_cast<double>(runs));
  add(state, "cpu_seconds", used.cpu_seconds());
  add(state, "user_seconds", used.user_seconds);
  add(state, "system_seconds", used.system_seconds);
  add(state, "voluntary_switches", used.voluntary_switches);
  add(state, "forced_switches", used.forced_switches);
}

/// What a process has once.
void set(benchmark::State& state, double start_up_seconds, double first_run_seconds,
         std::uint64_t forks, unsigned workers) {
  state.counters["start_up_seconds"] = start_up_seconds;
  state.counters["first_run_seconds"] = first_run_seconds;
  state.counters["fork_count"] = static_cast<double>(forks);
  state.counters["worker_count"] = workers;
  state.counters["peak_rss_bytes"] = system::peak_rss_bytes();
}

/// `body` sets the time of its iterations itself. What it throws also fails all later repetitions.
template <class Body>
void add_benchmark(const std::string& name, benchmark::TimeUnit unit, Body body) {
  const auto guarded = [body = std::move(body),
                        failure = std::exception_ptr()](benchmark::State& state) mutable {
    try {
      if (failure) std::rethrow_exception(failure);
      body(state);
    } catch (const std::exception& error) {
      failure = std::current_exception();
      any_failed = true;
      state.SkipWithError(error.what());
    }
  };
  benchmark::RegisterBenchmark(name.c_str(), guarded)->UseManualTime()->Unit(unit);
}

void measure(benchmark::State& state, warm_cell& subject, std::chrono::nanoseconds sample) {
  const auto expect_right = [](bool is_wrong) {
    if (is_wrong) throw std::runtime_error("wrong answer");
  };
  expect_right(subject.first_run().verified == false);
  for (auto _ : state) {
    const steady_state steady = subject.run_for(sample);
    expect_right(steady.is_wrong);
    state.SetIterationTime(steady.seconds);
    add(state, steady.used, steady.runs);
    if (steady.waiting_threads) add(state, "waiting_threads", *steady.waiting_threads);
  }
  const cell& ran = subject.subject();
  set(state, seconds_of(ran.start_up()), seconds_of(subject.first_run().wall), ran.fork_count(),
      ran.worker_count());
  if (const auto verified = ran.verified()) state.counters["verified"] = *verified ? 1 : 0;
}

void report(benchmark::State& state, const costs::figure_result& found, costs::figure_unit unit) {
  const costs::figure_times& times = found.times;
  for (auto _ : state) {
    state.SetIterationTime(costs::median_of(times) * 1e-9);
    add(state, times.per_run, times.ns_per_operation.size());
  }
  set(state, found.start_up_seconds, times.first_run_seconds, times.operations_per_run,
      found.worker_count);
  state.counters["uncounted_runs"] = static_cast<double>(times.uncounted_runs);
  state.counters["still_seconds"] = times.still_seconds;
  if (unit == costs::figure_unit::bytes) {
    state.counters["bytes_per_worker"] = found.bytes_per_worker;
  }
}

}  // namespace

void add_cell(const std::string& name, const std::function<std::unique_ptr<cell>()>& make,
              std::chrono::nanoseconds sample, double slowed_by) {
  add_benchmark(name, benchmark::kMillisecond, [=](benchmark::State& state) {
    if (name_in_hand != name) {
      in_hand.reset();
      name_in_hand = name;
    }
    if (!in_hand) in_hand.emplace(make(), slowed_by);
    measure(state, *in_hand, sample);
  });
}

void add_figure(const std::string& name, const std::function<costs::figure_result()>& measure,
                costs::figure_unit unit) {
  add_benchmark(name, benchmark::kNanosecond,
                [=](benchmark::State& state) { report(state, measure(), unit); });
}

int run_benchmarks(std::vector<std::string> arguments) {
  any_failed = false;
  const nlohmann::ordered_json context = provenance();
  for (const auto& [key, value] : context.items()) {
    benchmark::AddCustomContext(key, value.get<std::string>());
  }
  // It does not know NO_COLOR (https://no-color.org). Before the flags of the user.
  if (!system::environment_variable("NO_COLOR").empty()) {
    arguments.insert(++arguments.begin(), "--benchmark_color=false");
  }
  std::vector<char*> raw;
  raw.reserve(arguments.size());
  for (std::string& each : arguments) raw.push_back(each.data());
  int count = static_cast<int>(raw.size());
  // Google Benchmark calls this for a flag that it cannot read, and would then exit with 0.
  benchmark::Initialize(&count, raw.data(), [] {
    std::cerr << "Bad flag of Google Benchmark; --benchmark_help=true lists them.\n";
    std::_Exit(2);
  });
  if (benchmark::ReportUnrecognizedArguments(count, raw.data())) return 2;
  // The reporter that is made without one is freed after the first call (1.7.1), and used again.
  const std::size_t matched =
      benchmark::RunSpecifiedBenchmarks(benchmark::CreateDefaultDisplayReporter());
  benchmark::ClearRegisteredBenchmarks();
  name_in_hand.clear();
  in_hand.reset();
  if (matched == 0) return 2;
  return any_failed ? 1 : 0;
}

}  // namespace stealbench::cell
