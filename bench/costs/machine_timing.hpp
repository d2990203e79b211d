// How each cost of a machine is measured, in nanoseconds: templates over the machine, so that a
// test can have one whose every operation takes the time that the test says. The caller is pinned
// to the first processor that the process may use, and the second one has nothing else to do.
#pragma once

#include <algorithm>
#include <array>
#include <mutex>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "bench/costs/catalogue.hpp"
#include "bench/costs/partner.hpp"
#include "bench/costs/times.hpp"
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/options.hpp"
#include "schedulers/virtual_machine/costs.hpp"
#include "schedulers/work_stealing/victims.hpp"

namespace stealbench::costs {

/// A thread that does nothing but count, on the second processor.
class counting_thread {
 public:
  counting_thread() {
    while (count() == 0) {
    }
  }

  // Relaxed, both: a number that orders nothing else.
  [[nodiscard]] std::uint64_t count() const { return count_.load(std::memory_order_relaxed); }

 private:
  alignas(128) std::atomic<std::uint64_t> count_{0};  // Written by the thread.
  std::jthread thread_{[this](const std::stop_token& end) {
    operating_system::pin_this_thread(1);
    for (std::uint64_t n = 1; !end.stop_requested(); ++n) {
      count_.store(n, std::memory_order_relaxed);
    }
  }};
};

/// From the making of a thread, on a stack as a worker's, until it runs: on the processor of its
/// maker, which is pinned, once that waits for it. So no wake-up of another processor is part of
/// it.
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

/// Of a sleeper on its own, idle processor: `wake_call` and `wake`.
template <class Machine>
[[nodiscard]] virtual_machine::costs time_wake_ups() {
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
  return {.wake_call = median(calls), .wake = median(wakes)};
}

/// From the futex call of a thread until another one, which waits for its processor, runs there.
template <class Machine>
[[nodiscard]] double time_sleep() {
  constexpr std::uint64_t sleeps = 1001;
  const double clock_ns = clock_nanoseconds();
  typename Machine::partner sleeper(wait_by::futex, 0);
  return median_of(time_each(sleeps, [&sleeper, clock_ns, number = std::uint32_t{0}]() mutable {
    sleeper.send(++number);
    while (!sleeper.said().is_given(number)) Machine::yield_thread();
    return nanoseconds_between(sleeper.said().ended, clock::now()) - clock_ns;
  }));
}

/// `membarrier`, and `interrupt`: how far a thread that counts falls behind meanwhile.
template <class Machine>
[[nodiscard]] virtual_machine::costs time_barriers() {
  constexpr std::size_t windows = 301;
  constexpr unsigned barriers = 100;
  constexpr std::chrono::microseconds quiet{300};
  constexpr std::chrono::seconds too_long{10};
  const typename Machine::counter counting;
  const auto progress_during = [&counting](const auto& f) {
    const std::uint64_t before = counting.count();
    const double ns = nanoseconds_of(f);
    return std::pair(static_cast<double>(counting.count() - before), ns);
  };
  std::vector<double> calls;
  std::vector<double> losses;
  const clock::time_point end = clock::now() + too_long;
  while (losses.size() < windows && clock::now() < end) {
    const auto [quiet_count, quiet_ns] = progress_during([quiet] { busy_for(quiet); });
    const auto [count, ns] = progress_during([] {
      for (unsigned each = 0; each < barriers; ++each) Machine::heavy_fence();
    });
    if (quiet_count == 0 || count == 0) continue;  // It had lost its processor.
    calls.push_back(ns / barriers);
    losses.push_back((ns - count * (quiet_ns / quiet_count)) / barriers);
  }
  if (losses.size() < windows / 10) {
    throw std::runtime_error("membarrier cannot be measured: the second processor is busy");
  }
  return {.membarrier = median(calls), .interrupt = std::max(0.0, median(losses))};
}

/// The machine that is measured: that of the engine, and what measuring needs beside it.
struct real_machine : engine::std_machine {
  using partner = costs::partner;
  using counter = counting_thread;
  /// A futex call that finds another value than it was to wait for.
  static void refused_wait() {
    const std::uint32_t word = 1;
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, nullptr, nullptr, 0);
  }
};

