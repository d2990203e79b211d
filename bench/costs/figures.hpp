// Each metric on any scheduler, by the contract of schedulers/scheduler.hpp alone.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <thread>
#include <vector>

#include "bench/costs/handover.hpp"
#include "bench/costs/times.hpp"
#include "schedulers/options.hpp"
#include "schedulers/virtual_machine/costs.hpp"

namespace stealbench::costs {

/// Operations of a batch: enough that calling it costs nothing beside them.
inline constexpr std::uint64_t operations_per_batch = 1000;
inline constexpr std::uint64_t runs_per_batch = 100;

/// A long leaf: its owner spawns `jobs_per_leaf` jobs of the duration `job` before a leaf of its
/// own of the duration `leaf`. Both durations are wall time.
inline constexpr std::uint64_t long_leaves = 4;
inline constexpr unsigned jobs_per_leaf = 64;
inline constexpr std::chrono::milliseconds job{1};
inline constexpr std::chrono::milliseconds leaf{100};

/// The compiler does not know that a loop up to it has no index.
[[nodiscard]] inline std::size_t opaque_zero() {
  std::size_t none = 0;
  asm volatile("" : "+r"(none));  // benchmark::DoNotOptimize returns garbage under GCC 12's ASan.
  return none;
}

/// What a closure captures. The compiler knows nothing of what happens to it in `use`.
template <std::size_t Bytes>
using captured = std::array<std::byte, Bytes>;
template <std::size_t Bytes>
[[gnu::always_inline]] inline void use(const captured<Bytes>& content) {
  asm volatile("" : : "r"(content.data()) : "memory");
}

/// Single forks one after the other, and no recursion: of a recursion with nothing in its leaves
/// the compiler makes something else for every scheduler, and one measures that.
template <class Pool>
figure_times time_forks(Pool& pool) {
  return pool.run([](auto worker) {
    return time_operations(operations_per_batch, [worker] {
      worker->fork_join([](auto) { do_nothing(); }, [](auto) { do_nothing(); });
    });
  });
}

/// Children of groups of `GroupSize`, each by a call of `spawn(group)`.
template <std::uint64_t GroupSize, class Pool, class Spawn>
figure_times time_groups(Pool& pool, Spawn spawn) {
  return pool.run([spawn](auto worker) {
    return time_batches(operations_per_batch, [worker, spawn] {
      for (std::uint64_t spawned = 0; spawned < operations_per_batch; spawned += GroupSize) {
        auto group = worker->task_group();
        for (std::uint64_t child = 0; child < GroupSize; ++child) spawn(group);
        group.sync();
      }
    });
  });
}

template <std::uint64_t GroupSize, class Pool>
figure_times time_spawns(Pool& pool) {
  return time_groups<GroupSize>(pool, [](auto& group) { group.spawn([](auto) { do_nothing(); }); });
}

/// Children with `Bytes` bytes of their own.
template <std::size_t Bytes, class Pool>
figure_times time_captures(Pool& pool) {
  return time_groups<8>(pool, [content = captured<Bytes>()](auto& group) {
    use(content);
    group.spawn([content](auto) { use(content); });
  });
}

template <class Pool>
figure_times time_empty_loops(Pool& pool) {
  return pool.run([](auto worker) {
    return time_operations(operations_per_batch, [worker] {
      worker->parallel_for(0, opaque_zero(), 1, [](auto, std::size_t) { do_nothing(); });
    });
  });
}

template <class Pool>
figure_times time_indices(Pool& pool) {
  return pool.run([](auto worker) {
    return time_batches(operations_per_batch, [worker] {
      worker->parallel_for(0, operations_per_batch, 1, [](auto, std::size_t) { do_nothing(); });
    });
  });
}

/// The owner of the jobs comes to no fork and no join for a long time, so the other worker must be
/// able to take them without its help.
template <class Pool>
figure_times time_long_leaves(Pool& pool) {
  return time_each(long_leaves, [&pool] {
    return nanoseconds_of([&pool] {
      pool.run([](auto worker) {
        auto group = worker->task_group();
        for (unsigned i = 0; i < jobs_per_leaf; ++i) group.spawn([](auto) { busy_for(job); });
        busy_for(leaf);
        group.sync();
      });
    });
  });
}

/// Before each idle time, both workers have been awake and have looked for work.
template <class Pool>
figure_times time_idle_pool(Pool& pool) {
  return time_idleness([&pool] {
    pool.run([](auto worker) {
      worker->fork_join([](auto) { busy_for(job); }, [](auto) { busy_for(job); });
    });
  });
}

/// Has all workers run a job at the same time: some schedulers start a thread when there is work
/// for it. Gives up after 50 ms, because not every scheduler gives every worker one of the jobs.
template <class Pool>
void occupy_all_workers(Pool& pool) {
  const clock::time_point end = clock::now() + std::chrono::milliseconds(50);
  const unsigned workers = pool.worker_count();
  std::atomic<unsigned> begun{0};
  const auto wait_for_others = [&begun, workers, end](auto) {
    // Relaxed, both: a number that orders nothing else.
    begun.fetch_add(1, std::memory_order_relaxed);
    while (begun.load(std::memory_order_relaxed) < workers && clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  };
  pool.run([&](auto worker) {
    auto group = worker->task_group();
    for (unsigned other = 1; other < workers; ++other) group.spawn(wait_for_others);
    wait_for_others(worker);
    group.sync();
  });
}

/// Medians over some pools after a first one, which touches code and memory of the process that the
/// later ones need not touch again. `start_workers(pool)` returns once all workers have begun.
template <class Pool, class StartWorkers>
[[nodiscard]] figure_result measure_memory(const schedulers::options& options,
                                           const StartWorkers& start_workers) {
  constexpr std::uint64_t pools = 3;
  std::vector<double> bytes;
  figure_result result{.times = {}, .worker_count = options.workers};
  result.times = time_each(pools, [&] {
    const double before = resident_bytes();
    const clock::time_point start = clock::now();
    Pool pool(options);
    const double making_ns = nanoseconds_between(start, clock::now());
    start_workers(pool);
    std::this_thread::sleep_for(until_asleep);
    bytes.push_back(resident_bytes() - before);
    return making_ns;
  });
  bytes.erase(bytes.begin());  // Of the first pool.
  result.start_up_seconds = median(result.times.ns_per_operation) * 1e-9;
  result.bytes_per_worker = median(bytes) / options.workers;
  return result;
}

/// Of any metric but `memory`. Requires: the pool has the metric's number of workers, or is serial
/// and the metric needs no other worker. Throws std::runtime_error if too little of what was
/// measured can be right.
template <class Pool>
figure_times time_figure(std::string_view figure, Pool& pool) {
  using namespace other_worker;
  using enum handover_end;
  static const std::map<std::string_view, figure_times (*)(Pool&)> all{
      {"fork", &time_forks<Pool>},
      {"spawn", &time_spawns<operations_per_batch, Pool>},
      {"spawn_8", &time_spawns<8, Pool>},
      {"spawn_1", &time_spawns<1, Pool>},
      {"capture_8", &time_captures<8, Pool>},
      {"capture_32", &time_captures<32, Pool>},
      {"capture_64", &time_captures<64, Pool>},
      {"capture_128", &time_captures<128, Pool>},
      {"capture_256", &time_captures<256, Pool>},
      {"steal", &time_handovers<awake, job_begins, Pool>},
      {"steal_0us", &time_handovers<just_done, job_begins, Pool>},
      {"steal_10us", &time_handovers<long_awake, job_begins, Pool>},
      {"wake", &time_handovers<asleep, job_begins, Pool>},
      {"waker", &time_handovers<asleep, waker_goes_on, Pool>},
      {"run",
       [](Pool& on) {
         return time_operations(runs_per_batch, [&on] { on.run([](auto) { do_nothing(); }); });
       }},
      {"loop_0", &time_empty_loops<Pool>},
      {"loop_1000", &time_indices<Pool>},
      {"long_leaf", &time_long_leaves<Pool>},
      {"idle", &time_idle_pool<Pool>}};
  return all.at(figure)(pool);
}

/// On pools that it makes. Requires and throws as time_figure.
template <class Pool>
figure_result measure_figure(std::string_view figure, const schedulers::options& options) {
  if (figure == "memory") return measure_memory<Pool>(options, occupy_all_workers<Pool>);
  const clock::time_point start = clock::now();
  Pool pool(options);
  const double start_up_seconds = nanoseconds_between(start, clock::now()) * 1e-9;
  return {.times = time_figure(figure, pool),
          .worker_count = pool.worker_count(),
          .start_up_seconds = start_up_seconds};
}

/// The raw cost that bounds a metric on this machine, which is the row `sequential`: measures
/// figure_description::raw without a scheduler, by the code that times the schedulers. The cache
/// line goes between two pinned threads; others are pinned if the options say so. Throws
/// std::runtime_error if it cannot be measured here.
[[nodiscard]] figure_result measure_raw(std::string_view figure,
                                        const schedulers::options& options);

/// What a machine charges for, each cost by a measurement of its own: calibration.md in
/// schedulers/virtual_machine says how, and why so. Takes some seconds and the first two processors
/// that the process may use. Throws std::runtime_error if there is one processor, or the clock is
/// too coarse.
[[nodiscard]] virtual_machine::costs measure_machine();

}  // namespace stealbench::costs
