// Jobs that lie under a long leaf: their owner comes to no fork and no join for a long time, so
// others must be able to take them without its help.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>

#include "bench/micro/measure.hpp"
#include "bench/micro/topics.hpp"

namespace stealbench::costs::micro {
namespace {

constexpr unsigned workers = 2;
constexpr std::chrono::milliseconds job{1};
constexpr std::chrono::milliseconds leaf{100};

// The leaf is no shorter by a second worker; all work together is shared evenly at best.
double ideal_nanoseconds(int jobs) {
  const double one = std::chrono::nanoseconds(job).count();
  const double long_one = std::chrono::nanoseconds(leaf).count();
  return std::max(long_one, (jobs * one + long_one) / workers);
}

template <class Scheduler>
void measure(benchmark::State& state, int jobs) {
  Scheduler pool({.workers = workers, .pin = true});
  std::vector<double> times;
  for (auto _ : state) {
    std::atomic<int> done{0};
    times.push_back(nanoseconds_of([&] {
      pool.run([&](auto worker) {
        auto group = worker->task_group();
        for (int i = 0; i < jobs; ++i) {
          group.spawn([&done](auto) {
            busy_for(job);
            done.fetch_add(1, std::memory_order_relaxed);  // read after the sync
          });
        }
        busy_for(leaf);
        group.sync();
      });
    }));
    state.SetIterationTime(times.back() * 1e-9);
    if (done.load(std::memory_order_relaxed) != jobs) fail(state, "a job is missing");
  }
  state.counters["measured_ms"] = analysis::median(times) * 1e-6;
  state.counters["ideal_ms"] = ideal_nanoseconds(jobs) * 1e-6;
  state.counters["ratio"] = analysis::median(times) / ideal_nanoseconds(jobs);
}

}  // namespace

void add_long_leaf() {
  for_each_deque([]<class Scheduler>(const std::string& name) {
    for (const int jobs : {64, 128}) {
      add("long_leaf/" + name + "/jobs:" + std::to_string(jobs), [=](benchmark::State& state) {
        measure<Scheduler>(state, jobs);
      })->Iterations(1);
    }
  });
}

}  // namespace stealbench::costs::micro
