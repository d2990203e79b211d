// A continuation that is stolen or resumed elsewhere pays for the line of its record, as a stolen
// job does for its slot; and what counts as stolen.
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/busy_leaves/scheduler.hpp"
#include "schedulers/continuation_stealing/scheduler.hpp"
#include "schedulers/depth_first/scheduler.hpp"
#include "schedulers/engine/steal_attempts.hpp"
#include "schedulers/fibers/fiber.hpp"
#include "schedulers/fibers/stack_pool.hpp"
#include "schedulers/virtual_machine/tests/test_machine.hpp"

namespace stealbench::virtual_machine {
namespace {

template <class Scheduler>
class StolenContinuations : public testing::Test {};  // NOLINT: the name of the suite.
using schedulers_of_fibers =
    testing::Types<continuation_stealing::scheduler_on<machine>, busy_leaves::scheduler_on<machine>,
                   depth_first::scheduler_on<machine>>;
TYPED_TEST_SUITE(StolenContinuations, schedulers_of_fibers);

constexpr std::uint64_t brief = 1'000;
constexpr std::uint64_t lengthy = 10'000'000;

/// How often workers have waited for records, each time for a transfer. The second one, if there is
/// one, steals once.
template <class Scheduler, class Program>
std::uint64_t waits_for_records(unsigned workers, const Program& program) {
  settings chosen = exactly(workers);
  chosen.unit_ns = 1;
  chosen.costs.hit = 0;  // So that nothing of a store's transfer has passed when it is waited for.
  std::uint64_t waits = 0;
  simulated(chosen, [&] {
    typename Scheduler::counting_variant scheduler(
        {.workers = workers, .stack_bytes = test_stack_bytes});
    running.all->await_stillness();
    running.all->begin_window();
    scheduler.run(program);
    const window seen = running.all->end_window();
    const schedulers::counters counted = scheduler.counters().value();
    EXPECT_EQ(counted.jobs_run, counted.jobs_spawned);
    EXPECT_EQ(counted.steals, workers - 1);
    EXPECT_EQ(counted.most_live_jobs, workers == 1 ? 2U : 1U) << "a child, and its fork";
    for (const line_wait& each : seen.lines) {
      if (each.name != std::string_view(fibers::record_lines)) continue;
      waits = each.waits;
      EXPECT_EQ(each.time, static_cast<picoseconds>(waits) * 100'000);
    }
  });
  return waits;
}

auto fork_of(std::uint64_t first, std::uint64_t second) {
  return [=](auto worker) {
    worker->fork_join([=](auto) { machine::work(first); }, [=](auto) { machine::work(second); });
  };
}

// The thief reads the record, and takes its line to open the latch; the owner looks at that.
TYPED_TEST(StolenContinuations, PayForTheRecordOfABranch) {
  EXPECT_EQ(waits_for_records<TypeParam>(2, fork_of(lengthy, brief)), 3U);
}

// The thief reads the record; the owner takes its line to wait there, and the thief to open the
// latch. Then it goes on with the owner's fiber, whose header comes to it; and when the run ends,
// to the first worker, once the thief's store there is out of its store buffer.
TYPED_TEST(StolenContinuations, PayForTheFiberBehindAJoin) {
  EXPECT_EQ(waits_for_records<TypeParam>(2, fork_of(lengthy / 2, lengthy)), 6U);
}

// The rest of the spawner comes to the thief, and behind the sync back to the child's worker, once
// the thief's store there is out of its store buffer.
TYPED_TEST(StolenContinuations, PayForASpawner) {
  const auto program = [](auto worker) {
    auto group = worker->task_group();
    group.spawn([](auto) { machine::work(lengthy); });
    machine::work(brief);
    group.sync();
  };
  EXPECT_EQ(waits_for_records<TypeParam>(2, program), 3U);
}

TYPED_TEST(StolenContinuations, PayNothingWhereNothingMoves) {
  const auto program = [](auto worker) {
    auto group = worker->task_group();
    for (int i = 0; i < 50; ++i) group.spawn([](auto w) { fork_of(brief, brief)(w); });
    group.sync();
  };
  EXPECT_EQ(waits_for_records<TypeParam>(1, program), 0U);
}

// Four branches are left, and each is stolen. The third worker ends the last branch that the rest
// of another fiber waits for while an earlier branch is ready: it takes that one first where the
// serial order counts, and the rest goes on out of the list. That is no steal.
TYPED_TEST(StolenContinuations, CountNoFiberThatGoesOnBehindItsJoin) {
  constexpr std::uint64_t step = 1'000'000;
  simulated({.costs = round_costs, .prices = {}, .unit_ns = 1, .job_stacks = 3}, [&] {
    typename TypeParam::counting_variant scheduler({.workers = 3, .stack_bytes = test_stack_bytes});
    running.all->await_stillness();
    scheduler.run([](auto worker) {
      worker->fork_join(
          [](auto w) {
            machine::work(10 * step);
            w->fork_join(
                [](auto inner) {
                  machine::work(20 * step);
                  fork_of(100 * step, 50 * step)(inner);
                },
                [](auto) { machine::work(100 * step); });
          },
          [](auto w) {
            fork_of(5 * step, 40 * step)(w);
            machine::work(7 * step);
          });
    });
    const schedulers::counters counted = scheduler.counters().value();
    EXPECT_EQ(counted.jobs_spawned, 4U);
    EXPECT_EQ(counted.steals, 4U);
    EXPECT_EQ(counted.jobs_moved, 4U);
    constexpr bool takes_turns = std::is_same_v<TypeParam, depth_first::scheduler_on<machine>>;
    EXPECT_EQ(counted.attempts_taken, takes_turns ? 5U : 4U) << "what goes on is found, too";
    std::uint64_t busy = 0;
    for (const schedulers::worker_counters& each : counted.per_worker) busy += each.busy_ns;
    EXPECT_GE(busy, 332 * step) << "with what goes on";
    EXPECT_LT(busy, 333 * step);
  });
}

template <class Scheduler>
class OnePool : public testing::Test {};  // NOLINT: the name of the suite.
using schedulers_of_one_pool =
    testing::Types<busy_leaves::scheduler_on<machine>, depth_first::scheduler_on<machine>>;
TYPED_TEST_SUITE(OnePool, schedulers_of_one_pool);

TYPED_TEST(OnePool, AsksEachWorkerInTurnWhereThereIsNothingInIt) {
  using fiber = fibers::fiber<typename TypeParam::policy, false>;
  using queue = typename TypeParam::policy::template queue<fiber>;
  simulated({.costs = no_costs}, [] {
    fibers::stack_pool<fiber> stacks(test_stack_bytes);
    typename queue::shared all({.workers = 3});
    queue own(all, 1);
    engine::steal_attempts tried;
    std::vector<unsigned> victims;
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(own.find_work(tried, *stacks.make()), nullptr);
      victims.push_back(tried.latest);
    }
    EXPECT_EQ(victims, (std::vector<unsigned>{2, 0, 1, 2}));
    EXPECT_EQ(tried.empty, 4U);
    EXPECT_EQ(tried.taken + tried.lost, 0U);
  });
}

struct alignas(64) record {
  int any = 0;
};

// The rest of the machine: a load that waits, a store that the store buffer hides, and nothing more
// where the worker has the line.
TEST(PlainData, IsWaitedForWhereItIsReadAndHiddenWhereItIsWritten) {
  record moved;
  alignas(64) machine::atomic<int> own;
  window seen;
  simulated(exactly(), [&] {
    EXPECT_EQ(took([&] { machine::reads(moved, "a record"); }), 0) << "the first touch";
    EXPECT_EQ(took([&] { machine::writes(moved); }), 0);
    const machine::thread other(test_stack_bytes, {}, [&] {
      own.store(1, engine::order::relaxed);
      running.all->begin_window();
      EXPECT_EQ(took([&] { machine::reads(moved, "a record"); }), 100);
      EXPECT_EQ(took([&] { machine::reads(moved, "a record"); }), 0);
      EXPECT_EQ(took([&] { machine::writes(moved); }), 0);
      EXPECT_EQ(took([&] { own.fetch_add(1, engine::order::relaxed); }), 105) << "drained first";
      EXPECT_EQ(took([&] { machine::writes(moved); }), 0);
      EXPECT_EQ(took([&] { own.fetch_add(1, engine::order::relaxed); }), 5);
      seen = running.all->end_window();
    });
  });
  ASSERT_EQ(seen.lines.size(), 1U);
  EXPECT_EQ(seen.lines[0].name, "a record");
  EXPECT_EQ(seen.lines[0].waits, 2U) << "for the load, and for the store buffer";
  EXPECT_EQ(seen.lines[0].time, 200'000);
}

// The writer's clock is ahead of a thread that reads before.
TEST(PlainData, IsNotTakenFromWhoReadsItBefore) {
  record shared;
  simulated(exactly(), [&] {
    machine::writes(shared);
    const machine::thread writer(test_stack_bytes, {}, [&] {
      running.all->charge(1'000'000);
      machine::writes(shared);
    });
    const machine::thread reader(test_stack_bytes, {}, [&] {
      EXPECT_EQ(took([&] { machine::reads(shared, "a record"); }), 100);
    });
  });
}

}  // namespace
}  // namespace stealbench::virtual_machine
