// Who sleeps, for how long, and who is woken: in simulated time, where a wake-up or a nap that is
// wrong shows as a number, and not as a test that hangs.
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <system_error>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/busy_leaves/scheduler.hpp"
#include "schedulers/central_queue/scheduler.hpp"
#include "schedulers/continuation_stealing/scheduler.hpp"
#include "schedulers/depth_first/scheduler.hpp"
#include "schedulers/engine/scheduler.hpp"
#include "schedulers/engine/sleep/parking_lot.hpp"
#include "schedulers/fibers/scheduler.hpp"
#include "schedulers/fibers/stack_memory.hpp"
#include "schedulers/virtual_machine/tests/test_machine.hpp"
#include "schedulers/work_stealing/scheduler.hpp"

namespace stealbench::virtual_machine {
namespace {

using namespace std::chrono_literals;
using schedulers::counters;

const auto no = [] { return false; };

constexpr picoseconds in_picoseconds(std::chrono::nanoseconds time) { return 1000 * time.count(); }

/// Threads of a lot that fall asleep one after the other.
class falling_asleep {
 public:
  falling_asleep(unsigned workers, unsigned most_searchers)
      : lot(workers, most_searchers), flags_(workers), each_(workers) {
    for (unsigned i = 0; i < workers; ++i) lot.enlist(i, flags_[i]);
  }

  /// The next one sleeps, and looks for work by `has_work` after `naps`, if it takes any; then it
  /// notes that it has woken, and stops searching.
  template <class HasWork>
  void put_to_sleep(const HasWork& has_work, engine::naps naps) {
    const auto index = static_cast<unsigned>(threads_.size());
    threads_.push_back(std::make_unique<machine::thread>(test_stack_bytes, std::nullopt, [=, this] {
      EXPECT_TRUE(lot.park(each_[index], false, no, has_work, naps));
      woken.push_back(index);
      wakers.push_back(each_[index].woken_by());
      lot.stop_searching(index, [] { return engine::search_end::nothing; });
    }));
    running.all->await_stillness();
  }
  void await_all() { threads_.clear(); }

  engine::parking_lot<machine> lot;
  std::vector<unsigned> woken;
  std::vector<unsigned> wakers;  ///< Of these.

