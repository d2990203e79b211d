// Checks of the simulation by what is known of schedules, without a measurement: greedy schedules
// of unit tasks, and randomised stealing with a latency.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/central_queue/scheduler.hpp"
#include "schedulers/engine/loop_pace.hpp"
#include "schedulers/virtual_machine/run_queue.hpp"
#include "schedulers/virtual_machine/tests/test_machine.hpp"
#include "schedulers/work_stealing/scheduler.hpp"

namespace stealbench::virtual_machine {
namespace {

/// What a task of unit length takes: so much longer than all else on a machine without costs that
/// a schedule's length in units is told by rounding.
constexpr double unit_ns = 1e6;
constexpr double ps_per_unit = unit_ns * 1000;

using stealing = work_stealing::scheduler_on<machine>;
using central = central_queue::scheduler_on<machine>;

template <class Scheduler, class Program>
observed_run run(unsigned workers, const Program& program) {
  return observed<Scheduler>({.costs = no_costs, .unit_ns = unit_ns}, {.workers = workers},
                             program);
}

/// The time of a program in units of work.
template <class Scheduler, class Program>
double units_taken(unsigned workers, const Program& program) {
  return static_cast<double>(run<Scheduler>(workers, program).seen.length) / ps_per_unit;
}

/// `tasks` children of one group, each of one unit.
auto independent(std::uint64_t tasks) {
  return [tasks](auto worker) {
    auto group = worker->task_group();
    for (std::uint64_t i = 0; i < tasks; ++i) group.spawn([](auto) { machine::work(1); });
    group.sync();
  };
}

/// A complete binary tree of forks, each node of one unit: its own, before its branches.
template <class Worker>
void unit_tree(Worker worker, unsigned levels) {
  machine::work(1);
  if (levels == 1) return;
  worker->fork_join([=](Worker w) { unit_tree(w, levels - 1); },
                    [=](Worker w) { unit_tree(w, levels - 1); });
}

template <class Scheduler>
// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class GreedySchedule : public testing::Test {};
using schedulers_that_are_greedy = testing::Types<stealing, central>;
TYPED_TEST_SUITE(GreedySchedule, schedulers_that_are_greedy);

// Where looking for work costs nothing, a worker idles only if there is no task to be had: each of
// these is a greedy schedule (Graham 1966; Brent 1974). Stealing has made all jobs of a group
// public one half after the other by the time that the workers have come.
TYPED_TEST(GreedySchedule, RunsIndependentTasksInAsFewStepsAsThereCanBe) {
  for (const unsigned workers : {1U, 2U, 3U, 4U, 7U, 64U}) {
    for (const std::uint64_t tasks : {1U, 6U, 7U, 64U, 65U, 1000U}) {
      SCOPED_TRACE(testing::Message() << tasks << " tasks on " << workers);
      const auto [begun, seen, counted] = run<TypeParam>(workers, independent(tasks));
      const auto units_of = [](picoseconds time) {
        return static_cast<double>(time) / ps_per_unit;
      };
      const double fewest = std::ceil(static_cast<double>(tasks) / workers);
      EXPECT_NEAR(units_of(seen.length), fewest, 1e-3);
      EXPECT_EQ(seen.threads, workers);
      EXPECT_EQ(units_of(seen.spent.work), static_cast<double>(tasks));
      EXPECT_EQ(seen.spent.lines, 0);
      EXPECT_NEAR(units_of(seen.spent.search + seen.spent.asleep),
                  workers * fewest - static_cast<double>(tasks), 1e-3 * workers);
      EXPECT_EQ(seen.units, tasks);
      EXPECT_EQ(seen.charged[2], tasks);
      ASSERT_EQ(counted.per_worker.size(), workers);
      double busy = 0;
      std::uint64_t jobs = 0;
      for (const schedulers::worker_counters& each : counted.per_worker) {
        const double units = static_cast<double>(each.busy_ns) / unit_ns;
        EXPECT_NEAR(units, std::round(units), 2e-3 * fewest);
        EXPECT_LE(units, fewest + 0.01);
        busy += units;
        jobs += each.jobs_run;
      }
      // The first worker waits at the group's end where another has the last task.
      EXPECT_GE(busy, static_cast<double>(tasks) - 1e-3);
      EXPECT_LE(busy, static_cast<double>(tasks) + 1.01);
      EXPECT_EQ(jobs, tasks);
      // A task for each worker: all but one of them move, and the root's worker alone has slots.
      if (tasks == workers) {
        EXPECT_EQ(counted.jobs_moved, workers - 1);
        EXPECT_EQ(counted.attempts_taken, workers - 1);
        using slot = std::remove_pointer_t<typename TypeParam::counting_variant::worker>;
        EXPECT_EQ(counted.queue_bytes, workers * sizeof(slot));
      }
    }
  }
}

// (T1 - T∞) / P + T∞ is the bound of Brent 1974, and this program meets it: while its chain runs
// all workers but one idle, and at the end all but one idle again.
TYPED_TEST(GreedySchedule, MeetsItsBoundExactlyOnAChainAndWhatFollowsIt) {
  for (const unsigned workers : {1U, 2U, 5U, 16U, 64U}) {
    constexpr std::uint64_t links = 20;
    const std::uint64_t tasks = 40ULL * workers + 1;
    const auto work = static_cast<double>(links + tasks);
    const auto span = static_cast<double>(links + 1);
    const auto chain_and_tasks = [=](auto worker) {
      for (std::uint64_t i = 0; i < links; ++i) machine::work(1);
      independent(tasks)(worker);
    };
    EXPECT_NEAR(units_taken<TypeParam>(workers, chain_and_tasks), (work - span) / workers + span,
                1e-3)
        << workers;
  }
}

TYPED_TEST(GreedySchedule, KeepsTheBoundsOnTrees) {
  for (const unsigned workers : {1U, 2U, 4U, 16U, 64U, 512U}) {
    constexpr unsigned levels = 10;
    const double units =
        units_taken<TypeParam>(workers, [](auto worker) { unit_tree(worker, levels); });
    const double work = std::exp2(levels) - 1;
    EXPECT_GE(units, std::max(work / workers, static_cast<double>(levels)) - 1e-3) << workers;
    EXPECT_LE(units, work / workers + levels + 1e-3) << workers;
    // A worker for each task of the widest level, so that nothing waits.
    if (workers == 512) {
      EXPECT_NEAR(units, levels, 1e-3);
    }
  }
}

/// A loop of `nothing` indices that take no time and then `units` indices of one unit each.
auto loop_that_turns_slow(std::size_t nothing, std::size_t units) {
  return [=](auto worker) {
    worker->parallel_for(0, nothing + units, 1, [=](auto, std::size_t index) {
      if (index >= nothing) machine::work(1);
    });
  };
}

// A loop of long pieces is offered again after each: each cut takes the worker to its next piece.
// While its pieces are short it is offered more seldom: it may have run as many of the long ones as
// run between two looks.
TYPED_TEST(GreedySchedule, CutsALoopOfLongPiecesAsSoonAsAWorkerIsIdleAndOneThatTurnsLongSoonAfter) {
  for (const unsigned workers : {1U, 2U, 7U, 64U}) {
    constexpr std::size_t units = 2000;
    const double fewest = 1.0 * units / workers;
    const double taken = units_taken<TypeParam>(workers, loop_that_turns_slow(0, units));
    EXPECT_GE(taken, std::ceil(fewest) - 1e-3) << workers;
    EXPECT_LE(taken, fewest + std::log2(units) + 1) << workers;
    EXPECT_LE(units_taken<TypeParam>(workers, loop_that_turns_slow(5000, units)),
              fewest + engine::loop_pace<machine>::most_pieces + std::log2(units) + 1)
        << workers;
  }
}

// A lock, so that what is behind it is changed by one thread at a time and comes with its line.
struct alignas(64) bag {
  machine::atomic<bool> lock;
  std::int64_t units = 0;
};

/// Randomised stealing as that analysis has it, on the machine's own words and without the engine:
/// each thread has a number of units and does one after the other; who has none asks a random other
/// one for half of its own, which takes two latencies, whether there is something or not.
void work_as(unsigned self, std::vector<bag>& bags, std::int64_t& left) {
  std::mt19937 random(self + 1);
  const auto threads = static_cast<unsigned>(bags.size());
  while (left > 0) {
    bag& own = bags[self];
    own.lock.exchange(true, engine::order::acquire);
    if (own.units > 0) {
      --own.units;
      machine::work(1);
      --left;
      continue;
    }
    bag& victim = bags[(self + 1 + static_cast<unsigned>(random() % (threads - 1))) % threads];
    victim.lock.exchange(true, engine::order::acquire);
    const std::int64_t half = victim.units / 2;
    victim.units -= half;
    own.units += half;
  }
}

double time_of_bags(unsigned threads, double units, double latency, std::uint64_t seed) {
  costs only_transfers = no_costs;
  only_transfers.transfer = 2 * latency * unit_ns;
  only_transfers.jitter = 0.2;
  const settings chosen{.costs = only_transfers, .unit_ns = unit_ns, .seed = seed};
  const picoseconds end = simulated(chosen, [&] {
    std::vector<bag> bags(threads);
    auto left = static_cast<std::int64_t>(units);
    bags[0].units = left;
    std::vector<std::unique_ptr<machine::thread>> all;
    for (unsigned i = 0; i < threads; ++i) {
      all.push_back(started([&, i] { work_as(i, bags, left); }));
    }
  });
  return static_cast<double>(end) / ps_per_unit;
}

// Gast, Khatiri, Trystram & Wagner, "A new analysis of Work Stealing with latency" (2018), bound
// the expected time over W / P by a constant times the latency times the logarithm of W over the
// latency. It is a few times that here, over a fiftyfold range of latencies and 16 to 64 threads.
TEST(RandomisedStealing, TakesAFewLatenciesPerHalvingMoreThanItsShareOfTheWork) {
  constexpr double units = 1 << 18;
  for (const double latency : {10.0, 50.0, 500.0}) {
    for (const unsigned threads : {16U, 32U, 64U}) {
      std::vector<double> factors;
      for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const double more = time_of_bags(threads, units, latency, seed) - units / threads;
        factors.push_back(more / (latency * std::log2(units / latency)));
      }
      std::ranges::sort(factors);
      EXPECT_GT(factors[2], 3) << latency << " units of latency, " << threads << " threads";
      EXPECT_LT(factors[2], 9) << latency << " units of latency, " << threads << " threads";
    }
  }
}

struct numbered {
  thread_number number;
  std::size_t place = run_queue<numbered>::nowhere;
};

// Against a list that is sorted anew each time.
TEST(RunQueue, GivesTheEarliestFirstAndEqualsByTheirNumbersAsASortedListDoes) {
  std::mt19937 random(1);  // NOLINT(cert-msc51-cpp): the same each time
  std::vector<numbered> all;
  for (thread_number i = 1; i <= 40; ++i) all.push_back({i});
  run_queue<numbered> queue;
  std::vector<std::pair<picoseconds, numbered*>> expected;
  const auto expected_first = [&] {
    return std::ranges::min_element(
        expected, {}, [](const auto& each) { return std::pair(each.first, each.second->number); });
  };
  for (int step = 0; step < 20'000; ++step) {
    numbered& chosen = all[random() % all.size()];
    const auto clock = static_cast<picoseconds>(random() % 100);
    const bool is_in = chosen.place != run_queue<numbered>::nowhere;
    if (is_in && step % 3 == 0) {
      queue.remove(chosen);
      std::erase_if(expected, [&](const auto& each) { return each.second == &chosen; });
    } else if (!is_in && !expected.empty() && step % 2 == 0) {
      const auto first = expected_first();
      ASSERT_EQ(&queue.exchange_first(chosen, clock), first->second);
      *first = {clock, &chosen};
    } else if (!is_in) {
      queue.add(chosen, clock);
      expected.emplace_back(clock, &chosen);
    } else if (step % 5 == 0) {
      const auto first = expected_first();
      ASSERT_EQ(queue.earliest(), first->first);
      ASSERT_EQ(&queue.take_first(), first->second);
      expected.erase(first);
    }
    ASSERT_EQ(queue.is_empty(), expected.empty());
  }
}

}  // namespace
}  // namespace stealbench::virtual_machine
