// What the schedulers whose fibers migrate promise beyond the contract: space, order, and that
// what belongs to a thread of a program goes with its fiber.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/busy_leaves/scheduler.hpp"
#include "schedulers/continuation_stealing/scheduler.hpp"
#include "schedulers/contract/rendezvous.hpp"
#include "schedulers/contract/test_limit.hpp"
#include "schedulers/depth_first/scheduler.hpp"
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/engine/steal_attempts.hpp"
#include "schedulers/fibers/every_scheduler_fixture.hpp"
#include "schedulers/operating_system/thread.hpp"
#include "schedulers/work_stealing/scheduler.hpp"

namespace stealbench::fibers {
namespace {

using schedulers::options;

template <class Scheduler>
class Fibers : public testing::Test {};  // NOLINT: GoogleTest shows it as the name of the suite.
TYPED_TEST_SUITE(Fibers, every_scheduler, scheduler_names);

/// Calls `attempt`, which returns whether something has migrated, until it has.
template <class Attempt>
void until_migrated(const Attempt& attempt) {
  for (int tries = 0; tries < 1000; ++tries) {
    if (attempt()) return;
  }
  FAIL() << "nothing has migrated";
}

TYPED_TEST(Fibers, ReturnAndThrowFromTheirRunOnTheCallersThread) {
  TypeParam scheduler(options{.workers = 3});
  const auto caller = operating_system::this_thread();
  for (const bool throws : {false, true}) {
    until_migrated([&] {
      bool migrated = false;
      const auto run = [&] {
        scheduler.run([&](auto worker) {
          migrated = migrate(worker);
          if (throws) throw std::runtime_error("root");
        });
      };
      expect_to_throw(throws, run);
      EXPECT_EQ(operating_system::this_thread(), caller);
      return migrated;
    });
  }
}

TYPED_TEST(Fibers, ForkSpawnAndLoopThroughAHandleThatHasMigrated) {
  TypeParam scheduler(options{.workers = 3});
  until_migrated([&] {
    return scheduler.run([](auto worker) {
      const bool migrated = migrate(worker);
      const auto [one, two] =
          worker->fork_join([](auto w) { return migrate(w) ? 1 : 3; }, [](auto) { return 2; });
      EXPECT_EQ(one % 2 + two, 3);
      std::atomic<int> runs = 0;
      auto group = worker->task_group();
      for (int i = 0; i < 10; ++i) {
        group.spawn([&](auto w) {
          migrate(w);
          ++runs;
        });
      }
      worker->parallel_for(0, 10, 1, [&](auto, std::size_t) { ++runs; });
      group.sync();
      EXPECT_EQ(runs, 20);
      return migrated;
    });
  });
}

// What the C++ runtime keeps of exceptions for each thread.

/// A fork while an exception is handled, whose first branch throws while it handles another one.
/// Returns whether that has migrated, and the second branch had a fiber of its own.
template <class Scheduler>
bool handles_across_a_join(Scheduler& scheduler) {
  return scheduler.run([](auto worker) {
    bool migrated = false;
    bool was_stolen = false;
    try {
      try {
        throw std::runtime_error("outer");
      } catch (const std::exception&) {
        worker->fork_join(
            [&](auto w) {
              try {
                throw std::runtime_error("inner");
              } catch (const std::exception&) {
                migrated = migrate(w);
                EXPECT_NE(std::current_exception(), nullptr);
                throw;
              }
            },
            [&](auto w) {
              // A branch that no other has taken runs on the forker's fiber, and where the first
              // one has thrown, while that is handled.
              if (w == worker) return;
              was_stolen = true;
              EXPECT_EQ(std::current_exception(), nullptr);
            });
      }
    } catch (const std::exception& caught) {
      EXPECT_STREQ(caught.what(), "inner");
    }
    EXPECT_EQ(std::current_exception(), nullptr);
    return migrated && was_stolen;
  });
}

// A scheduler may be run by one thread after another.
TYPED_TEST(Fibers, KeepTheExceptionThatTheyHandleAcrossAJoinWhicheverThreadCalls) {
  TypeParam scheduler(options{.workers = 3});
  const auto handle = [&] { until_migrated([&] { return handles_across_a_join(scheduler); }); };
  handle();
  std::thread(handle).join();
}

TYPED_TEST(Fibers, CountTheExceptionsThatAreUnderWayThroughThem) {
  TypeParam scheduler(options{.workers = 2});
  until_migrated([&] {
    return scheduler.run([](auto worker) {
      bool migrated = false;
      try {
        const std::shared_ptr<void> last(nullptr, [&](void*) {
          EXPECT_EQ(std::uncaught_exceptions(), 1);
          migrated = migrate(worker);
          EXPECT_EQ(std::uncaught_exceptions(), 1);
        });
        throw 1;
      } catch (int) {
      }
      EXPECT_EQ(std::uncaught_exceptions(), 0);
      return migrated;
    });
  });
}

TYPED_TEST(Fibers, LeaveTheCallersExceptionsAlone) {
  TypeParam scheduler(options{.workers = 2});
  try {
    throw std::runtime_error("of the caller");
  } catch (const std::exception& caught) {
    until_migrated([&] { return scheduler.run([](auto worker) { return migrate(worker); }); });
    EXPECT_STREQ(caught.what(), "of the caller");
    EXPECT_NE(std::current_exception(), nullptr);
  }
  EXPECT_EQ(std::current_exception(), nullptr);
}

// Space.

/// A child begins at its spawn: of 10^7 no more live at a time than there are workers (here fewer).
TYPED_TEST(Fibers, KeepNoMoreChildrenOfALoopAliveThanThereAreWorkers) {
  for (const unsigned workers : {1U, 2U, 3U, 8U}) {
    typename TypeParam::counting_variant scheduler(options{.workers = workers});
    constexpr std::size_t children = 20'000;
    std::atomic<std::size_t> runs = 0;
    scheduler.run([&](auto worker) {
      auto group = worker->task_group();
      for (std::size_t i = 0; i < children; ++i) group.spawn([&](auto) { ++runs; });
      group.sync();
    });
    EXPECT_EQ(runs, children);
    EXPECT_LE(scheduler.counters().value().most_live_jobs, workers);
    EXPECT_GE(scheduler.counters().value().stacks, workers);
  }
}

/// A tree of spawns and forks, unlike on its sides.
template <class Worker>
void grow(Worker worker, unsigned depth) {
  if (depth == 0) return;
  auto group = worker->task_group();
  for (unsigned i = 0; i < 3; ++i) {
    group.spawn([=](auto w) { grow(w, depth > i + 1 ? depth - i - 1 : 0); });
  }
  worker->fork_join([=](auto w) { grow(w, depth - 1); }, [=](auto w) { grow(w, depth / 2); });
  group.sync();
}

/// Its span in steps, of which each spawns, forks or joins.
std::uint64_t span_of_growth(unsigned depth) {
  if (depth == 0) return 1;
  std::uint64_t longest = 0;
  for (unsigned i = 0; i < 3; ++i) {
    longest = std::max(longest, i + 1 + span_of_growth(depth > i + 1 ? depth - i - 1 : 0));
  }
  return std::max(longest, 4 + span_of_growth(depth - 1) + 1) + 1;
}

// Where the order is depth-first, tasks that run before their turn take space beside that of one
// worker: at most one for each other worker and step of the span. Elsewhere each worker takes as
// much as one alone.
TYPED_TEST(Fibers, TakeNoMoreSpaceThanTheirBound) {
  constexpr unsigned depth = 8;
  constexpr bool is_depth_first = std::is_same_v<TypeParam, depth_first::scheduler>;
  std::uint64_t space_of_one = 0;
  for (const unsigned workers : {1U, 2U, 3U, 8U}) {
    typename TypeParam::counting_variant scheduler(options{.workers = workers});
    scheduler.run([](auto worker) { grow(worker, depth); });
    const std::uint64_t space = scheduler.counters().value().most_live_jobs;
    if (workers == 1) space_of_one = space;
    EXPECT_LE(space, is_depth_first ? space_of_one + (workers - 1) * span_of_growth(depth)
                                    : workers * space_of_one);
  }
}

// Order.

/// Its queue has room for one rest.
struct small_queue : continuation_stealing::policy<engine::std_machine> {
  template <class Fiber>
  struct queue : continuation_stealing::queue<Fiber> {
    using continuation_stealing::queue<Fiber>::queue;
    bool push(continuation<Fiber>& rest, Fiber& running) {
      return !this->has_work() && continuation_stealing::queue<Fiber>::push(rest, running);
    }
  };
};

template <class Scheduler>
void expect_serial_groups() {
  Scheduler scheduler(options{.workers = 1});
  std::vector<int> order;
  scheduler.run([&](auto worker) {
    auto group = worker->task_group();
    for (int i = 0; i < 5; ++i) {
      order.push_back(5 * i);
      group.spawn([&order, i](auto w) {
        auto inner = w->task_group();
        inner.spawn([&order, i](auto) { order.push_back(5 * i + 1); });
        inner.spawn([&order, i](auto) { order.push_back(5 * i + 2); });
        order.push_back(5 * i + 3);
        inner.sync();
        order.push_back(5 * i + 4);
      });
    }
    order.push_back(25);
    group.sync();
  });
  std::vector<int> serial(26);
  std::iota(serial.begin(), serial.end(), 0);
  EXPECT_EQ(order, serial);
}

TYPED_TEST(Fibers, RunGroupsInSerialOrderOnOneWorkerAlsoWhereTheQueueIsFull) {
  expect_serial_groups<TypeParam>();
  expect_serial_groups<scheduler<small_queue>>();
}

// No worker waits at a join: while the root waits for a branch, its worker meets others.
TYPED_TEST(Fibers, LeaveTheirWorkerToOthersWhileTheyWait) {
  constexpr unsigned workers = 3;
  TypeParam scheduler(options{.workers = workers});
  for (int round = 0; round < 200; ++round) {
    schedulers::contract::rendezvous place(workers);
    scheduler.run([&](auto worker) {
      fork_stolen(worker, [&](auto w) {
        // Three branches on three workers: one of them is the one that forked above.
        w->fork_join(
            [&](auto v) {
              v->fork_join([&](auto) { place.arrive(); }, [&](auto) { place.arrive(); });
            },
            [&](auto) { place.arrive(); });
      });
    });
  }
}

/// Views of the one list of all workers.
template <class Scheduler>
class SharedList : public testing::Test {  // NOLINT: GoogleTest shows it as the suite's name.
 protected:
  using fiber_type = fiber<typename Scheduler::policy, false>;
  using queue = typename Scheduler::policy::template queue<fiber_type>;

