// Waking a worker that sleeps: how long until the job runs, and what the fork pays that wakes it;
// beside a bare futex.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bench/costs/answer.hpp"
#include "bench/micro/measure.hpp"
#include "bench/micro/topics.hpp"
#include "schedulers/engine/thread.hpp"

namespace stealbench::costs::micro {
namespace {

// A worker has gone to sleep by then: it looks for work for some 60 microseconds.
constexpr std::chrono::microseconds until_asleep{400};
constexpr std::uint32_t rounds = 50;

/// One per round in which the other side had slept.
struct wake_times {
  std::vector<double> until_run;
  std::vector<double> waker;

  // Tells whether the other side has slept since the round before.
  void add(clock::time_point start, clock::time_point woken, const answer& said) {
    if (said.switches.slept > sleeps_before_) {
      until_run.push_back(nanoseconds_between(start, said.begun));
      waker.push_back(nanoseconds_between(start, woken));
    }
    sleeps_before_ = said.switches.slept;
  }

 private:
  std::int64_t sleeps_before_ = 0;
};

template <class Scheduler>
void wake_workers(Scheduler& pool, wake_times& times) {
  answer said;
  pool.run([&](auto worker) {
    for (std::uint32_t i = 1; i <= rounds; ++i) {
      busy_for(until_asleep);
      const clock::time_point start = clock::now();
      const auto [woken, none] = worker->fork_join(
          [&said, i](auto) {
            const clock::time_point now = clock::now();
            said.await(i);
            return now;
          },
          [&said, i](auto) { said.give(clock::now(), i); });
      times.add(start, woken, said);
    }
  });
}

// Sequentially consistent throughout: the system calls dwarf what that costs.
class sleeper {
 public:
  sleeper()
      : thread_([this] {
          engine::pin_this_thread(1);
          for (std::uint32_t i = 1; i <= rounds; ++i) {
            while (word_.load() != i) {
              syscall(SYS_futex, &word_, FUTEX_WAIT_PRIVATE, i - 1, nullptr, nullptr, 0);
            }
            said_.give(clock::now(), i);
          }
        }) {}
  sleeper(const sleeper&) = delete;
  sleeper& operator=(const sleeper&) = delete;
  ~sleeper() { thread_.join(); }

  /// Must be called `rounds` times, i counting up from 1.
  void wake(std::uint32_t i, wake_times& times) {
    busy_for(until_asleep);
    const clock::time_point start = clock::now();
    word_.store(i);
    syscall(SYS_futex, &word_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
    const clock::time_point woken = clock::now();
    said_.await(i);
    times.add(start, woken, said_);
  }

 private:
  std::atomic<std::uint32_t> word_{0};
  answer said_;
  std::thread thread_;
};

void wake_bare_futex(wake_times& times) {
  const engine::affinity_scope restore;
  engine::pin_this_thread(0);
  sleeper other;
  for (std::uint32_t i = 1; i <= rounds; ++i) other.wake(i, times);
}

template <class Scheduler>
void measure(benchmark::State& state) {
  wake_times futex;
  wake_times pool_times;
  Scheduler pool({.workers = 2, .pin = true});
  for (auto _ : state) {
    wake_bare_futex(futex);
    state.SetIterationTime(nanoseconds_of([&] { wake_workers(pool, pool_times); }) * 1e-9);
  }
  if (futex.waker.empty() || pool_times.waker.empty()) {
    fail(state, "nobody ever slept: the other processor has no time to");
    return;
  }
  const double clock_ns = clock_nanoseconds();
  const auto median_of = [&](const std::vector<double>& of) {
    return analysis::median(of) - clock_ns;
  };
  state.counters["run_ns"] = median_of(pool_times.until_run);
  state.counters["futex_run_ns"] = median_of(futex.until_run);
  state.counters["run_ratio"] = median_of(pool_times.until_run) / median_of(futex.until_run);
  state.counters["waker_ns"] = median_of(pool_times.waker);
  state.counters["futex_waker_ns"] = median_of(futex.waker);
  state.counters["waker_ratio"] = median_of(pool_times.waker) / median_of(futex.waker);
}

}  // namespace

void add_wake() {
  for_each_deque([]<class Scheduler>(const std::string& name) {
    add("wake/" + name, [](benchmark::State& state) { measure<Scheduler>(state); })->Iterations(4);
  });
}

}  // namespace stealbench::costs::micro
