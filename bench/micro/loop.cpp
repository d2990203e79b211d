// A parallel loop over indices that cost next to nothing, beside a plain one.
#include <cstddef>
#include <string>

#include "bench/micro/measure.hpp"
#include "bench/micro/topics.hpp"

namespace stealbench::costs::micro {
namespace {

constexpr std::size_t total_indices = std::size_t{1} << 22;

void measure(benchmark::State& state, unsigned workers, std::size_t indices, std::size_t grain) {
  work_stealing::scheduler pool({.workers = workers, .pin = true});
  const medians found = in_turn(
      state,
      [&] {
        pool.run([=](auto worker) {
          for (std::size_t done = 0; done < total_indices; done += indices) {
            worker->parallel_for(0, indices, grain,
                                 [](auto, std::size_t i) { benchmark::DoNotOptimize(i); });
          }
        });
        return true;
      },
      [=] {
        for (std::size_t done = 0; done < total_indices; done += indices) {
          for (std::size_t i = 0; i < indices; ++i) benchmark::DoNotOptimize(i);
        }
        return true;
      });
  state.counters["ns_per_index"] = found.subject_ns * workers / total_indices;
  state.counters["plain_ns_per_index"] = found.reference_ns / total_indices;
  state.counters["ns_per_loop"] = found.subject_ns * static_cast<double>(indices) / total_indices;
  state.counters["ratio"] = found.subject_ns * workers / found.reference_ns;
}

}  // namespace

void add_loop() {
  struct shape {
    std::size_t indices;
    std::size_t grain;
  };
  for (const shape each : {shape{64, 1}, shape{4096, 64}, shape{std::size_t{1} << 20, 1024}}) {
    for (const unsigned workers : {1U, 2U}) {
      add("loop/indices:" + std::to_string(each.indices) + "/grain:" + std::to_string(each.grain) +
              "/workers:" + std::to_string(workers),
          [=](benchmark::State& state) { measure(state, workers, each.indices, each.grain); });
    }
  }
}

}  // namespace stealbench::costs::micro
