#include "bench/costs/thread_costs.hpp"

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
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/operating_system/thread.hpp"
#include "schedulers/options.hpp"

namespace stealbench::costs {

using engine::std_machine;

namespace {

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

  struct progress {
    double count;
    double ns;
  };
  template <class F>
  [[nodiscard]] progress during(const F& f) const {
    const std::uint64_t before = count();
    const double ns = nanoseconds_of(f);
    return {.count = static_cast<double>(count() - before), .ns = ns};
  }

 private:
  [[nodiscard]] std::uint64_t count() const { return count_.load(std::memory_order_relaxed); }

  alignas(128) std::atomic<bool> is_over_{false};     // Written by the owner.
  alignas(128) std::atomic<std::uint64_t> count_{0};  // Written by the thread.
  std::thread thread_;
};

}  // namespace

double time_thread_start() {
  constexpr std::uint64_t threads = 101;
  return median_of(time_each(threads, [] {
    clock::time_point begun;
    const clock::time_point start = clock::now();
    {
      const operating_system::thread started(schedulers::default_stack_bytes, std::nullopt,
                                             [&begun] { begun = clock::now(); });
    }
    return nanoseconds_between(start, begun);
  }));
}

wake_up_costs time_wake_ups() {
  constexpr std::size_t wake_ups = 1001;
  // As between two tasks of a fork-join program. A processor that idles for milliseconds goes
  // deeper asleep, above all a virtual one: `stealbench micro --metrics wake` says how deep.
  constexpr std::chrono::microseconds idle{200};
  const double clock_ns = clock_nanoseconds();
  std::vector<double> calls;
  std::vector<double> wakes;
  partner sleeper(wait_by::futex, 1);
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

double time_sleep() {
  constexpr std::uint64_t sleeps = 1001;
  partner sleeper(wait_by::futex, 0);
  return median_of(time_each(sleeps, [&sleeper, number = std::uint32_t{0}]() mutable {
    sleeper.send(++number);
    while (!sleeper.said().is_given(number)) std_machine::yield();
    return nanoseconds_between(sleeper.said().ended, clock::now());
  }));
}

barrier_costs time_barriers() {
  constexpr std::size_t windows = 301;
  constexpr unsigned barriers = 100;
  constexpr std::chrono::microseconds quiet{300};
  constexpr std::chrono::seconds too_long{10};
  const counting_thread counting;
  std::vector<double> calls;
  std::vector<double> losses;
  const clock::time_point end = clock::now() + too_long;
  while (losses.size() < windows && clock::now() < end) {
    const auto undisturbed = counting.during([quiet] { busy_for(quiet); });
    const auto disturbed = counting.during([] {
      for (unsigned each = 0; each < barriers; ++each) std_machine::heavy_fence();
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
