// A run that does nothing, on a pool that has run before and whose other worker looks for work. Of
// one whose other worker sleeps it is the figure `run`.
#include <string>

#include "bench/micro/measure.hpp"
#include "bench/micro/topics.hpp"

namespace stealbench::costs::micro {
namespace {

using schedulers::idle_policy;

void measure(benchmark::State& state, const schedulers::options& options) {
  work_stealing::scheduler pool(options);
  constexpr int runs = 1000;
  std::vector<double> times;
  for (auto _ : state) {
    times.push_back(nanoseconds_of([&] {
      for (int i = 0; i < runs; ++i) pool.run([i](auto) { benchmark::DoNotOptimize(i); });
    }));
    state.SetIterationTime(times.back() * 1e-9);
  }
  state.counters["ns_per_run"] = analysis::median(times) / runs;
}

}  // namespace

void add_empty_run() {
  const auto add_one = [](const std::string& name, const schedulers::options& options) {
    add("empty_run/" + name, [=](benchmark::State& state) { measure(state, options); });
  };
  add_one("spinning", {.workers = 2, .idle = idle_policy::spin});
  add_one("spinning_pinned", {.workers = 2, .pin = true, .idle = idle_policy::spin});
}

}  // namespace stealbench::costs::micro
