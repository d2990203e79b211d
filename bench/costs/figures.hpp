// Each figure on any scheduler: the contract of schedulers/scheduler.hpp is all that they know.
#pragma once

#include <cstddef>
#include <cstdint>

#include <benchmark/benchmark.h>

#include "bench/costs/catalogue.hpp"
#include "bench/costs/handover.hpp"
#include "bench/costs/times.hpp"

namespace stealbench::costs {

/// Operations of a batch: enough that calling it costs nothing beside them.
inline constexpr std::uint64_t forks_per_batch = 1000;
inline constexpr std::uint64_t children_per_group = 1000;
inline constexpr std::uint64_t runs_per_batch = 100;
inline constexpr std::uint64_t loops_per_batch = 1000;
inline constexpr std::size_t indices_per_loop = 1000;

/// Single forks one after the other, and no recursion: of a recursion with nothing in its leaves
/// the compiler makes something else for every scheduler, and one measures that.
template <class Pool>
figure_times time_forks(Pool& pool) {
  return pool.run([](auto worker) {
    return time_batches(forks_per_batch, [worker] {
      for (std::uint64_t i = 0; i < forks_per_batch; ++i) {
        worker->fork_join([](auto) { do_nothing(); }, [](auto) { do_nothing(); });
      }
    });
  });
}

template <class Pool>
figure_times time_spawns(Pool& pool) {
  return pool.run([](auto worker) {
    return time_batches(children_per_group, [worker] {
      auto group = worker->task_group();
      for (std::uint64_t child = 0; child < children_per_group; ++child) {
        group.spawn([](auto) { do_nothing(); });
      }
      group.sync();
    });
  });
}

template <class Pool>
figure_times time_runs(Pool& pool) {
  return time_batches(runs_per_batch, [&pool] {
    for (std::uint64_t i = 0; i < runs_per_batch; ++i) pool.run([](auto) { do_nothing(); });
  });
}

template <class Pool>
figure_times time_empty_loops(Pool& pool) {
  return pool.run([](auto worker) {
    return time_batches(loops_per_batch, [worker] {
      for (std::uint64_t i = 0; i < loops_per_batch; ++i) {
        std::size_t none = 0;
        benchmark::DoNotOptimize(none);  // The compiler does not know that there is nothing to do.
        worker->parallel_for(0, none, 1, [](auto, std::size_t) { do_nothing(); });
      }
    });
  });
}

template <class Pool>
figure_times time_indices(Pool& pool) {
  return pool.run([](auto worker) {
    return time_batches(indices_per_loop, [worker] {
      worker->parallel_for(0, indices_per_loop, 1, [](auto, std::size_t) { do_nothing(); });
    });
  });
}

/// Requires: the pool has the figure's number of workers, or is serial and the figure needs no
/// other worker. Throws std::runtime_error if too little of what was measured can be right.
template <class Pool>
figure_times time_figure(figure which, Pool& pool) {
  switch (which) {
    case figure::fork:
      return time_forks(pool);
    case figure::spawn:
      return time_spawns(pool);
    case figure::steal:
      return time_handovers(pool, other_worker::awake);
    case figure::wake:
      return time_handovers(pool, other_worker::asleep);
    case figure::run:
      return time_runs(pool);
    case figure::loop_0:
      return time_empty_loops(pool);
    case figure::loop_1000:
      return time_indices(pool);
  }
  return {};
}

}  // namespace stealbench::costs
