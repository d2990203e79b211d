#include "bench/costs/machine_costs.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <stdexcept>
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
#include "schedulers/work_stealing/victims.hpp"

namespace stealbench::costs {
namespace {

using engine::std_machine;

constexpr std::uint64_t calls_per_batch = 1000;

template <class Operation>
double time_one(const Operation& operation) {
  return median_of(time_operations(calls_per_batch, operation));
}

/// Loads and stores that do not wait for each other, as those of a fork: a chain of them would
/// show the latency of store forwarding, which the processor hides behind other work.
double time_hit() {
  constexpr std::size_t words = 8;
  alignas(128) std::array<std::atomic<std::uint64_t>, words> line{};
  const double both = time_one([&line] {
    for (std::atomic<std::uint64_t>& word : line) {
      // Relaxed, both: one thread has the line.
      benchmark::DoNotOptimize(word.load(std::memory_order_relaxed));
      word.store(1, std::memory_order_relaxed);
    }
  });
  return both / (2 * words);
}

/// A thief that finds nothing looks at some other queues, whose lines it has copies of: what a look
/// takes beside its two loads, of a queue's word and of the job that the word points to.
double time_look(double hit) {
  constexpr unsigned queues = 64;
  struct alignas(128) job_slot {
    std::atomic<std::uint64_t> job{0};
  };
  struct alignas(128) job_queue {
    std::atomic<const job_slot*> next{nullptr};
  };
  const std::vector<job_slot> slots(queues);
  std::vector<job_queue> all(queues);
  // Relaxed, all: one thread has the lines.
  for (unsigned i = 0; i < queues; ++i) all[i].next.store(&slots[i], std::memory_order_relaxed);
  using thief = work_stealing::victims<std_machine>;
  constexpr auto choice = work_stealing::victim_choice::random;
  work_stealing::thefts<std_machine> no_records(queues, choice);
  thief victims(0, queues, choice, no_records);
  const auto no_size = [](unsigned /*victim*/) { return std::size_t{0}; };
  const double round = time_one([&] {
    victims.some(no_size, [&all](unsigned victim) {
      const job_slot* const next = all[victim].next.load(std::memory_order_relaxed);
      return next->job.load(std::memory_order_relaxed) != 0;
    });
  });
  return std::max(0.0, round / static_cast<double>(thief::most_looks) - 2 * hit);
}

/// Half of locking and unlocking a mutex that no other thread wants, which are two locked
/// operations: so the code around one is part of it, as in the queues that the engine locks.
double time_rmw() {
  std_machine::mutex mutex;
  return time_one([&] { const std::lock_guard lock(mutex); }) / 2;
}

/// The least: where another thread has taken its turn, its time is not meant.
double time_yield() {
  const figure_times times = time_operations(calls_per_batch, [] { std_machine::yield(); });
  return *std::ranges::min_element(times.ns_per_operation);
}

/// A futex call that finds another value than it was to wait for.
double time_system_call() {
  std::uint32_t word = 1;
  return time_one([&] { syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, nullptr, nullptr, 0); });
}

}  // namespace

virtual_machine::costs measure_machine() {
  if (operating_system::processor_count() < 2) {
    throw std::runtime_error(
        "the costs transfer, wake_call, wake, membarrier and interrupt need two processors, and "
        "this process may use one");
  }
  const operating_system::pin_scope pin(0);
  const double transfer = median_of(time_line_transfers()) / transfers_per_handover;
  const wake_up_costs woken = time_wake_ups();
  const barrier_costs fenced = time_barriers();
  const double hit = time_hit();
  return {.hit = hit,
          .rmw = time_rmw(),
          .fence = time_one([] { std_machine::fence(engine::order::seq_cst); }),
          .transfer = transfer,
          .remote_transfer = transfer,
          .processors_per_socket = 0,
          .shared_gap = 5,  // Takes three processors to measure.
          .look = time_look(hit),
          .pause = time_one([] { std_machine::spin(); }),
          .yield = time_yield(),
          .system_call = time_system_call(),
          .sleep = time_sleep(),
          .wake_call = woken.call,
          .wake = woken.wake,
          .membarrier = fenced.call,
          .interrupt = fenced.interrupt,
          .thread_start = time_thread_start(),
          .jitter = 0.2};  // A constant of the model, not of the machine.
}

}  // namespace stealbench::costs
