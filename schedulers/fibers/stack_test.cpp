// Stacks of fibers: all come back, there are no more than the README says, and where none can be
// had every program still comes to its end.
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/busy_leaves/scheduler.hpp"
#include "schedulers/continuation_stealing/scheduler.hpp"
#include "schedulers/contract/time_limit.hpp"
#include "schedulers/counters.hpp"
#include "schedulers/depth_first/scheduler.hpp"
#include "schedulers/engine/machine.hpp"
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/fibers/every_scheduler_fixture.hpp"
#include "schedulers/fibers/stack_memory.hpp"

namespace stealbench::fibers {
namespace {

using schedulers::options;
using schedulers::contract::time_limit;
/// The real machine, whose stacks of fibers are refused from when a test says so.
struct few_stacks_machine : engine::std_machine {
  // Of all threads, between the test and the workers; seq_cst by default, and no data passes
  // through them.
  static inline std::atomic<int> left{0};     // How many may still be had.
  static inline std::atomic<int> refused{0};  // How often one was asked for in vain.

  static constexpr int no_limit = std::numeric_limits<int>::max() / 2;

  class stack_memory : public fibers::stack_memory {
   public:
    explicit stack_memory(std::size_t bytes) : fibers::stack_memory(allowed(bytes)) {}

   private:
    static std::size_t allowed(std::size_t bytes) {
      if (left.fetch_sub(1) > 0) return bytes;
      ++left;
      ++refused;
      throw std::system_error(ENOMEM, std::generic_category(), "refused by the test");
    }
  };
};

static_assert(engine::machine<few_stacks_machine>);
using limited = few_stacks_machine;

template <class Scheduler>
class Stacks : public testing::Test {  // NOLINT: GoogleTest shows it as the name of the suite.
 protected:
  void SetUp() override {
    limited::left = limited::no_limit;
    limited::refused = 0;
  }
};
using limited_schedulers =
    testing::Types<continuation_stealing::scheduler_on<limited>, busy_leaves::scheduler_on<limited>,
                   depth_first::scheduler_on<limited>>;
TYPED_TEST_SUITE(Stacks, limited_schedulers, scheduler_names);

/// Waits until `condition`, for as long as a worker may need that comes for work if any does.
template <class Condition>
void wait_a_while(const Condition& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds{2};
  while (!condition() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
}

// Each worker is at a join, has a stolen branch on its stack, and something that comes before its
// own second branch is ready: were the order all that counts, each would leave its own to the
// other, which has no stack for it.
TYPED_TEST(Stacks, RunTheirOwnBranchWhereNoFurtherStackCanBeHad) {
  TypeParam scheduler(options{.workers = 2});
  limited::left = 0;
  const time_limit limit(std::string(TypeParam::name) + ", a tree of five forks without stacks");
  using flag = std::atomic<bool>;
  flag root_is_stolen = false;
  flag one_forks = false;
  flag other_forks = false;
  flag first_is_ready = false;
  flag last_ran = false;
  std::atomic<int> refused = 0;
  std::atomic<int> leaves = 0;
  const auto await = [](const flag& until) { wait_a_while([&] { return until.load(); }); };
  scheduler.run([&](auto worker) {
    worker->fork_join(
        [&](auto) {
          await(root_is_stolen);
          await(one_forks);
        },
        [&](auto thief) {
          root_is_stolen = true;
          thief->fork_join(
              [&](auto one) {
                one_forks = true;
                await(other_forks);
                one->fork_join(
                    [&](auto) {
                      refused = limited::refused.load();
                      first_is_ready = true;
                      // Until the other worker is at its join and has asked for a stack, or goes
                      // on.
                      wait_a_while([&] { return last_ran || limited::refused > refused; });
                      ++leaves;
                    },
                    [&](auto) { ++leaves; });
              },
              [&](auto other) {
                other_forks = true;
                other->fork_join(
                    [&](auto) {
                      await(first_is_ready);
                      ++leaves;
                    },
                    [&](auto) {
                      last_ran = true;
                      ++leaves;
                    });
              });
        });
  });
  EXPECT_EQ(leaves, 4);
}

TYPED_TEST(Stacks, ThatCanBeHadAgainBringBackTheWorkerThatSleepsWithoutOne) {
  TypeParam scheduler(options{.workers = 2});
  limited::left = 0;
  scheduler.run([&](auto worker) {
    fork_stolen(worker, [&](auto waits) {
      fork_stolen(waits, [&](auto other) {
        constexpr int rounds = limited::limits().spin_rounds + limited::limits().yield_rounds;
        while (limited::refused < rounds + 9) std::this_thread::yield();  // It has slept, too.
        limited::left = limited::no_limit;
        fork_stolen(other, [](auto) {});
      });
    });
  });
}

/// Forks, groups and loops, each of whose leaves lets other workers come.
template <class Worker>
void mix(Worker worker, unsigned depth, std::atomic<unsigned>& leaves) {
  if (depth == 0) {
    ++leaves;
    return std::this_thread::yield();
  }
  const auto part = [depth, &leaves](Worker w) { mix(w, depth - 1, leaves); };
  worker->fork_join(part, part);
  auto group = worker->task_group();
  group.spawn(part);
  group.spawn(part);
  worker->parallel_for(0, 2, 1, [&](Worker w, std::size_t) { mix(w, depth - 1, leaves); });
  group.sync();
}

TYPED_TEST(Stacks, EndWhatTheyBeganWhereverTheStacksRunOut) {
  constexpr unsigned depth = 4;
  constexpr unsigned leaves_of_mix = 6 * 6 * 6 * 6;
  for (const unsigned workers : {1U, 2U, 3U, 5U}) {
    for (const int more : {0, 1, 2, 5, 10}) {
      limited::left = limited::no_limit;
      TypeParam scheduler(options{.workers = workers});
      limited::left = more;
      const time_limit limit(std::string(TypeParam::name) + ", " + std::to_string(workers) +
                             " workers, " + std::to_string(more) + " further stacks");
      for (unsigned round = 0; round < 5; ++round) {
        std::atomic<unsigned> leaves = 0;
        scheduler.run([&](auto worker) { mix(worker, depth, leaves); });
        ASSERT_EQ(leaves, leaves_of_mix);
      }
    }
  }
}

TYPED_TEST(Stacks, KeepTheExceptionOfAChildThatFoundNone) {
  typename TypeParam::counting_variant scheduler(options{.workers = 1});
  limited::left = 0;
  // The one that the worker has in hand is for what it steals: its list is empty.
  std::string thrown;
  bool second_ran = false;
  try {
    scheduler.run([&](auto worker) {
      auto group = worker->task_group();
      group.spawn([](auto) { throw std::runtime_error("first"); });
      group.spawn([&](auto) {
        second_ran = true;
        throw std::runtime_error("second");
      });
      group.sync();
    });
  } catch (const std::runtime_error& error) {
    thrown = error.what();
  }
  EXPECT_EQ(thrown, "first");
  EXPECT_TRUE(second_ran);
  EXPECT_EQ(scheduler.counters().value().jobs_inlined, 2U);
}

/// As mix(), with depth-many nested children that are there at once.
template <class Worker>
void nest(Worker worker, unsigned depth) {
  if (depth == 0) return;
  auto group = worker->task_group();
  group.spawn([=](auto w) { nest(w, depth - 1); });
  group.sync();
}

struct never_copied {
  never_copied() = default;
  never_copied(const never_copied& /*other*/) { throw std::runtime_error("copy"); }
  void operator()(auto /*worker*/) const {}
};

TYPED_TEST(Stacks, AllComeBackToTheOneWorkerThatUsesThem) {
  constexpr unsigned depth = 100;  // More than a worker keeps.
  TypeParam scheduler(options{.workers = 1});
  scheduler.run([](auto worker) { nest(worker, depth); });
  limited::left = 0;
  const never_copied bad;
  for (unsigned round = 0; round < 50; ++round) {
    scheduler.run([&](auto worker) {
      auto group = worker->task_group();
      group.spawn([](auto) {});
      group.spawn([](auto) { throw std::runtime_error("child"); });
      EXPECT_THROW(group.spawn(bad), std::runtime_error);
      EXPECT_THROW(group.sync(), std::runtime_error);
      worker->fork_join([](auto) {}, [](auto) {});
      nest(worker, depth);
    });
  }
  EXPECT_EQ(limited::refused, 0) << "a stack that was there before was not found again";
}

/// Ways in which a stack is used: each steals once. `late` is whether the thief's end comes after
/// the fiber has been left that waits for it.
void let_others_pass(bool late) {
  if (late) std::this_thread::sleep_for(std::chrono::microseconds{100});
}
template <class Worker>
void steal_a_branch(Worker worker, bool late, bool throws) {
  std::atomic<bool> is_stolen = false;
  std::atomic<bool> is_done = false;
  const auto fork = [&] {
    worker->fork_join(
        [&](auto) {
          wait_a_while([&] { return is_stolen.load() && (late || throws || is_done.load()); });
        },
        [&](auto) {
          is_stolen = true;
          let_others_pass(late);
          if (throws) throw std::runtime_error("branch");
          is_done = true;
        });
  };
  expect_to_throw(throws, fork);
}
template <class Worker>
void steal_a_spawner(Worker worker, bool late, bool throws) {
  std::atomic<bool> is_stolen = false;
  std::atomic<bool> is_done = false;
  auto group = worker->task_group();
  group.spawn([&](auto) {
    wait_a_while([&] { return is_stolen.load(); });
    let_others_pass(late);
    is_done = true;
    if (throws) throw std::runtime_error("child");
  });
  is_stolen = true;
  if (!late) wait_a_while([&] { return is_done.load(); });
  expect_to_throw(throws, [&] { group.sync(); });
}

// Each kind a thousand times. A stack that is lost at one kind in ten would show.
TYPED_TEST(Stacks, AreNoMoreAfterManyThefts) {
  constexpr unsigned workers = 2;
  constexpr unsigned kept = 32;   // Unused, by each worker: the README.
  constexpr unsigned nested = 3;  // One for each worker's theft, and one for a child.
  constexpr unsigned most = 1 + workers * (1 + kept) + nested;
  const auto repeat = [&](const char* what, const auto& once) {
    typename TypeParam::counting_variant scheduler(options{.workers = workers});
    for (unsigned round = 0; round < 1000; ++round) {
      scheduler.run([&](auto worker) { once(worker, round % 2 == 0); });
    }
    EXPECT_LE(scheduler.counters().value().stacks, most) << what;
    EXPECT_GT(scheduler.counters().value().steals, 500U) << what << ": too few to tell anything";
  };
  for (const bool throws : {false, true}) {
    repeat("branches", [=](auto w, bool late) { steal_a_branch(w, late, throws); });
    repeat("children", [=](auto w, bool late) { steal_a_spawner(w, late, throws); });
  }
  repeat("loops", [](auto w, bool late) {
    std::atomic<unsigned> runs = 0;
    w->parallel_for(0, 8, 1, [&](auto, std::size_t) {
      ++runs;
      let_others_pass(late);
    });
    EXPECT_EQ(runs, 8U);
    steal_a_branch(w, late, false);
  });
}

[[gnu::noinline]] void touch_stack() {
  std::array<volatile unsigned char, std::size_t{160} << 10> frame;
  for (volatile unsigned char& each : frame) each = 1;
}

TYPED_TEST(Stacks, AreCountedWithTheMemoryThatWasTouched) {
  typename TypeParam::counting_variant scheduler(options{.workers = 1});
  const auto counted_after = [&](const auto& child) {
    scheduler.run([&](auto worker) {
      auto group = worker->task_group();
      group.spawn(child);
      group.sync();
    });
    return scheduler.counters().value();
  };
  const schedulers::counters before = counted_after([](auto) {});
  const schedulers::counters after = counted_after([](auto) { touch_stack(); });
  EXPECT_EQ(after.stacks, before.stacks);
  EXPECT_GE(before.stack_bytes, before.stacks * 4096) << "the header of each";
  EXPECT_GE(after.stack_bytes, before.stack_bytes + (std::uint64_t{128} << 10));
}

using fiber_type = fiber<continuation_stealing::scheduler_on<limited>::policy, false>;

/// Every stack that the lists have, and a new one if `limited` allows for one more.
std::set<fiber_type*> all_of(stack_list<fiber_type>& list) {
  std::set<fiber_type*> all;
  while (fiber_type* const next = list.take()) {
    EXPECT_TRUE(all.insert(next).second) << "one stack is given to two";
  }
  return all;
}

TEST(StackList, GivesBackWhatItWasGivenAndKeepsNoMoreThan32FromOthers) {
  for (const int count : {1, 15, 16, 17, 31, 32, 33, 34, 48, 49, 64, 100}) {
    limited::left = count;
    stack_pool<fiber_type> shared(std::size_t{1} << 16);
    stack_list<fiber_type> one(shared);
    stack_list<fiber_type> other(shared);
    const std::set<fiber_type*> created = all_of(one);
    ASSERT_EQ(created.size(), static_cast<std::size_t>(count));
    EXPECT_EQ(shared.measure().stacks, created.size());
    for (int round = 0; round < 3; ++round) {
      for (fiber_type* const each : created) one.give(*each);
      std::set<fiber_type*> found = all_of(other);
      EXPECT_GE(found.size() + 32, created.size());
      found.merge(all_of(one));
      EXPECT_EQ(found, created);
    }
  }
}

TEST(StackPool, LosesNoneWhereThreadsGiveAndTakeAtOnceAndGivesNoMoreThanIsWanted) {
  limited::left = limited::no_limit;
  stack_pool<fiber_type> shared(std::size_t{1} << 16);
  for (int i = 0; i < 50; ++i) {
    fiber_type* const one = shared.make();
    shared.give(*one, *one);
  }
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i <= 4; ++i) {
    threads.emplace_back([&shared, i] {
      for (int round = 0; round < 50'000; ++round) {
        std::size_t taken = 0;
        fiber_type* const first = shared.take(2 * i, taken);
        if (first == nullptr) continue;
        fiber_type* last = first;
        while (last->next_free != nullptr) last = last->next_free;
        shared.give(*first, *last);
      }
    });
  }
  for (std::thread& each : threads) each.join();
  for (const auto& [wanted, expected] : {std::pair{30U, 30U}, {30U, 20U}, {1U, 0U}}) {
    std::size_t taken = 99;
    std::size_t found = 0;
    for (fiber_type* each = shared.take(wanted, taken); each != nullptr; each = each->next_free) {
      ++found;
    }
    EXPECT_EQ(taken, expected);
    EXPECT_EQ(found, expected);
  }
}

}  // namespace
}  // namespace stealbench::fibers
