// A child of a small task group that nobody steals: its spawn, its run and its share of the sync.
// In a large group it is the figure `spawn`.
#include <string>

#include "bench/micro/measure.hpp"
#include "bench/micro/topics.hpp"

namespace stealbench::costs::micro {
namespace {

constexpr unsigned total_children = 1U << 18;

[[gnu::noinline]] void plain_child(unsigned index) { benchmark::DoNotOptimize(index); }

template <class Scheduler>
void measure(benchmark::State& state, unsigned children) {
  Scheduler pool({.workers = 1, .pin = true});
  const medians found = in_turn(
      state,
      [&] {
        pool.run([=](auto worker) {
          for (unsigned spawned = 0; spawned < total_children; spawned += children) {
            auto group = worker->task_group();
            for (unsigned i = 0; i < children; ++i) {
              group.spawn([i](auto) { plain_child(i); });
            }
            group.sync();
          }
        });
        return true;
      },
      [] {
        for (unsigned i = 0; i < total_children; ++i) plain_child(i);
        return true;
      });
  state.counters["ns_per_child"] = found.subject_ns / total_children;
  state.counters["call_ns"] = found.reference_ns / total_children;
}

}  // namespace

void add_spawn() {
  for_each_deque([]<class Scheduler>(const std::string& name) {
    for (const unsigned children : {1U, 8U}) {
      add("spawn/" + name + "/children:" + std::to_string(children),
          [=](benchmark::State& state) { measure<Scheduler>(state, children); });
    }
  });
}

}  // namespace stealbench::costs::micro
