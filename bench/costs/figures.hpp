// Each figure on any scheduler: they know the contract of schedulers/scheduler.hpp alone.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "bench/costs/catalogue.hpp"
#include "bench/costs/handover.hpp"
#include "bench/costs/resources.hpp"
#include "bench/costs/times.hpp"
#include "schedulers/options.hpp"
#include "schedulers/virtual_machine/costs.hpp"

namespace stealbench::costs {

/// Operations of a batch: enough that calling it costs nothing beside them.
inline constexpr std::uint64_t operations_per_batch = 1000;
inline constexpr std::uint64_t runs_per_batch = 100;

inline constexpr std::uint64_t captures_per_group = 8;

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

template <class Pool>
figure_times time_spawns(Pool& pool, std::uint64_t group_size) {
  return pool.run([group_size](auto worker) {
    return time_batches(operations_per_batch, [worker, group_size] {
      for (std::uint64_t spawned = 0; spawned < operations_per_batch; spawned += group_size) {
        auto group = worker->task_group();
        for (std::uint64_t child = 0; child < group_size; ++child) {
          group.spawn([](auto) { do_nothing(); });
        }
        group.sync();
      }
    });
  });
}

/// Children of groups of `captures_per_group`, each with `Bytes` bytes of its own.
template <std::size_t Bytes, class Pool>
figure_times time_captures(Pool& pool) {
  return pool.run([](auto worker) {
    return time_batches(operations_per_batch, [worker] {
      captured<Bytes> content{};
      for (std::uint64_t spawned = 0; spawned < operations_per_batch;
           spawned += captures_per_group) {
        auto group = worker->task_group();
        for (std::uint64_t child = 0; child < captures_per_group; ++child) {
          use(content);
          group.spawn([content](auto) { use(content); });
        }
        group.sync();
      }
    });
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

/// How a figure is timed by `Time`, one row each.
template <class Time>
struct timed_figure {
  figure which;
  Time time;
};

/// Of any figure but `memory`. Requires: the pool has the figure's number of workers, or is serial
/// and the figure needs no other worker. Throws std::runtime_error if too little of what was
/// measured can be right.
template <class Pool>
figure_times time_figure(figure which, Pool& pool) {
  using enum other_worker;
  using enum handover_end;
  static constexpr timed_figure<figure_times (*)(Pool&)> all[]{
      {figure::fork, &time_forks<Pool>},
      {figure::spawn, [](Pool& on) { return time_spawns(on, operations_per_batch); }},
      {figure::spawn_8, [](Pool& on) { return time_spawns(on, 8); }},
      {figure::spawn_1, [](Pool& on) { return time_spawns(on, 1); }},
      {figure::capture_8, &time_captures<8, Pool>},
      {figure::capture_32, &time_captures<32, Pool>},
      {figure::capture_64, &time_captures<64, Pool>},
      {figure::capture_128, &time_captures<128, Pool>},
      {figure::capture_256, &time_captures<256, Pool>},
      {figure::steal, [](Pool& on) { return time_handovers(on, awake, job_begins); }},
      {figure::steal_0us, [](Pool& on) { return time_handovers(on, just_done, job_begins); }},
      {figure::steal_10us, [](Pool& on) { return time_handovers(on, long_awake, job_begins); }},
      {figure::wake, [](Pool& on) { return time_handovers(on, asleep, job_begins); }},
      {figure::waker, [](Pool& on) { return time_handovers(on, asleep, waker_goes_on); }},
      {figure::run,
       [](Pool& on) {
         return time_operations(runs_per_batch, [&on] { on.run([](auto) { do_nothing(); }); });
       }},
      {figure::loop_0, &time_empty_loops<Pool>},
      {figure::loop_1000, &time_indices<Pool>},
      {figure::long_leaf, &time_long_leaves<Pool>},
      {figure::idle, &time_idle_pool<Pool>}};
  for (const auto& each : all) {
    if (each.which == which) return each.time(pool);
  }
  throw std::logic_error("memory is measured around the making of a pool");
}

/// On pools that it makes. Requires and throws as time_figure.
template <class Pool>
figure_result measure_figure(figure which, const schedulers::options& options) {
  if (which == figure::memory) return measure_memory<Pool>(options, occupy_all_workers<Pool>);
  const clock::time_point start = clock::now();
  Pool pool(options);
  const double start_up_seconds = nanoseconds_between(start, clock::now()) * 1e-9;
  return {.times = time_figure(which, pool),
          .worker_count = pool.worker_count(),
          .start_up_seconds = start_up_seconds};
}

/// The raw cost that bounds a figure on this machine, which is the row `sequential`: measures
/// figure_description::raw of the figure, without a scheduler and by the code that times
/// the schedulers. The cache line goes between two pinned threads; others are pinned if the options
/// say so. Throws std::runtime_error if it cannot be measured here.
[[nodiscard]] figure_result measure_raw(figure which, const schedulers::options& options);

/// What a machine charges for, each cost by a measurement of its own: calibration.md in
/// schedulers/virtual_machine says how, and why so. Takes some seconds and the first two processors
/// that the process may use. Throws std::runtime_error if there is one processor, or the clock is
/// too coarse.
[[nodiscard]] virtual_machine::costs measure_machine();

}  // namespace stealbench::costs
