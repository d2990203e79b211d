// What the counting variants count. A scheduler that has none counts nothing.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <type_traits>
#include <vector>

#include "schedulers/contract/fixture.hpp"
#include "schedulers/operating_system/job_stack.hpp"

namespace stealbench::schedulers::contract {
namespace {

template <class Worker>
std::uint64_t fork_fib(Worker worker, unsigned n) {
  if (n < 2) return n;
  const auto [left, right] = worker->fork_join([=](auto w) { return fork_fib(w, n - 1); },
                                               [=](auto w) { return fork_fib(w, n - 2); });
  return left + right;
}

/// Whose worker this is.
template <class Worker>
unsigned index_of(Worker worker) {
  if constexpr (requires { worker->owner(); }) {
    return worker->owner().index;
  } else {
    return worker->runner->index;
  }
}

/// Counts in `elsewhere` the jobs that do not run where they were spawned. Where fibers migrate
/// the job is the rest of the spawner.
template <class Worker>
void fork_and_spawn(Worker worker, unsigned levels, std::atomic<std::uint64_t>& elsewhere) {
  if (levels == 0) return linger();
  const unsigned forked_on = index_of(worker);
  worker->fork_join([&, levels](auto w) { fork_and_spawn(w, levels - 1, elsewhere); },
                    [&, levels, forked_on](auto w) {
                      if (index_of(w) != forked_on) ++elsewhere;
                      fork_and_spawn(w, levels - 1, elsewhere);
                    });
  auto group = worker->task_group();
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned spawned_on = index_of(worker);
    group.spawn([&, spawned_on](auto w) {
      if (index_of(w) != spawned_on) ++elsewhere;
      linger();
    });
    if (index_of(worker) != spawned_on) ++elsewhere;
  }
  group.sync();
}

/// What the counters say of each other.
template <class S>
void expect_consistent(const counters& seen, unsigned workers) {
  EXPECT_LE(seen.jobs_moved, seen.steals);
  EXPECT_LE(seen.steals, seen.jobs_run);
  EXPECT_EQ(seen.failed_steals(), seen.attempts_empty + seen.attempts_lost);
  if (S::policy::directed) {
    EXPECT_EQ(seen.attempts_taken + seen.failed_steals(), 0U) << "it looks into its own queue";
  } else {
    EXPECT_LE(seen.jobs_moved, seen.attempts_taken);
  }
  if (workers == 1) {
    EXPECT_EQ(seen.jobs_moved + seen.attempts_lost, 0U);
  }
}

/// Forks, loops and spawns, some of which throw.
template <class Worker>
void use_everything(Worker worker) {
  std::atomic<std::uint64_t> sum = fork_fib(worker, 14);
  worker->parallel_for(0, 500, 8, [&](auto, std::size_t i) { sum += i; });
  auto group = worker->task_group();
  for (unsigned i = 0; i < 100; ++i) {
    group.spawn([i](auto w) {
      w->fork_join([](auto) { linger(); },
                   [i](auto) {
                     if (i % 5 == 0) throw failure{i};
                   });
    });
  }
  EXPECT_EQ(thrown_by([&] { group.sync(); }), 0U);
}

TEST_P(SchedulerContract, CountsNothingInATimedRun) {
  scheduler_.run([](auto worker) { fork_fib(worker, 5); });
  EXPECT_FALSE(scheduler_.counters().has_value());
}

TEST_P(SchedulerContract, RunsAsManyJobsAsItSpawns) {
  with_counting_variant<subject>(GetParam(), [](auto& counting) {
    EXPECT_EQ(counting.counters().value().jobs_spawned, 0U);
    std::uint64_t before = 0;
    const int rounds = counting.worker_count() == 1 ? 2 : 20;  // One worker does the same in each.
    for (int round = 0; round < rounds; ++round) {
      counting.run([](auto worker) { use_everything(worker); });
      const counters seen = counting.counters().value();
      EXPECT_EQ(seen.jobs_spawned, seen.jobs_run);
      expect_consistent<std::remove_reference_t<decltype(counting)>>(seen, GetParam());
      if (counting.worker_count() > 1) {
        EXPECT_GT(seen.jobs_spawned, before);
      }
      before = seen.jobs_spawned;
    }
  });
}

TEST_P(SchedulerContract, CountsTheJobsThatRanElsewhere) {
  with_counting_variant<subject>(GetParam(), [](auto& counting) {
    using tested = std::remove_reference_t<decltype(counting)>;
    std::atomic<std::uint64_t> elsewhere = 0;
    const auto moved = [&] { return counting.counters().value().jobs_moved; };
    EXPECT_TRUE(eventually([&] {
      counting.run([&](auto worker) { fork_and_spawn(worker, 3, elsewhere); });
      return GetParam() == 1 || moved() > 0;
    }));
    if (fibers_migrate<tested>()) {
      EXPECT_LE(moved(), elsewhere) << "one that has moved may take its own rest back";
    } else {
      EXPECT_EQ(moved(), elsewhere);
    }
    expect_consistent<tested>(counting.counters().value(), GetParam());
  });
}

TEST_P(SchedulerContract, CountsTheBytesOfItsJobs) {
  if (GetParam() > 1) GTEST_SKIP() << "others may have some of them";
  with_counting_variant<subject>(GetParam(), [](auto& counting) {
    using slot =
        std::remove_pointer_t<typename std::remove_reference_t<decltype(counting)>::worker>;
    const auto bytes = [&](unsigned children) {
      counting.run([&](auto worker) {
        auto group = worker->task_group();
        for (unsigned i = 0; i < children; ++i) group.spawn([](auto) {});
        group.sync();
      });
      return counting.counters().value().queue_bytes;
    };
    std::uint64_t of_queue = 0;  // A ring, or blocks, that it has before its first job.
    counting.run([&of_queue](auto worker) {
      if constexpr (requires { worker->owner().queue.bytes(); }) {
        of_queue = worker->owner().queue.bytes();
      } else if constexpr (requires { worker->runner->queue.bytes(); }) {
        of_queue = worker->runner->queue.bytes();
      }
    });
    EXPECT_GE(counting.counters().value().queue_bytes, of_queue);
    const bool has_slots = !fibers_migrate<subject>() && !slot::team_type::is_fixed;
    const std::uint64_t few = bytes(10);
    EXPECT_EQ(bytes(110) - few, has_slots ? 100 * sizeof(slot) : 0);
    EXPECT_EQ(bytes(1), few + (has_slots ? 100 * sizeof(slot) : 0)) << "the most";
  });
}

/// Fills the job stack of worker 0 by the children of one group, and forks on top of it.
template <class S>
void overflow_job_stack(S& counting) {
  using slot = std::remove_pointer_t<typename S::worker>;
  if (slot::team_type::is_fixed && counting.worker_count() == 1) {
    GTEST_SKIP() << "a team of one offers no job";
  }
  constexpr std::size_t slots = operating_system::job_stack::bytes / sizeof(slot);
  constexpr std::size_t too_many = 1000;
  constexpr std::uint64_t forks = 88;  // Of fork_fib(10): fib(11) - 1.
  std::vector<std::atomic<std::uint8_t>> runs(slots + too_many);
  counting.run([&](auto worker) {
    auto group = worker->task_group();
    for (auto& each : runs) group.spawn([&each](auto) { ++each; });
    EXPECT_EQ(fork_fib(worker, 10), 55U) << "on a full stack";
    group.sync();
    EXPECT_EQ(fork_fib(worker, 10), 55U) << "on a stack that was full";
  });
  for (std::size_t i = 0; i < runs.size(); ++i) ASSERT_EQ(runs[i], 1) << i;
  const counters filled = counting.counters().value();
  EXPECT_EQ(filled.jobs_spawned, filled.jobs_run);
  EXPECT_GE(filled.jobs_inlined, too_many);
  if (!slot::team_type::is_fixed) {
    EXPECT_EQ(filled.jobs_spawned + filled.jobs_inlined, runs.size() + 2 * forks);
  }

  counting.run([&](auto worker) { EXPECT_EQ(fork_fib(worker, 10), 55U) << "in the next run"; });
  const counters later = counting.counters().value();
  EXPECT_GT(later.jobs_spawned, filled.jobs_spawned);
  EXPECT_EQ(later.jobs_inlined, filled.jobs_inlined);

  if (counting.worker_count() > 1) return;  // Another one may make room.
  const auto inlined_with = [&](unsigned n) {
    const std::uint64_t before = counting.counters().value().jobs_inlined;
    counting.run([&](auto worker) {
      auto group = worker->task_group();
      for (std::size_t i = 0; i < slots; ++i) group.spawn([](auto) {});
      fork_fib(worker, n);
      group.sync();
    });
    return counting.counters().value().jobs_inlined - before;
  };
  EXPECT_EQ(inlined_with(10), inlined_with(1) + forks);
}

TEST_P(SchedulerContract, RunsAtOnceWhatItsJobStackCannotHold) {
  if (GetParam() > 2) GTEST_SKIP() << "one worker fills its stack, and one may help";
  if (fibers_migrate<subject>()) GTEST_SKIP() << "children do not wait in a job stack";
  with_counting_variant<subject>(GetParam(), [](auto& counting) { overflow_job_stack(counting); });
}

TEST_P(SchedulerContract, ParksItsIdleWorkersAndWakesThemForWork) {
  with_counting_variant<subject>(GetParam(), [](auto& counting) {
    if (counting.worker_count() == 1) GTEST_SKIP() << "worker 0 has a root to run";
    const auto enough = [&](std::uint64_t counters::*counted) {
      // Longer each time: before a worker parks it yields, which may take long on a busy machine.
      std::chrono::milliseconds quiet{5};
      return eventually([&] {
        quiet = std::min(2 * quiet, std::chrono::milliseconds{1000});
        counting.run([quiet](auto worker) {
          std::this_thread::sleep_for(quiet);  // Nothing to do for the rest.
          worker->parallel_for(0, 64, 1, [](auto, std::size_t) { linger(); });
        });
        return counting.counters().value().*counted >= counting.worker_count() - 1;
      });
    };
    EXPECT_TRUE(enough(&counters::parks));
    EXPECT_TRUE(enough(&counters::wakes));
  });
}

}  // namespace
}  // namespace stealbench::schedulers::contract
