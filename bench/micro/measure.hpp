// What the micro-benchmarks share: two sides that are measured in turn, and failure.
#pragma once

#include <algorithm>
#include <exception>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "bench/costs/stopwatch.hpp"
#include "results/analysis/statistics.hpp"
#include "schedulers/work_stealing/scheduler.hpp"

namespace stealbench::costs::micro {

/// Stops the benchmark with this message and makes the executable's exit status 1.
void fail(benchmark::State& state, const std::string& why);
[[nodiscard]] bool any_failed();

/// Registers `body(state)`, which sets the time of each iteration itself.
template <class Body>
benchmark::internal::Benchmark* add(const std::string& name, const Body& body) {
  const auto guarded = [body](benchmark::State& state) {
    try {
      body(state);
    } catch (const std::exception& error) {
      fail(state, error.what());
    }
  };
  return benchmark::RegisterBenchmark(name.c_str(), guarded)
      ->UseManualTime()
      ->ComputeStatistics("min", [](const auto& of) { return *std::ranges::min_element(of); })
      ->ComputeStatistics("max", [](const auto& of) { return *std::ranges::max_element(of); })
      ->Unit(benchmark::kMillisecond);
}

/// Medians over the iterations of one repetition.
struct medians {
  double subject_ns;
  double reference_ns;
};

/// Runs both sides in each iteration, so that a machine which slows down slows both; they take
/// turns in going first. Each returns whether its answer was right. Both run once untimed before.
/// The time of an iteration is the subject's.
template <class Subject, class Reference>
[[nodiscard]] medians in_turn(benchmark::State& state, const Subject& subject,
                              const Reference& reference) {
  bool right = subject() && reference();
  std::vector<double> subjects;
  std::vector<double> references;
  const auto run_subject = [&] {
    subjects.push_back(nanoseconds_of([&] { right = subject() && right; }));
  };
  const auto run_reference = [&] {
    references.push_back(nanoseconds_of([&] { right = reference() && right; }));
  };
  bool subject_first = true;
  for (auto _ : state) {
    if (subject_first) run_subject();
    run_reference();
    if (!subject_first) run_subject();
    subject_first = !subject_first;
    state.SetIterationTime(subjects.back() * 1e-9);
  }
  if (!right) fail(state, "wrong answer");
  if (subjects.empty()) return {};
  return {analysis::median(subjects), analysis::median(references)};
}

/// Calls `add_for.operator()<Scheduler>(name)` for work stealing over each of its deques.
template <class AddFor>
void for_each_deque(const AddFor& add_for) {
  const auto call = [&]<class Scheduler>(std::type_identity<Scheduler>) {
    add_for.template operator()<Scheduler>(std::string(Scheduler::policy::deque));
  };
  call(std::type_identity<work_stealing::scheduler>{});
  call(std::type_identity<work_stealing::chase_lev_scheduler>{});
  call(std::type_identity<work_stealing::asymmetric_scheduler>{});
  call(std::type_identity<work_stealing::locked_scheduler>{});
}

}  // namespace stealbench::costs::micro