 private:
  std::vector<engine::parking_lot<machine>::request_flag> flags_;
  std::vector<engine::parking_lot<machine>::sleeper> each_;
  std::vector<std::unique_ptr<machine::thread>> threads_;
};

TEST(Sleepers, AreWokenTheLatestFirstEachByTheOneBefore) {
  simulated({.costs = no_costs}, [] {
    falling_asleep all(4, 4);
    for (int i = 0; i < 4; ++i) all.put_to_sleep(no, {});
    EXPECT_EQ(all.lot.wake_any(0), 1U);
    all.await_all();
    EXPECT_EQ(all.woken, (std::vector<unsigned>{3, 2, 1, 0}));
  });
}

/// A wake-up takes longer than all that a test does meanwhile.
constexpr costs slow_wake_ups{.pause = 0.001, .yield = 0.001, .wake_call = 1, .wake = 1000};

TEST(Sleepers, AreWokenBesideOthersOnTheirWayButNotBesideOneThatLooks) {
  simulated({.costs = slow_wake_ups}, [] {
    falling_asleep all(5, 5);
    for (int i = 0; i < 4; ++i) all.put_to_sleep(no, {});
    ASSERT_TRUE(all.lot.start_searching());
    EXPECT_EQ(all.lot.wake_any(0), 0U) << "of one that is awake, a quarter is none";
    EXPECT_EQ(all.lot.stop_searching(7, [] { return engine::search_end::nothing; }), 1U);
    for (const unsigned waker : {8U, 9U, 10U}) EXPECT_EQ(all.lot.wake_any(waker), 1U);
    EXPECT_EQ(all.lot.wake_any(11), 0U) << "none sleeps";
    all.await_all();
    EXPECT_EQ(all.woken, (std::vector<unsigned>{3, 2, 1, 0}));
    EXPECT_EQ(all.wakers, (std::vector<unsigned>{7, 8, 9, 10}));
  });
}

TEST(Sleepers, AreNoMoreOnTheirWayThanMaySearch) {
  simulated({.costs = slow_wake_ups}, [] {
    falling_asleep all(4, 2);
    for (int i = 0; i < 3; ++i) all.put_to_sleep(no, {});
    EXPECT_EQ(all.lot.wake_any(3), 1U);
    ASSERT_TRUE(all.lot.start_searching());
    EXPECT_EQ(all.lot.stop_searching(3, [] { return engine::search_end::nothing; }), 0U)
        << "it is not the last";
    EXPECT_EQ(all.lot.wake_any(3), 1U);
    EXPECT_EQ(all.lot.wake_any(3), 0U);
    all.await_all();
  });
}

// A nap is twice as long as the one before, times the number of sleepers: with their number the
// looks of all together do not become more frequent.
TEST(Sleepers, LookAfterNapsThatGrowAndAreLongerForTheLaterOnes) {
  for (const unsigned place : {1U, 3U}) {
    std::vector<picoseconds> looks;
    simulated({.costs = no_costs}, [&] {
      falling_asleep all(place, place);
      for (unsigned i = 1; i < place; ++i) all.put_to_sleep(no, {});
      const auto look = [&looks] {
        looks.push_back(running.now);
        return looks.size() == 6;
      };
      all.put_to_sleep(look, {.first = 10us, .longest = 70us});
      all.await_all();
    });
    std::vector<picoseconds> naps;
    naps.reserve(looks.size());
    for (std::size_t i = 1; i < looks.size(); ++i) naps.push_back(looks[i] - looks[i - 1]);
    const picoseconds us = place * in_picoseconds(1us);
    EXPECT_EQ(naps, (std::vector{10 * us, 20 * us, 40 * us, 70 * us, 70 * us}))
        << place << " sleepers";
  }
}

settings quiet_machine(unsigned workers = 1) {
  settings chosen = exactly(workers);
  chosen.unit_ns = 1;
  return chosen;
}

template <class Scheduler>
class Answers : public testing::Test {};  // NOLINT: GoogleTest shows it as the name of the suite.
using publishers =
    testing::Types<work_stealing::scheduler_on<machine>,
                   work_stealing::scheduler_over<work_stealing::deques::chase_lev, machine>,
                   central_queue::scheduler_on<machine>>;
TYPED_TEST_SUITE(Answers, publishers);

// All sleep, and have asked all. No worker asks again before the first of them is awake.
TYPED_TEST(Answers, WakeOneAtEachPushWhileWorkersSleep) {
  constexpr unsigned workers = 6;
  settings chosen = quiet_machine();
  chosen.costs.wake = 100'000;
  std::vector<picoseconds> began;
  observed<TypeParam>(chosen, {.workers = workers, .searchers = schedulers::searcher_limit::all},
                      [&](auto worker) {
                        auto group = worker->task_group();
                        const picoseconds start = running.now;
                        for (unsigned i = 1; i < workers; ++i) {
                          group.spawn([&, start](auto) {
                            began.push_back(running.now - start);
                            machine::work(1'000'000);
                          });
                        }
                        machine::work(1'000'000);
                      });
  ASSERT_EQ(began.size(), workers - 1);
  for (const picoseconds each : began) EXPECT_LT(each, in_picoseconds(150us)) << "one wake-up";
}

template <class Scheduler>
class Woken : public testing::Test {};  // NOLINT: as above.
using thieves =
    testing::Types<work_stealing::scheduler_on<machine>,
                   work_stealing::scheduler_over<work_stealing::deques::chase_lev, machine>,
                   continuation_stealing::scheduler_on<machine>>;
TYPED_TEST_SUITE(Woken, thieves);

TYPED_TEST(Woken, LookAtTheirWakerFirst) {
  constexpr unsigned workers = 64;
  std::uint64_t in_vain = 0;
  simulated(quiet_machine(workers), [&] {
    typename TypeParam::counting_variant scheduler(
        {.workers = workers, .stack_bytes = test_stack_bytes});
    running.all->await_stillness();
    const auto looks_in_vain = [&] { return scheduler.counters().value().attempts_empty; };
    const std::uint64_t before = looks_in_vain();
    scheduler.run([&](auto worker) {
      worker->fork_join([](auto) { machine::work(1'000'000); },
                        [&](auto) { in_vain = looks_in_vain() - before; });
    });
  });
  EXPECT_EQ(in_vain, 0U);
}

/// How many of the next looks that find nothing are said to have been lost.
// NOLINTNEXTLINE(*-avoid-non-const-global-variables): queues are made by engines
unsigned looks_to_lose = 0;
/// How often workers have looked for work as they fell asleep, or after a nap.
unsigned looks_of_sleepers = 0;  // NOLINT(*-avoid-non-const-global-variables): likewise

template <class Policy>
struct with_lost_looks : Policy {
  template <class Slot>
  struct queue : Policy::template queue<Slot> {
    using Policy::template queue<Slot>::queue;
    template <class... Spare>
    auto* find_work(engine::steal_attempts& tried, Spare&... spare) {
      auto* const found = Policy::template queue<Slot>::find_work(tried, spare...);
      if (found == nullptr && looks_to_lose > 0) {
        --looks_to_lose;
        tried = {.lost = 1, .latest = tried.latest};
      }
      return found;
    }
    [[nodiscard]] bool has_work() const {
      ++looks_of_sleepers;
      return Policy::template queue<Slot>::has_work();
    }
  };
};

template <class Scheduler>
class Searchers : public testing::Test {};  // NOLINT: GoogleTest shows it as the name of the suite.
using with_losses =
    testing::Types<engine::scheduler<with_lost_looks<central_queue::policy<machine>>>,
                   fibers::scheduler<with_lost_looks<busy_leaves::policy<machine>>>>;
TYPED_TEST_SUITE(Searchers, with_losses);

/// Of a worker that has run a branch, and looks for more until it sleeps.
template <class Scheduler>
counters searched(unsigned lost) {
  const auto program = [&](auto worker) {
    worker->fork_join([](auto) { machine::work(10'000'000); },
                      [&](auto) {
                        machine::work(1000);
                        looks_to_lose = lost;
                      });
  };
  const observed_run run = observed<Scheduler>(quiet_machine(), {.workers = 2}, program);
  EXPECT_EQ(looks_to_lose, 0U);
  return run.counted;
}

TYPED_TEST(Searchers, ComeNoStepNearerToSleepByAStealThatWasLost) {
  constexpr unsigned lost = 40;
  const counters without = searched<TypeParam>(0);
  const counters with = searched<TypeParam>(lost);
  EXPECT_GE(without.attempts_empty, 120U) << "of its rounds";
  EXPECT_EQ(with.attempts_empty, without.attempts_empty);
  EXPECT_EQ(with.attempts_lost, lost);
  EXPECT_EQ(with.parks, without.parks);
}

// After 1, 2, 4, … 256, 256, … ms.
TYPED_TEST(Searchers, LookEverMoreSeldomWhileTheySleep) {
  simulated(quiet_machine(2), [] {
    const TypeParam scheduler({.workers = 2, .stack_bytes = test_stack_bytes});
    running.all->await_stillness();
    looks_of_sleepers = 0;
    running.all->sleep_for(in_picoseconds(2s));
  });
  EXPECT_GE(looks_of_sleepers, 13U);
  EXPECT_LE(looks_of_sleepers, 15U);
}

/// In vain, by others than the first worker, while that one works for long after `program`.
template <class Scheduler, class Program>
std::uint64_t looks_beside(schedulers::options options, const Program& program) {
  std::uint64_t looks = 0;
  options.stack_bytes = test_stack_bytes;
  simulated(quiet_machine(options.workers), [&] {
    typename Scheduler::counting_variant scheduler(options);
    running.all->await_stillness();
    running.all->begin_window();
    scheduler.run([&](auto worker) {
      const std::uint64_t before = scheduler.counters().value().attempts_empty;
      program(worker);
      running.all->sleep_for(in_picoseconds(10ms));
      looks = scheduler.counters().value().attempts_empty - before;
    });
  });
  return looks;
}

TYPED_TEST(Searchers, LookAsLongAsEverOnceTheyAreWoken) {
  const auto wake_in_vain_twice = [](auto worker) {
    for (int i = 0; i < 2; ++i) {
      worker->fork_join([](auto) {}, [](auto) {});
      running.all->sleep_for(in_picoseconds(500us));
    }
  };
  EXPECT_GE(looks_beside<TypeParam>({.workers = 2}, wake_in_vain_twice), 2 * 120U);
}

TEST(SearcherLimit, SendsMostWorkersToSleepEarly) {
  const auto looks_with = [](schedulers::searcher_limit most) {
    return looks_beside<work_stealing::scheduler_on<machine>>(
        {.workers = 8, .searchers = most}, [](auto worker) {
          auto group = worker->task_group();
          const picoseconds end = running.now + in_picoseconds(1ms);
          for (int i = 0; i < 7; ++i) {
            group.spawn([end](auto) { running.all->sleep_for(end - running.now); });
          }
          machine::work(2'000'000);  // So that it does not look itself, at the sync.
          group.sync();
        });
  };
  using schedulers::searcher_limit;
  EXPECT_LT(2 * looks_with(searcher_limit::one), looks_with(searcher_limit::all));
}

/// On which no further stack can be had from when the test says so.
struct machine_without_stacks : machine {
  static constexpr unsigned no_pause = 10'000;  // This refusal is none: a test ends.
  static inline bool refuses = false;
  static inline unsigned refused = 0;
  class stack_memory : public fibers::stack_memory {
   public:
    explicit stack_memory(std::size_t bytes) : fibers::stack_memory(allowed(bytes)) {}