inline constexpr std::uint64_t calls_per_batch = 1000;

template <class Operation>
double time_one(const Operation& operation) {
  return median_of(time_operations(calls_per_batch, operation));
}

/// Loads and stores that do not wait for each other, as those of a fork: a chain of them would
/// show the latency of store forwarding, which the processor hides behind other work.
template <class Machine>
double time_hit() {
  using word_type = typename Machine::template atomic<std::uint64_t>;
  constexpr std::size_t words = 8;
  alignas(128) std::array<word_type, words> line{};
  const double both = time_one([&line] {
    for (word_type& word : line) {
      // Relaxed, both: one thread has the line.
      benchmark::DoNotOptimize(word.load(engine::order::relaxed));
      word.store(1, engine::order::relaxed);
    }
  });
  return both / (2 * words);
}

/// A thief that finds nothing looks at some other queues, whose lines it has copies of: what a look
/// takes beside its two loads, of a queue's word and of the job that the word points to.
template <class Machine>
double time_look(double hit) {
  constexpr unsigned queues = 64;
  struct alignas(128) job_slot {
    typename Machine::template atomic<std::uint64_t> job;
  };
  struct alignas(128) job_queue {
    typename Machine::template atomic<const job_slot*> next;
  };
  const std::vector<job_slot> slots(queues);
  std::vector<job_queue> all(queues);
  // Relaxed, all: one thread has the lines.
  for (unsigned i = 0; i < queues; ++i) all[i].next.store(&slots[i], engine::order::relaxed);
  using thief = work_stealing::victims<Machine>;
  constexpr auto choice = work_stealing::victim_choice::random;
  work_stealing::thefts<Machine> no_records(queues, choice);
  thief victims(0, queues, choice, no_records);
  const auto no_size = [](unsigned /*victim*/) { return std::size_t{0}; };
  const double round = time_one([&] {
    victims.some(no_size, [&all](unsigned victim) {
      const job_slot* const next = all[victim].next.load(engine::order::relaxed);
      return next->job.load(engine::order::relaxed) != 0;
    });
  });
  return std::max(0.0, round / static_cast<double>(thief::most_looks) - 2 * hit);
}

/// Half of locking and unlocking a mutex that no other thread wants, which are two locked
/// operations: so the code around one is part of it, as in the queues that the engine locks.
template <class Machine>
double time_rmw() {
  typename Machine::mutex mutex;
  return time_one([&] { const std::lock_guard lock(mutex); }) / 2;
}

/// The least: where another thread has taken its turn, its time is not meant.
template <class Machine>
double time_yield() {
  const figure_times times = time_operations(calls_per_batch, [] { Machine::yield_thread(); });
  return *std::ranges::min_element(times.ns_per_operation);
}

/// Pins the calling thread to the first processor meanwhile. Throws std::runtime_error if the
/// second one is busy, or the clock is too coarse.
template <class Machine>
virtual_machine::costs measure_costs() {
  const operating_system::pin_scope pin(0);
  const double transfer =
      median_of(time_line_transfers<typename Machine::partner>()) / transfers_per_handover;
  const virtual_machine::costs woken = time_wake_ups<Machine>();
  const virtual_machine::costs fenced = time_barriers<Machine>();
  const double hit = time_hit<Machine>();
  return {.hit = hit,
          .rmw = time_rmw<Machine>(),
          .fence = time_one([] { Machine::fence(engine::order::seq_cst); }),
          .transfer = transfer,
          .remote_transfer = transfer,
          .processors_per_socket = 0,
          .shared_gap = 5,  // Takes three processors to measure.
          .look = time_look<Machine>(hit),
          .pause = time_one([] { Machine::spin(); }),
          .yield = time_yield<Machine>(),
          .system_call = time_one([] { Machine::refused_wait(); }),
          .sleep = time_sleep<Machine>(),
          .wake_call = woken.wake_call,
          .wake = woken.wake,
          .membarrier = fenced.membarrier,
          .interrupt = fenced.interrupt,
          .thread_start = time_thread_start<Machine>(),
          .jitter = 0.2};  // A constant of the model, not of the machine.
}

}  // namespace stealbench::costs
