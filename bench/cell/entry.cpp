#include "bench/cell/entry.hpp"

namespace stealbench::cell {
namespace {

double seconds_of(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

bool refuse_answer(benchmark::State& state) {
  state.SkipWithError("wrong answer");
  return false;
}

/// To a counter that is shown as its mean over the iterations.
void add(benchmark::State& state, const char* counter, double value) {
  benchmark::Counter& sum = state.counters[counter];
  sum.flags = benchmark::Counter::kAvgIterations;
  sum.value += value;
}

}  // namespace

bool measure(benchmark::State& state, warm_cell& of, std::chrono::nanoseconds sample) {
  if (of.first_run().verified == false) return refuse_answer(state);
  for (auto _ : state) {
    const steady_state steady = of.run_for(sample);
    if (steady.is_wrong) return refuse_answer(state);
    state.SetIterationTime(steady.seconds);
    add(state, "runs", static_cast<double>(steady.runs));
    add(state, "cpu_seconds", steady.used.cpu_seconds());
    add(state, "user_seconds", steady.used.user_seconds);
    add(state, "system_seconds", steady.used.system_seconds);
    add(state, "voluntary_switches", steady.used.voluntary_switches);
    add(state, "forced_switches", steady.used.forced_switches);
    if (steady.energy_joules) add(state, "energy_joules", *steady.energy_joules);
  }
  const cell& subject = of.subject();
  state.counters["start_up_seconds"] = seconds_of(subject.start_up());
  state.counters["first_run_seconds"] = seconds_of(of.first_run().wall);
  state.counters["fork_count"] = static_cast<double>(subject.fork_count());
  state.counters["worker_count"] = subject.worker_count();
  state.counters["peak_rss_bytes"] = system::peak_rss_bytes();
  if (const auto verified = subject.verified()) state.counters["verified"] = *verified ? 1 : 0;
  return true;
}

}  // namespace stealbench::cell