   private:
    static std::size_t allowed(std::size_t bytes) {
      if (!refuses || ++refused == no_pause) return bytes;
      throw std::system_error(ENOMEM, std::generic_category(), "refused by the test");
    }
  };
};

template <class Scheduler>
class WorkersWithoutASpareStack : public testing::Test {};  // NOLINT: as above.
using without_stacks = testing::Types<continuation_stealing::scheduler_on<machine_without_stacks>,
                                      busy_leaves::scheduler_on<machine_without_stacks>,
                                      depth_first::scheduler_on<machine_without_stacks>>;
TYPED_TEST_SUITE(WorkersWithoutASpareStack, without_stacks);

// One worker runs the first branch of the root, and the two others those of its second one. Who has
// stolen that has its stack in it, and waits for its thief.
TYPED_TEST(WorkersWithoutASpareStack, SleepBetweenTheirLooksForOne) {
  std::uint64_t parks = 0;
  static constexpr int naps = 50;
  static constexpr auto nap = engine::std_machine::limits().sleeps.first;
  machine_without_stacks::refuses = false;
  machine_without_stacks::refused = 0;
  simulated(quiet_machine(3), [&] {
    typename TypeParam::counting_variant scheduler({.workers = 3, .stack_bytes = test_stack_bytes});
    running.all->await_stillness();
    machine_without_stacks::refuses = true;
    running.all->begin_window();
    const auto parked = [&] { return scheduler.counters().value().parks; };
    const auto sleep_of_others = [&] {
      machine::work(5'000'000);
      const std::uint64_t before = parked();
      machine::work(naps * nap.count());
      parks = parked() - before;
    };
    scheduler.run([&](auto worker) {
      worker->fork_join([](auto) { machine::work(2L * naps * nap.count()); },
                        [&](auto stolen) {
                          stolen->fork_join([](auto) { machine::work(1'000'000); },
                                            [&](auto) { sleep_of_others(); });
                        });
    });
  });
  EXPECT_LT(machine_without_stacks::refused, machine_without_stacks::no_pause);
  // To sleep and to wake up takes a hundredth of a nap.
  EXPECT_GE(parks, naps - 2);
  EXPECT_LE(parks, naps);
}

}  // namespace
}  // namespace stealbench::virtual_machine
