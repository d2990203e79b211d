// What threads cost each other, beside memory: to start, sleep, wake and interrupt one.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "bench/costs/partner.hpp"
#include "bench/costs/times.hpp"
#include "results/analysis/statistics.hpp"
#include "schedulers/operating_system/thread.hpp"
#include "schedulers/options.hpp"

namespace stealbench::costs {

/// A thread that does nothing but count, on the second processor.
class counting_thread {
 public:
  counting_thread()
      : thread_([this] {
          operating_system::pin_this_thread(1);
          // Relaxed, all: numbers that order nothing else.
          for (std::uint64_t n = 1; !is_over_.load(std::memory_order_relaxed); ++n) {
            count_.store(n, std::memory_order_relaxed);
          }
        }) {
    while (count() == 0) {
    }
  }
  counting_thread(const counting_thread&) = delete;
  counting_thread& operator=(const counting_thread&) = delete;
  ~counting_thread() {
    is_over_.store(true, std::memory_order_relaxed);
    thread_.join();
  }

  [[nodiscard]] std::uint64_t count() const { return count_.load(std::memory_order_relaxed); }

 private:
  alignas(128) std::atomic<bool> is_over_{false};     // Written by the owner.
  alignas(128) std::atomic<std::uint64_t> count_{0};  // Written by the thread.
  std::thread thread_;
};

/// How far a thread that counts came meanwhile, and how long that was.
struct progress {
  double count;
  double ns;
};
template <class Counter, class F>
[[nodiscard]] progress progress_during(const Counter& counting, const F& f) {
  const std::uint64_t before = counting.count();
  const double ns = nanoseconds_of(f);
  return {.count = static_cast<double>(counting.count() - before), .ns = ns};
}

// In nanoseconds. The caller is pinned to the first processor that the process may use, and the
// second one has nothing else to do. Each throws std::runtime_error if that one is busy.

/// From the making of a thread, on a stack as a worker's, until it runs.
template <class Machine>
[[nodiscard]] double time_thread_start() {
  constexpr std::uint64_t threads = 101;
  const double clock_ns = clock_nanoseconds();
  return median_of(time_each(threads, [clock_ns] {
    clock::time_point begun;
    const clock::time_point start = clock::now();
    {
      const typename Machine::thread started(schedulers::default_stack_bytes, std::nullopt,
                                             [&begun] { begun = clock::now(); });
    }
    return nanoseconds_between(start, begun) - clock_ns;
  }));
}

struct wake_up_costs {
  double call = 0;  ///< Of the waker.
  double wake = 0;  ///< Until the sleeper runs on its own, idle processor.
};
template <class Machine>
[[nodiscard]] wake_up_costs time_wake_ups() {
  constexpr std::size_t wake_ups = 1001;
  // As between two tasks of a fork-join program. A processor that idles for milliseconds goes
  // deeper asleep, above all a virtual one: `stealbench micro --metrics wake` says how deep.
  constexpr std::chrono::microseconds idle{200};
  const double clock_ns = clock_nanoseconds();
  std::vector<double> calls;
  std::vector<double> wakes;
  typename Machine::partner sleeper(wait_by::futex, 1);
  for (std::uint32_t number = 1; number <= wake_ups; ++number) {
    busy_for(idle);
    const clock::time_point start = clock::now();
    const bool has_slept = sleeper.send(number);
    const clock::time_point gone_on = clock::now();
    sleeper.said().await(number);
    if (!has_slept) continue;
    calls.push_back(nanoseconds_between(start, gone_on) - clock_ns);
    wakes.push_back(nanoseconds_between(start, sleeper.said().begun) - clock_ns);
  }
  if (calls.size() < wake_ups / 2) {
    throw std::runtime_error("wake cannot be measured: the second processor is busy");
  }
  return {.call = analysis::median(calls), .wake = analysis::median(wakes)};
}

/// From the futex call of a thread until another one, which waits for its processor, runs there.
template <class Machine>
[[nodiscard]] double time_sleep() {
  constexpr std::uint64_t sleeps = 1001;
  const double clock_ns = clock_nanoseconds();
  typename Machine::partner sleeper(wait_by::futex, 0);
  return median_of(time_each(sleeps, [&sleeper, clock_ns, number = std::uint32_t{0}]() mutable {
    sleeper.send(++number);
    while (!sleeper.said().is_given(number)) Machine::yield();
    return nanoseconds_between(sleeper.said().ended, clock::now()) - clock_ns;
  }));
}

struct barrier_costs {
  double call = 0;       ///< Of the thread that issues it.
  double interrupt = 0;  ///< What each running thread loses.
};
template <class Machine>
[[nodiscard]] barrier_costs time_barriers() {
  constexpr std::size_t windows = 301;
  constexpr unsigned barriers = 100;
  constexpr std::chrono::microseconds quiet{300};
  constexpr std::chrono::seconds too_long{10};
  const typename Machine::counter counting;
  std::vector<double> calls;
  std::vector<double> losses;
  const clock::time_point end = clock::now() + too_long;
  while (losses.size() < windows && clock::now() < end) {
    const auto undisturbed = progress_during(counting, [quiet] { busy_for(quiet); });
    const auto disturbed = progress_during(counting, [] {
      for (unsigned each = 0; each < barriers; ++each) Machine::heavy_fence();
    });
    if (undisturbed.count == 0 || disturbed.count == 0) continue;  // It had lost its processor.
    const double ns_per_count = undisturbed.ns / undisturbed.count;
    calls.push_back(disturbed.ns / barriers);
    losses.push_back((disturbed.ns - disturbed.count * ns_per_count) / barriers);
  }
  if (losses.size() < windows / 10) {
    throw std::runtime_error("membarrier cannot be measured: the second processor is busy");
  }
  return {.call = analysis::median(calls), .interrupt = std::max(0.0, analysis::median(losses))};
}

}  // namespace stealbench::costs
