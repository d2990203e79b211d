// What the counting variants count for each worker, and how many jobs are live at a time.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <type_traits>

#include "schedulers/contract/fixture.hpp"

namespace stealbench::schedulers::contract {
namespace {

using std::chrono::nanoseconds;
using std::chrono::steady_clock;

template <class S>
constexpr bool divides_teams(const S& /*scheduler*/) {
  return std::remove_pointer_t<typename S::worker>::team_type::is_fixed;
}

/// Forks `depth` times inside one another's first branch. The second branches wait until the
/// innermost first one has run, so that whoever takes one keeps it.
template <class Worker>
void fork_left_chain(Worker worker, unsigned depth, std::atomic<bool>& bottom) {
  if (depth == 0) {
    bottom = true;
    return;
  }
  worker->fork_join([&, depth](auto w) { fork_left_chain(w, depth - 1, bottom); },
                    [&](auto) {
                      while (!bottom) std::this_thread::yield();
                    });
}

/// Forks `depth` times inside one another's second branch.
template <class Worker>
void fork_right_chain(Worker worker, unsigned depth) {
  if (depth == 0) return;
  worker->fork_join([](auto) {}, [depth](auto w) { fork_right_chain(w, depth - 1); });
}

constexpr unsigned links = 100;  // Of the chains.
constexpr nanoseconds leaf_time = std::chrono::milliseconds{5};

// Unused where the first scheduler, with which it is linted, counts nothing.
[[maybe_unused]] void run_leaf() {
  const auto end = steady_clock::now() + leaf_time;
  while (steady_clock::now() < end) {
  }
}

/// The busy time of all workers, or of the first one.
template <class Counting>
std::int64_t busy_ns(const Counting& counting, bool all) {
  const counters seen = counting.counters().value();
  std::uint64_t busy = 0;
  for (const worker_counters& each : seen.per_worker) {
    if (all || &each == &seen.per_worker.front()) busy += each.busy_ns;
  }
  return static_cast<std::int64_t>(busy);
}

TEST_P(SchedulerContract, EveryJobRanOnOneOfTheWorkers) {
  with_counting_variant<subject>(GetParam(), [](auto& counting) {
    constexpr unsigned levels = 12;
    constexpr std::uint64_t forks = (std::uint64_t{1} << levels) - 1;
    counting.run([](auto worker) { fork_leaves(worker, levels); });
    const counters seen = counting.counters().value();
    ASSERT_EQ(seen.per_worker.size(), counting.worker_count());
    std::uint64_t ran = 0;
    for (const worker_counters& each : seen.per_worker) ran += each.jobs_run;
    EXPECT_EQ(ran, seen.jobs_run);
    // A team of one offers nothing, and each division makes one team more.
    const std::uint64_t expected = divides_teams(counting) ? counting.worker_count() - 1 : forks;
    EXPECT_EQ(ran + seen.jobs_inlined, expected);
  });
}

/// The most jobs that were live at a time after `runs` runs of a program.
template <class Counting, class Program>
std::uint64_t most_live(Counting& counting, int runs, const Program& program) {
  for (int run = 0; run < runs; ++run) counting.run(program);
  return counting.counters().value().most_live_jobs;
}

TEST_P(SchedulerContract, AForkHasALiveJobUntilItHasFinishedOrThrown) {
  with_counting_variant<subject>(GetParam(), [](auto& counting) {
    EXPECT_EQ(counting.counters().value().most_live_jobs, 0U);
    const bool offers = !divides_teams(counting) || counting.worker_count() > 1;
    EXPECT_EQ(most_live(counting, 100, [](auto worker) { fork_leaves(worker, 1); }),
              offers ? 1U : 0U);
    const auto fork_two_that_throw = [](auto worker) {
      EXPECT_EQ(thrown_by([&] {
                  worker->fork_join([](auto) { throw failure{1}; }, [](auto) { throw failure{2}; });
                }),
                1U);
    };
    EXPECT_EQ(most_live(counting, 100, fork_two_that_throw), offers ? 1U : 0U);
  });
}

TEST_P(SchedulerContract, NestedForksHaveALiveJobEach) {
  with_counting_variant<subject>(GetParam(), [](auto& counting) {
    // How often a team can be divided when its leader keeps the larger half each time.
    unsigned divisions = 0;
    for (unsigned left = counting.worker_count(); left > 1; left -= left / 2) ++divisions;
    const unsigned expected = divides_teams(counting) ? divisions : links;
    std::atomic<bool> bottom = false;
    const auto chain = [&](auto worker) { fork_left_chain(worker, links, bottom); };
    EXPECT_EQ(most_live(counting, 1, chain), expected);
  });
  with_counting_variant<subject>(GetParam(), [](auto& counting) {
    const auto most = most_live(counting, 1, [](auto w) { fork_right_chain(w, links); });
    if (!divides_teams(counting)) {
      EXPECT_EQ(most, links);
    } else {
      EXPECT_LT(most, counting.worker_count());
    }
  });
}

TEST_P(SchedulerContract, OneWorkerHasAsManyLiveJobsAsTheProgramIsDeep) {
  if (GetParam() > 1) GTEST_SKIP() << "others may begin a subtree before the owner is done";
  with_counting_variant<subject>(GetParam(), [](auto& counting) {
    counting.run([](auto worker) { fork_leaves(worker, 12); });
    EXPECT_EQ(most_live(counting, 1, [](auto worker) { fork_leaves(worker, 7); }),
              divides_teams(counting) ? 0U : 12U);
  });
}

TEST_P(SchedulerContract, TheChildrenOfAGroupAreLiveUntilItsSync) {
  with_counting_variant<subject>(GetParam(), [](auto& counting) {
    using tested = std::remove_reference_t<decltype(counting)>;
    constexpr unsigned children = 100;
    for (int round = 0; round < 3; ++round) {
      counting.run([&](auto worker) {
        // Whoever takes one early keeps it until all are there. A team deals them out at the sync.
        std::atomic<bool> all_are_spawned = divides_teams(counting) || fibers_migrate<tested>();
        auto group = worker->task_group();
        for (unsigned i = 0; i < children; ++i) {
          group.spawn([&](auto) {
            while (!all_are_spawned) std::this_thread::yield();
          });
        }
        all_are_spawned = true;
        group.sync();
      });
    }
    const std::uint64_t most = counting.counters().value().most_live_jobs;
    if (fibers_migrate<tested>()) {
      EXPECT_LE(most, counting.worker_count()) << "a child each";
    } else if (divides_teams(counting)) {
      EXPECT_LT(most, children);
    } else {
      EXPECT_EQ(most, children);
    }
  });
}

TEST_P(SchedulerContract, WorkersAreBusyNoLongerThanTheRunsTake) {
  with_counting_variant<subject>(GetParam(), [](auto& counting) {
    const auto begin = steady_clock::now();
    for (int round = 0; round < 20; ++round) {
      counting.run([](auto worker) {
        fork_leaves(worker, 10);
        worker->parallel_for(0, 16, 1, [](auto, std::size_t) { linger(); });
      });
    }
    const nanoseconds wall = steady_clock::now() - begin;
    const counters seen = counting.counters().value();
    std::uint64_t busy = 0;
    for (const worker_counters& each : seen.per_worker) {
      EXPECT_LE(each.busy_ns, static_cast<std::uint64_t>(wall.count()));
      EXPECT_EQ(each.busy_ns == 0, &each != &seen.per_worker.front() && each.jobs_run == 0);
      busy += each.busy_ns;
    }
    EXPECT_LE(busy, counting.worker_count() * static_cast<std::uint64_t>(wall.count()));
  });
}

TEST_P(SchedulerContract, AWorkerIsBusyWhileItRunsALeaf) {
  with_counting_variant<subject>(GetParam(), [](auto& counting) {
    counting.run(
        [](auto worker) { worker->fork_join([](auto) { run_leaf(); }, [](auto) { run_leaf(); }); });
    EXPECT_GE(busy_ns(counting, /*all=*/true), (2 * leaf_time).count()) << "whoever ran the second";
  });
}

TEST_P(SchedulerContract, AWorkerIsBusyAgainWhenItHasWaited) {
  with_counting_variant<subject>(GetParam(), [](auto& counting) {
    counting.run([](auto worker) {
      for (int i = 0; i < 20; ++i) worker->fork_join([](auto) {}, [](auto) { linger(); });
      run_leaf();
    });
    // What is behind a join runs where the root began, unless it may migrate.
    const bool may_migrate = fibers_migrate<std::remove_reference_t<decltype(counting)>>();
    EXPECT_GE(busy_ns(counting, may_migrate), leaf_time.count());
  });
}

TEST_P(SchedulerContract, AWorkerIsNotBusyWhileItWaits) {
  if (GetParam() == 1) GTEST_SKIP() << "no worker to wait for";
  with_counting_variant<subject>(GetParam(), [](auto& counting) {
    const std::thread::id caller = std::this_thread::get_id();
    // Until another worker takes the second branch, which only then lasts.
    EXPECT_TRUE(eventually([&] {
      const std::int64_t before = busy_ns(counting, /*all=*/false);
      std::atomic<bool> is_elsewhere = false;
      const auto begin = steady_clock::now();
      counting.run([&](auto worker) {
        worker->fork_join(
            [&](auto) {
              const auto enough = begin + std::chrono::milliseconds{10};
              while (!is_elsewhere && steady_clock::now() < enough) std::this_thread::yield();
            },
            [&](auto) {
              if (std::this_thread::get_id() == caller) return;
              is_elsewhere = true;
              std::this_thread::sleep_for(std::chrono::milliseconds{40});
            });
      });
      const nanoseconds wall = steady_clock::now() - begin;
      return is_elsewhere && 2 * (busy_ns(counting, /*all=*/false) - before) < wall.count();
    }));
  });
}

}  // namespace
}  // namespace stealbench::schedulers::contract
