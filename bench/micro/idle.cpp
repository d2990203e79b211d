// The processor time of a pool between two runs.
#include <chrono>
#include <ctime>
#include <string>
#include <thread>

#include "bench/micro/measure.hpp"
#include "bench/micro/topics.hpp"
#include "workloads/fib/fib.hpp"

namespace stealbench::costs::micro {
namespace {

constexpr std::chrono::milliseconds until_asleep{20};

// Of all threads of this process.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void measure(benchmark::State& state, unsigned workers, std::chrono::duration<double> how_long) {
  work_stealing::scheduler pool({.workers = workers});
  double wall = 0;
  double processor = 0;
  for (auto _ : state) {
    // Every worker is awake once, and has searched.
    if (pool.run([](auto worker) { return fib::fib(worker, 30); }) != fib::fib_by_addition(30)) {
      fail(state, "wrong answer");
      return;
    }
    std::this_thread::sleep_for(until_asleep);
    const double before = processor_seconds();
    const double slept = nanoseconds_of([&] { std::this_thread::sleep_for(how_long); }) * 1e-9;
    processor += processor_seconds() - before;
    wall += slept;
    state.SetIterationTime(slept);
  }
  state.counters["percent_of_a_core"] = 100 * processor / wall;
}

}  // namespace

void add_idle(std::chrono::duration<double> how_long) {
  for (const unsigned workers : {2U, 4U, 16U}) {
    add("idle/workers:" + std::to_string(workers), [=](benchmark::State& state) {
      measure(state, workers, how_long);
    })->Iterations(1);
  }
}

}  // namespace stealbench::costs::micro
