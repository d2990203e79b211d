// How each cost of a machine is measured: templates over the machine, so that a test can have one
// whose every operation takes the time that the test says.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include <benchmark/benchmark.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bench/costs/catalogue.hpp"
#include "bench/costs/partner.hpp"
#include "bench/costs/thread_costs.hpp"
#include "bench/costs/times.hpp"
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/operating_system/thread.hpp"
#include "schedulers/virtual_machine/costs.hpp"
#include "schedulers/work_stealing/victims.hpp"

namespace stealbench::costs {

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
  const figure_times times = time_operations(calls_per_batch, [] { Machine::yield(); });
  return *std::ranges::min_element(times.ns_per_operation);
}

/// Pins the calling thread to the first processor meanwhile. Throws std::runtime_error if the
/// second one is busy, or the clock is too coarse.
template <class Machine>
virtual_machine::costs measure_costs() {
  const operating_system::pin_scope pin(0);
  const double transfer =
      median_of(time_line_transfers<typename Machine::partner>()) / transfers_per_handover;
  const wake_up_costs woken = time_wake_ups<Machine>();
  const barrier_costs fenced = time_barriers<Machine>();
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
          .wake_call = woken.call,
          .wake = woken.wake,
          .membarrier = fenced.call,
          .interrupt = fenced.interrupt,
          .thread_start = time_thread_start<Machine>(),
          .jitter = 0.2};  // A constant of the model, not of the machine.
}

}  // namespace stealbench::costs
