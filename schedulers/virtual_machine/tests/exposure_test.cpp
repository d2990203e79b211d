// When jobs of the split deque become public, in simulated time, where beats come on time: the laws
// of heartbeat scheduling, and what each exposure costs.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <gtest/gtest.h>

#include "schedulers/counters.hpp"
#include "schedulers/engine/sleep/heart.hpp"
#include "schedulers/options.hpp"
#include "schedulers/virtual_machine/tests/test_machine.hpp"
#include "schedulers/work_stealing/scheduler.hpp"

namespace stealbench::virtual_machine {
namespace {

using stealing = work_stealing::scheduler_on<machine>;
using work_stealing::exposure;

constexpr std::int64_t period_ns = 100'000;
constexpr std::int64_t hundred_periods_ps = 100'000 * period_ns;

struct seen {
  double ns;
  schedulers::counters counted;
};

template <class Program>
seen run(unsigned workers, exposure how, const Program& program,
         schedulers::loop_split split = schedulers::loop_split::lazy) {
  const settings machine{
      .costs = round_costs, .prices = {.fork = 2, .call = 1, .spawn = 2, .piece = 1}, .unit_ns = 1};
  schedulers::options options{.workers = workers, .split = split};
  options.own = work_stealing::options{.expose = how, .beat = std::chrono::nanoseconds{period_ns}};
  const observed_run run = observed<stealing>(machine, options, program);
  return {static_cast<double>(run.seen.length) / 1000, run.counted};
}

template <class Program>
std::uint64_t exposed(unsigned workers, exposure how, const Program& program) {
  return run(workers, how, program).counted.jobs_exposed;
}

/// A complete binary tree of forks whose leaves are of `leaf_ns`.
template <class Worker>
void fork_tree(Worker worker, unsigned levels, std::uint64_t leaf_ns) {
  if (levels == 0) return machine::work(leaf_ns);
  worker->fork_join([=](Worker w) { fork_tree(w, levels - 1, leaf_ns); },
                    [=](Worker w) { fork_tree(w, levels - 1, leaf_ns); });
}
auto tree(unsigned levels, std::uint64_t leaf_ns) {
  return [=](auto worker) { fork_tree(worker, levels, leaf_ns); };
}

auto children(unsigned count) {
  return [count](auto worker) {
    auto group = worker->task_group();
    for (unsigned i = 0; i < count; ++i) group.spawn([](auto) {});
  };
}

auto loop(std::size_t indices, std::uint64_t index_ns) {
  return [=](auto worker) {
    worker->parallel_for(0, indices, 1, [=](auto, std::size_t) { machine::work(index_ns); });
  };
}

// The other worker sleeps, has asked, and is not awake before the end.
TEST(Exposure, IsOfTheOldestBranchOfEightChildrenAndAtTheirSyncOfHalfOfMany) {
  EXPECT_EQ(exposed(2, exposure::asked, tree(5, 0)), 1U);
  for (const auto& [spawned, expected] :
       {std::pair{5U, 5U}, {20U, 8U}, {31U, 8U}, {32U, 16U}, {41U, 21U}}) {
    EXPECT_EQ(exposed(2, exposure::asked, children(spawned)), expected) << spawned;
  }
  EXPECT_EQ(exposed(1, exposure::asked, children(100)), 0U) << "no thief";
  EXPECT_EQ(exposed(1, exposure::asked, tree(10, 0)), 0U) << "no worker asks";
  const schedulers::counters beaten = run(2, exposure::heartbeat, children(50'000)).counted;
  EXPECT_GT(beaten.beats, 0U);
  EXPECT_LE(beaten.jobs_exposed, beaten.beats);
}

// A child takes 21 ns here. A worker that asked itself at each would change its flag twice for it.
TEST(Exposure, OfEachChildTakesNoRequest) {
  constexpr unsigned count = 1000;
  const double ns = run(1, exposure::always, children(count)).ns / count;
  EXPECT_LT(ns, 21 + round_costs.rmw);
}

TEST(Heart, BeatsOnceAPeriodInARunAndRestsBetweenRuns) {
  simulated({.costs = round_costs}, [] {
    const std::chrono::nanoseconds period{period_ns};
    engine::heart<machine> beating(period, [] {});
    using scope = engine::heart<machine>::run_scope;
    std::uint64_t before = 0;
    for (int run = 0; run < 3; ++run) {
      {
        const scope scoped(&beating);
        running.all->sleep_for(hundred_periods_ps);
      }
      EXPECT_GE(beating.beats() - before, 99U);
      EXPECT_LE(beating.beats() - before, 101U);
      running.all->sleep_for(hundred_periods_ps);
      before = beating.beats();
      running.all->sleep_for(hundred_periods_ps);
      EXPECT_EQ(beating.beats(), before);
    }
  });
}

TEST(Heart, DoesNotMakeUpForBeatsThatItHasMissed) {
  simulated({.costs = round_costs}, [] {
    bool is_late = true;
    engine::heart<machine> beating(std::chrono::nanoseconds{period_ns}, [&] {
      if (std::exchange(is_late, false)) running.all->sleep_for(hundred_periods_ps / 2);
    });
    const engine::heart<machine>::run_scope scoped(&beating);
    running.all->sleep_for(hundred_periods_ps);
    EXPECT_GE(beating.beats(), 48U);
    EXPECT_LE(beating.beats(), 51U) << "fifty are missed";
  });
}

TEST(Heartbeat, ExposesOneJobABeatAtMostWithOneWorkerAndCostsLittleAtAnyGrain) {
  // Some ten milliseconds of work each, in leaves from nothing at all to ten periods.
  constexpr std::pair<unsigned, std::uint64_t> grains[] = {
      {20, 0}, {17, 100}, {13, 1000}, {10, 10'000}, {7, 100'000}, {4, 1'000'000}};
  for (const auto& [levels, leaf_ns] : grains) {
    const seen beaten = run(1, exposure::heartbeat, tree(levels, leaf_ns));
    EXPECT_LE(beaten.counted.jobs_exposed, beaten.counted.beats) << leaf_ns;
    EXPECT_LE(beaten.counted.beats, beaten.ns / period_ns) << leaf_ns;
    if (leaf_ns < period_ns) {
      EXPECT_GE(beaten.counted.beats, 0.9 * beaten.ns / period_ns - 1) << leaf_ns;
      EXPECT_GE(beaten.counted.jobs_exposed + 3, beaten.counted.beats) << "a look follows at once";
    }
    const double on_request = run(1, exposure::asked, tree(levels, leaf_ns)).ns;
    EXPECT_LE(beaten.ns / on_request, 1.01) << leaf_ns;
  }
}

// The test above could fail.
TEST(Exposure, OfEachJobCostsMuchWhereTasksAreSmallAndCutsALoopDownToItsGrain) {
  const double on_request = run(1, exposure::asked, tree(17, 0)).ns;
  const seen all_exposed = run(1, exposure::always, tree(17, 0));
  EXPECT_GE(all_exposed.ns / on_request, 1.5);
  EXPECT_EQ(all_exposed.counted.jobs_exposed, (1U << 17) - 1) << "all of them";
  EXPECT_EQ(run(1, exposure::always, loop(100, 100)).counted.jobs_spawned, 99U);
  EXPECT_EQ(run(1, exposure::asked, loop(100, 100)).counted.jobs_spawned, 0U);
}

// Every worker but the first waits until it is given a job, which in log2 P beats all are.
TEST(Heartbeat, HasThievesTakeExposedJobsAloneAndSpreadATreeOverAllWorkersInAFewBeats) {
  const auto program = tree(17, 1000);
  const double alone = run(1, exposure::heartbeat, program).ns;
  for (const unsigned workers : {2U, 8U, 64U}) {
    const seen together = run(workers, exposure::heartbeat, program);
    EXPECT_LE(together.counted.steals, together.counted.jobs_exposed);
    EXPECT_LE(together.counted.jobs_exposed, workers * together.counted.beats);
    EXPECT_GT(together.counted.steals, 0U);
    EXPECT_LE(together.ns, alone / workers + 20 * period_ns) << workers;
  }
}

// Of a guided one the other worker's part is one job, and the owner forks no more.
TEST(Heartbeat, CutsALoopInTwoABeatAtMostAndExposesAGuidedOneBetweenTwoPieces) {
  const seen alone = run(1, exposure::heartbeat, loop(100'000, 100));
  EXPECT_LE(alone.counted.jobs_spawned, alone.counted.beats);
  EXPECT_GE(alone.counted.jobs_spawned, 10U);
  for (const unsigned workers : {2U, 8U}) {
    const seen together = run(workers, exposure::heartbeat, loop(100'000, 100));
    EXPECT_LE(together.counted.jobs_spawned, workers * together.counted.beats);
    EXPECT_LE(together.ns, alone.ns / workers + 20 * period_ns);
  }
  const seen guided =
      run(2, exposure::heartbeat, loop(100'000, 100), schedulers::loop_split::guided);
  EXPECT_EQ(guided.counted.jobs_moved, 1U);
}

}  // namespace
}  // namespace stealbench::virtual_machine
