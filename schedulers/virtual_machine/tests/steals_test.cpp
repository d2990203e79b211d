// What moves between workers. A continuation that is stolen or resumed elsewhere pays for the line
// of its record, as a stolen job does for its slot; and what counts as stolen.
#include <algorithm>
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
#include "schedulers/work_stealing/scheduler.hpp"

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
  settings chosen = exactly();
  chosen.unit_ns = 1;
  chosen.costs.hit = 0;  // So that nothing of a store's transfer has passed when it is waited for.
  const auto [begun, seen, counted] = observed<Scheduler>(chosen, {.workers = workers}, program);
  EXPECT_EQ(counted.jobs_run, counted.jobs_spawned);
  EXPECT_EQ(counted.steals, workers - 1);
  EXPECT_EQ(counted.most_live_jobs, workers == 1 ? 2U : 1U) << "a child, and its fork";
  const auto records = std::ranges::find(seen.lines, fibers::record_lines, &line_wait::name);
  if (records == seen.lines.end()) return 0;
  EXPECT_EQ(records->time, static_cast<picoseconds>(records->waits) * 100'000);
  return records->waits;
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
  const auto program = [](auto worker) {
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
  };
  const schedulers::counters counted =
      observed<TypeParam>({.costs = round_costs, .prices = {}, .unit_ns = 1}, {.workers = 3},
                          program)
          .counted;
  EXPECT_EQ(counted.jobs_spawned, 4U);
  EXPECT_EQ(counted.steals, 4U);
  EXPECT_EQ(counted.jobs_moved, 4U);
  constexpr bool takes_turns = std::is_same_v<TypeParam, depth_first::scheduler_on<machine>>;
  EXPECT_EQ(counted.attempts_taken, takes_turns ? 5U : 4U) << "what goes on is found, too";
  std::uint64_t busy = 0;
  for (const schedulers::worker_counters& each : counted.per_worker) busy += each.busy_ns;
  EXPECT_GE(busy, 332 * step) << "with what goes on";
  EXPECT_LT(busy, 333 * step);
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

// What the sync of children costs that another worker has run: a transfer of the line of each slot,
// unless the owner has had time to let it come; and one exchange of the deque's state for all.

constexpr std::uint64_t stolen_children = 200;

/// Of the sync of `stolen_children` children and a last one, which all are stolen.
struct sync {
  double ns = 0;            ///< From the end of the last child, or of the owner's own work.
  std::uint64_t waits = 0;  ///< For the state of a deque, of both workers.
};

/// The last child takes `last` ns; the owner works for `own` ns before the sync.
sync sync_of_stolen(std::uint64_t last, std::uint64_t own) {
  settings chosen = exactly();
  chosen.unit_ns = 1;
  sync result{};
  schedulers::options options{.workers = 2, .idle = schedulers::idle_policy::spin};
  options.own = work_stealing::options{.expose = work_stealing::exposure::always};
  const auto program = [&](auto worker) {
    auto group = worker->task_group();
    picoseconds end = 0;
    for (std::uint64_t i = 0; i < stolen_children; ++i)
      group.spawn([](auto) { machine::work(brief); });
    group.spawn([&](auto) {
      machine::work(last);
      end = running.now;
    });
    machine::work(own);
    const picoseconds begin = running.now;
    running.all->begin_window();
    group.sync();
    result.ns = static_cast<double>(running.now - std::max(begin, end)) / 1000;
    for (const line_wait& each : running.all->end_window().lines) {
      if (std::string_view(each.name).starts_with("deques:")) result.waits = each.waits;
    }
  };
  const observed_run run = observed<work_stealing::scheduler_on<machine>>(chosen, options, program);
  EXPECT_EQ(run.counted.jobs_moved, stolen_children + 1);
  return result;
}

TEST(Sync, OfStolenChildrenPaysOnceForTheDequeAndForTheirSlotsUnlessTheyComeWhileItWaits) {
  const sync late = sync_of_stolen(brief, 2 * stolen_children * brief);
  EXPECT_GE(late.ns, stolen_children * round_costs.transfer);
  EXPECT_LE(late.ns, 1.2 * stolen_children * round_costs.transfer);
  EXPECT_LE(late.waits, 10U);
  const sync early = sync_of_stolen(1'000 * brief, stolen_children * brief + 500 * brief);
  EXPECT_LE(early.ns, 0.2 * stolen_children * round_costs.transfer);
  EXPECT_LE(early.waits, 10U);
}

}  // namespace
}  // namespace stealbench::virtual_machine