  SharedList() {
    for (unsigned i = 0; i < 3; ++i) queues.emplace_back(all, i);
  }

  typename queue::shared all{options{.workers = 3}};
  std::deque<queue> queues;
  fiber_type running;
};
using with_shared_list = testing::Types<busy_leaves::scheduler, depth_first::scheduler>;
TYPED_TEST_SUITE(SharedList, with_shared_list, scheduler_names);

TYPED_TEST(SharedList, AsksEachWorkerInTurnWhereItIsEmpty) {
  using tested = typename TestFixture::fiber_type;
  std::vector<unsigned> asked;
  for (int i = 0; i < 3; ++i) {
    engine::steal_attempts tried;
    tested spare;
    EXPECT_EQ(this->queues[0].find_work(tried, spare), nullptr);
    EXPECT_EQ(tried.empty, 1U);
    EXPECT_EQ(tried.taken, 0U);
    asked.push_back(tried.latest);
  }
  EXPECT_EQ(asked, (std::vector<unsigned>{1, 2, 0}));
}

TYPED_TEST(SharedList, TellsWhoHasLeftWhatIsFound) {
  using tested = typename TestFixture::fiber_type;
  for (const unsigned owner : {2U, 0U, 1U}) {
    continuation<tested> branch;
    branch.execute = [](continuation<tested>&, tested&) noexcept {};
    EXPECT_TRUE(this->queues[owner].push(branch, this->running));
    engine::steal_attempts tried;
    tested runs_it;
    EXPECT_EQ(this->queues[0].find_work(tried, runs_it), &branch);
    EXPECT_EQ(tried.taken, 1U);
    EXPECT_EQ(tried.empty, 0U);
    EXPECT_EQ(this->queues[0].latest_victim(), owner);
    this->queues[0].ended(runs_it, nullptr);
  }
}

/// A look at the clock takes long, but on the thread that calls `run`.
struct slow_clock : engine::std_machine {
  static auto now() {
    if (!is_quick) std::this_thread::sleep_for(std::chrono::milliseconds{20});
    return engine::std_machine::now();
  }
  static inline thread_local bool is_quick = false;
};

using schedulers_that_count =
    testing::Types<continuation_stealing::scheduler_on<slow_clock>,
                   busy_leaves::scheduler_on<slow_clock>, depth_first::scheduler_on<slow_clock>,
                   work_stealing::scheduler_on<slow_clock>>;

template <class Scheduler>
class BusyTime : public testing::Test {};  // NOLINT: GoogleTest shows it as the name of the suite.
TYPED_TEST_SUITE(BusyTime, schedulers_that_count);

TYPED_TEST(BusyTime, OfAThiefIsCountedWhenItsJobIsJoined) {
  slow_clock::is_quick = true;
  typename TypeParam::counting_variant scheduler({.workers = 2});
  scheduler.run([](auto worker) {
    std::atomic<bool> is_stolen = false;
    worker->fork_join(
        [&](auto) {
          while (!is_stolen) std::this_thread::yield();
          std::this_thread::sleep_for(std::chrono::milliseconds{1});
        },
        [&](auto) { is_stolen = true; });
  });
  EXPECT_GT(scheduler.counters().value().per_worker[1].busy_ns, 0U);
}

}  // namespace
}  // namespace stealbench::fibers
