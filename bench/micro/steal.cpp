// A steal: from the fork on one processor to the job's first instruction on another, in units of
// the time that a cache line takes between the two.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "bench/micro/measure.hpp"
#include "bench/micro/topics.hpp"
#include "schedulers/engine/std_model.hpp"
#include "schedulers/engine/thread.hpp"

namespace stealbench::costs::micro {
namespace {

using std::chrono::nanoseconds;

constexpr std::uint32_t rounds = 2000;

/// A number on lines of its own. Released by its writer, acquired by its reader.
struct alignas(128) signal {
  std::atomic<std::uint32_t> number{0};

  void send(std::uint32_t n) { number.store(n, std::memory_order_release); }
  void await(std::uint32_t n) const {
    while (number.load(std::memory_order_acquire) != n) {
    }
  }
};

/// Median of there and back: two lines, each written by one side, as one line that both write costs
/// several transfers.
double round_trip_of_a_line() {
  const engine::affinity_scope restore;
  engine::pin_this_thread(0);
  signal there;
  signal back;
  std::thread other([&] {
    engine::pin_this_thread(1);
    for (std::uint32_t i = 1; i <= rounds; ++i) {
      there.await(i);
      back.send(i);
    }
  });
  std::vector<double> times;
  for (std::uint32_t i = 1; i <= rounds; ++i) {
    times.push_back(nanoseconds_of([&] {
      there.send(i);
      back.await(i);
    }));
  }
  other.join();
  return analysis::median(times);
}

/// Median of a fork whose branch is stolen, and the signal that the thief sends back at once.
template <class Scheduler>
double round_trip_of_a_job(nanoseconds idle_before) {
  // The thief must not fall asleep where the machine delays the victim.
  Scheduler pool({.workers = 2, .pin = true, .idle = schedulers::idle_policy::spin});
  signal back;
  std::vector<double> times;
  pool.run([&](auto worker) {
    for (std::uint32_t i = 1; i <= rounds; ++i) {
      if (idle_before > nanoseconds::zero()) busy_for(idle_before);
      const clock::time_point start = clock::now();
      const auto [end, none] = worker->fork_join(
          [&back, i](auto) {
            back.await(i);
            return clock::now();
          },
          [&back, i](auto) { back.send(i); });
      times.push_back(nanoseconds_between(start, end));
    }
  });
  return analysis::median(times);
}

template <class Scheduler>
void measure(benchmark::State& state, nanoseconds idle_before) {
  const double clock_ns = clock_nanoseconds();
  std::vector<double> lines;
  std::vector<double> jobs;
  for (auto _ : state) {
    lines.push_back((round_trip_of_a_line() - clock_ns) / 2);
    jobs.push_back(round_trip_of_a_job<Scheduler>(idle_before) - clock_ns - lines.back());
    state.SetIterationTime(jobs.back() * 1e-9);
  }
  const double line_ns = analysis::median(lines);
  const double steal_ns = analysis::median(jobs);
  state.counters["steal_ns"] = steal_ns;
  state.counters["line_ns"] = line_ns;
  state.counters["transfers"] = steal_ns / line_ns;
}

}  // namespace

void add_steal() {
  for_each_deque([]<class Scheduler>(const std::string& name) {
    for (const nanoseconds idle : {nanoseconds(0), nanoseconds(500), nanoseconds(10'000)}) {
      add("steal/" + name + "/idle_ns:" + std::to_string(idle.count()),
          [=](benchmark::State& state) { measure<Scheduler>(state, idle); })
          ->Iterations(3)
          ->Unit(benchmark::kNanosecond);
    }
  });
}

}  // namespace stealbench::costs::micro
