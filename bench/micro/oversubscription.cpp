// More workers than processors: a tree search on 16 beside the same on 2.
#include "bench/micro/measure.hpp"
#include "bench/micro/search.hpp"
#include "bench/micro/topics.hpp"

namespace stealbench::costs::micro {

void add_oversubscription() {
  for_each_deque([]<class Scheduler>(const std::string& name) {
    add("oversubscription/" + name + "/T1", [](benchmark::State& state) {
      // Not pinned: the operating system is to place the many.
      Scheduler many({.workers = 16});
      Scheduler few({.workers = 2});
      const uts::named_tree& tree = published_tree("T1");
      const medians found = in_turn(
          state, [&] { return search(many, tree); }, [&] { return search(few, tree); });
      state.counters["many_ms"] = found.subject_ns * 1e-6;
      state.counters["few_ms"] = found.reference_ns * 1e-6;
      state.counters["ratio"] = found.subject_ns / found.reference_ns;
    })->Iterations(3);
  });
}

}  // namespace stealbench::costs::micro
