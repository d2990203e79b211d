// Programs with real leaves, beside the serial elision of the same source: what is left of the cost
// of the forks, and the speedup.
#include <string>

#include "bench/micro/measure.hpp"
#include "bench/micro/search.hpp"
#include "bench/micro/topics.hpp"
#include "schedulers/serial/scheduler.hpp"
#include "workloads/mergesort/mergesort.hpp"

namespace stealbench::costs::micro {
namespace {

void report(benchmark::State& state, const medians& found) {
  state.counters["ms"] = found.subject_ns * 1e-6;
  state.counters["serial_ms"] = found.reference_ns * 1e-6;
  state.counters["overhead"] = found.subject_ns / found.reference_ns;
  state.counters["speedup"] = found.reference_ns / found.subject_ns;
}

void measure_search(benchmark::State& state, unsigned workers, const char* tree) {
  const uts::named_tree& known = published_tree(tree);
  serial::scheduler elision({});
  work_stealing::scheduler pool({.workers = workers, .pin = true});
  report(state,
         in_turn(
             state, [&] { return search(pool, known); }, [&] { return search(elision, known); }));
}

// Writing the keys anew is not timed, so in_turn, which times all, does not serve here.
void measure_sort(benchmark::State& state, unsigned workers) {
  using sort = mergesort::workload;
  const workloads::description of = sort::describe();
  sort::input input = sort::prepare({of, {{"keys", "8388608"}}});
  serial::scheduler elision({});
  work_stealing::scheduler pool({.workers = workers, .pin = true});
  bool right = true;
  const auto time_of = [&](auto& scheduler) {
    sort::reset(input);
    sort::output output{};
    const double time = nanoseconds_of(
        [&] { output = scheduler.run([&](auto worker) { return sort::run(worker, input); }); });
    right = sort::verify(input, output).value() && right;
    return time;
  };
  static_cast<void>(time_of(elision));
  std::vector<double> subject;
  std::vector<double> reference;
  for (auto _ : state) {
    subject.push_back(time_of(pool));
    reference.push_back(time_of(elision));
    state.SetIterationTime(subject.back() * 1e-9);
  }
  if (!right) fail(state, "wrong answer");
  report(state, {analysis::median(subject), analysis::median(reference)});
}

}  // namespace

void add_leaves() {
  for (const unsigned workers : {1U, 2U}) {
    const std::string with = "/workers:" + std::to_string(workers);
    for (const char* const tree : {"T1", "T3"}) {
      add("leaves/uts/" + std::string(tree) + with, [=](benchmark::State& state) {
        measure_search(state, workers, tree);
      })->Iterations(4);
    }
    add("leaves/mergesort" + with, [=](benchmark::State& state) {
      measure_sort(state, workers);
    })->Iterations(1);
  }
}

}  // namespace stealbench::costs::micro
