// The laws of schedulers/scheduler.hpp for fork_join and run, each on 1, 2, 3 and 8 workers: more
// workers than processors on purpose. contract/ has loops, task groups, results, random programs,
// exceptions thrown everywhere, and counters.
#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include <sched.h>

#include "schedulers/contract/fixture.hpp"
#include "schedulers/operating_system/processors.hpp"

namespace stealbench::schedulers::contract {
namespace {

INSTANTIATE_TEST_SUITE_P(Workers, SchedulerContract, testing::Values(1U, 2U, 3U, 8U),
                         testing::PrintToStringParamName());

/// Forks a complete binary tree and calls `leaf(worker, i)` for each i in [first, first + count).
template <class Worker, class Leaf>
void fork_tree(Worker worker, std::size_t first, std::size_t count, const Leaf& leaf) {
  if (count == 1) return leaf(worker, first);
  const std::size_t half = count / 2;
  worker->fork_join([&](auto w) { fork_tree(w, first, half, leaf); },
                    [&](auto w) { fork_tree(w, first + half, count - half, leaf); });
}

TEST_P(SchedulerContract, HasTheWorkersAskedFor) {
  EXPECT_EQ(scheduler_.worker_count(), subject::name == "serial" ? 1U : GetParam());
}

// Law 1: every closure runs exactly once.

TEST_P(SchedulerContract, RunsEveryLeafOfAForkTreeOnce) {
  std::vector<std::atomic<int>> runs(3000);
  scheduler_.run([&](auto worker) {
    fork_tree(worker, 0, runs.size(), [&](auto, std::size_t leaf) { ++runs[leaf]; });
  });
  for (std::size_t leaf = 0; leaf < runs.size(); ++leaf) ASSERT_EQ(runs[leaf], 1) << leaf;
}

TEST_P(SchedulerContract, RunsEveryLeafOnceWhicheverThrowAndRethrowsTheSeriallyFirst) {
  constexpr std::size_t leaf_count = 33;
  for (const bool others_throw_too : {false, true}) {
    for (std::size_t first = 0; first < leaf_count; ++first) {
      std::array<std::atomic<int>, leaf_count> runs{};
      const auto thrown = thrown_by([&] {
        scheduler_.run([&](auto worker) {
          fork_tree(worker, 0, leaf_count, [&](auto, std::size_t leaf) {
            ++runs[leaf];
            if (others_throw_too && leaf == first) linger();  // The others come earlier.
            if (leaf == first || (others_throw_too && leaf > first)) {
              throw failure{static_cast<unsigned>(leaf)};
            }
          });
        });
      });
      EXPECT_EQ(thrown, first);
      for (std::size_t leaf = 0; leaf < leaf_count; ++leaf) EXPECT_EQ(runs[leaf], 1) << leaf;
    }
  }
}

// Law 2: nothing after a join starts before both branches have finished. Where one throws:
// exception_test.cpp.

/// Sums by forks. The results are plain memory: if a join does not wait, they are missing, and
/// ThreadSanitizer sees the race.
template <class Worker>
unsigned slow_sum(Worker worker, unsigned first, unsigned count) {
  if (count == 1) {
    if (first % 7 == 0) linger();
    return first;
  }
  unsigned left = 0;
  unsigned right = 0;
  worker->fork_join([&](auto w) { left = slow_sum(w, first, count / 2); },
                    [&](auto w) { right = slow_sum(w, first + count / 2, count - count / 2); });
  return left + right;
}

TEST_P(SchedulerContract, JoinsOnlyWhenBothBranchesHaveFinished) {
  EXPECT_EQ(scheduler_.run([](auto worker) { return slow_sum(worker, 1, 200); }), 20'100U);
}

// Law 3: the exception that comes first in the serial order is the one that is rethrown (above).

TEST_P(SchedulerContract, LetsABranchCatchWhatItsOwnJoinRethrows) {
  const auto caught = scheduler_.run([](auto worker) {
    const auto inner = [](auto w) {
      return thrown_by([&] { w->fork_join([](auto) {}, [](auto) { throw failure{7}; }); });
    };
    return worker->fork_join(inner, inner);
  });
  EXPECT_EQ(caught.first, 7U);
  EXPECT_EQ(caught.second, 7U);
}

// Law 4: forks nest to any depth that the stacks allow.

/// Nests on the left, on the right, or on each in turn.
enum class side { left, right, either };
template <class Worker>
unsigned nest(Worker worker, side where, unsigned depth) {
  if (depth == 0) return 0;
  const auto deeper = [=](auto w) { return nest(w, where, depth - 1); };
  const auto leaf = [](auto) { return 1U; };
  if (where == side::left || (where == side::either && depth % 2 == 0)) {
    auto [below, own] = worker->fork_join(deeper, leaf);
    return below + own;
  }
  auto [own, below] = worker->fork_join(leaf, deeper);
  return own + below;
}

TEST_P(SchedulerContract, NestsForksDeepOnEitherSide) {
  if (!may_be_called_from_any_thread<subject>())
    GTEST_SKIP() << "the backend bears one thread only";
  operating_system::run_on_stack(deep_stack_bytes, [] {
    subject scheduler(options{.workers = GetParam(), .stack_bytes = deep_stack_bytes});
    for (const side where : {side::left, side::right, side::either}) {
      EXPECT_EQ(scheduler.run([where](auto w) { return nest(w, where, deep); }), deep);
    }
  });
}

/// Uses some 64 KiB of stack per level.
[[gnu::noinline]] unsigned use_stack(unsigned levels) {  // NOLINT(misc-no-recursion)
  std::array<volatile unsigned char, std::size_t{64} << 10> block;
  for (std::size_t i = 0; i < block.size(); i += 1024) block[i] = 1;
  const unsigned below = levels == 0 ? 0 : use_stack(levels - 1);
  return below + block[std::size_t{levels % 64} * 1024];
}

TEST_P(SchedulerContract, GivesEachThreadItStartsTheStackAskedFor) {
  if (scheduler_.worker_count() == 1) GTEST_SKIP() << "starts no thread";
  constexpr unsigned levels = 1024;  // 64 MiB, a quarter of the default
  const auto caller = std::this_thread::get_id();
  std::atomic<int> deep_runs = 0;
  EXPECT_TRUE(eventually([&] {
    scheduler_.run([&](auto worker) {
      fork_tree(worker, 0, 32, [&](auto, std::size_t) {
        linger();
        if (std::this_thread::get_id() == caller || deep_runs > 0) return;
        if (use_stack(levels) == levels + 1) ++deep_runs;
      });
    });
    return deep_runs > 0;
  }));
}

// Law 5: run may be called again after it has returned or thrown.

TEST_P(SchedulerContract, RunsAgainAfterAReturnAndAfterAThrow) {
  for (unsigned round = 0; round < 50; ++round) {
    EXPECT_EQ(scheduler_.run([=](auto w) { return nest(w, side::right, round); }), round);
    EXPECT_EQ(thrown_by([&] {
                scheduler_.run([=](auto w) {
                  w->fork_join([](auto) {}, [=](auto) { throw failure{round}; });
                });
              }),
              round);
    EXPECT_EQ(thrown_by([&] { scheduler_.run([=](auto) { throw failure{round}; }); }), round);
  }
}

TEST_P(SchedulerContract, RunsForOneThreadAfterAnother) {
  if (!runs_for_any_thread<subject>()) GTEST_SKIP() << "the backend bears one thread only";
  for (unsigned round = 0; round < 10; ++round) {
    std::thread caller(
        [&] { EXPECT_EQ(scheduler_.run([](auto w) { return slow_sum(w, 0, 16); }), 120U); });
    caller.join();
  }
}

TEST_P(SchedulerContract, MayBeMadeAndDestroyedManyTimesUsedOrNot) {
  for (unsigned round = 0; round < 40; ++round) {
    subject unused(options{.workers = GetParam()});
    subject used(options{.workers = GetParam()});
    EXPECT_EQ(used.run([](auto w) { return nest(w, side::right, 40); }), 40U);
  }
}

// Law 6: no more than worker_count() closures run at once; and all workers take part.

/// How many closures run at once at most, of those that call `linger`.
/// Its counts publish nothing: they are read behind the run, which orders them.
class most_at_once {
 public:
  void linger() {
    const unsigned now = ++running_;
    for (unsigned seen = most_; seen < now && !most_.compare_exchange_weak(seen, now);) {
    }
    contract::linger();
    --running_;
  }
  [[nodiscard]] unsigned count() const { return most_; }

 private:
  std::atomic<unsigned> running_{0};
  std::atomic<unsigned> most_{0};
};

TEST_P(SchedulerContract, RunsNoMoreClosuresAtOnceThanItHasWorkers) {
  most_at_once most;
  scheduler_.run([&](auto worker) {
    fork_tree(worker, 0, 128, [&](auto, std::size_t) { most.linger(); });
    worker->parallel_for(0, 128, 1, [&](auto, std::size_t) { most.linger(); });
    auto group = worker->task_group();
    for (unsigned i = 0; i < 128; ++i) group.spawn([&](auto) { most.linger(); });
    group.sync();
  });
  EXPECT_LE(most.count(), scheduler_.worker_count());
}

/// Whether all workers of `scheduler` come to run leaves of fork trees, after `pause`.
template <class Pause>
bool all_workers_take_part(subject& scheduler, const Pause& pause) {
  std::mutex mutex;
  std::set<std::thread::id> seen;
  return eventually([&] {
    scheduler.run([&](auto worker) {
      pause();
      fork_tree(worker, 0, std::size_t{8} * scheduler.worker_count(), [&](auto, std::size_t) {
        linger();
        const std::lock_guard lock(mutex);
        seen.insert(std::this_thread::get_id());
      });
    });
    return seen.size() >= scheduler.worker_count();
  });
}

TEST_P(SchedulerContract, PutsAllWorkersToWork) {
  EXPECT_TRUE(all_workers_take_part(scheduler_, [] {}));
}

TEST_P(SchedulerContract, WakesWorkersThatHaveLongBeenIdle) {
  if (scheduler_.worker_count() == 1) GTEST_SKIP() << "has no other worker";
  const auto pause = [] { std::this_thread::sleep_for(std::chrono::milliseconds{50}); };
  for (int round = 0; round < 3; ++round) {
    pause();
    EXPECT_TRUE(all_workers_take_part(scheduler_, pause));
  }
}

TEST_P(SchedulerContract, RunsTheRootOnTheCallersThread) {
  if (!calls_root_itself<subject>()) GTEST_SKIP() << "the caller is no worker";
  const auto root = scheduler_.run([](auto) { return std::this_thread::get_id(); });
  EXPECT_EQ(root, std::this_thread::get_id());
}

using operating_system::processor_set;

processor_set affinity() {
  processor_set now{};
  EXPECT_GT(sched_getaffinity(0, sizeof now, now.data()), -1);
  return now;
}

bool is_same(const processor_set& a, const processor_set& b) {
  return CPU_EQUAL_S(sizeof a, a.data(), b.data()) != 0;
}

bool is_on_processor(unsigned index) {
  return is_same(affinity(), operating_system::only(operating_system::processor_of(index)));
}

TEST(PinnedWorkers, HaveAProcessorEachAndTheCallerGetsItsOwnBack) {
  if (!pins_workers<subject>()) GTEST_SKIP() << "no promise";
  const processor_set before = affinity();
  const auto caller = std::this_thread::get_id();
  {
    subject scheduler(options{.workers = 2, .pin = true});
    std::array<std::atomic<bool>, 2> has_come{};
    EXPECT_TRUE(eventually([&] {
      scheduler.run([&](auto worker) {
        fork_tree(worker, 0, 4, [&](auto, std::size_t) {
          linger();
          const bool is_first = calls_root_itself<subject>() ? std::this_thread::get_id() == caller
                                                             : is_on_processor(0);
          EXPECT_TRUE(is_on_processor(is_first ? 0 : 1)) << is_first;
          has_come[is_first ? 0 : 1] = true;
        });
      });
      return has_come[0] && (has_come[1] || scheduler.worker_count() == 1);
    }));
    EXPECT_TRUE(is_same(affinity(), before)) << "of the caller";
  }
  subject unpinned(options{.workers = 2});
  unpinned.run([&](auto worker) {
    fork_tree(worker, 0, 4, [&](auto, std::size_t) {
      linger();
      EXPECT_TRUE(is_same(affinity(), before));
    });
  });
}

// Law 7: with one worker the order is the serial order, where the strategy promises it.

TEST_P(SchedulerContract, RunsBranchesInSerialOrderOnOneWorkerIfItPromisesTo) {
  if (!subject::serial_order_on_one_worker) GTEST_SKIP() << "no promise";
  if (scheduler_.worker_count() != 1) GTEST_SKIP() << "several workers";
  std::vector<std::size_t> order;
  scheduler_.run([&](auto worker) {
    fork_tree(worker, 0, 500, [&](auto, std::size_t leaf) { order.push_back(leaf); });
  });
  ASSERT_EQ(order.size(), 500U);
  for (std::size_t i = 0; i < order.size(); ++i) ASSERT_EQ(order[i], i);
}

}  // namespace
}  // namespace stealbench::schedulers::contract
