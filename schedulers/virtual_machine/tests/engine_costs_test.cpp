// Each cost of a profile, through the real engines: how often each strategy meets it in a program
// whose forks, spawns, searches and wake-ups are known. costs_test.cpp has the machine alone.
#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <type_traits>

#include <gtest/gtest.h>

#include "schedulers/busy_leaves/scheduler.hpp"
#include "schedulers/central_queue/scheduler.hpp"
#include "schedulers/continuation_stealing/scheduler.hpp"
#include "schedulers/depth_first/scheduler.hpp"
#include "schedulers/pull_migration/scheduler.hpp"
#include "schedulers/push_migration/scheduler.hpp"
#include "schedulers/static_partition/scheduler.hpp"
#include "schedulers/virtual_machine/tests/test_machine.hpp"
#include "schedulers/work_sharing/scheduler.hpp"
#include "schedulers/work_stealing/scheduler.hpp"

namespace stealbench::virtual_machine {
namespace {

/// What is known of a strategy on this machine.
struct events {
  picoseconds locked_per_fork = 0;  ///< Locked operations: two each to lock and to unlock.
  picoseconds fences_per_fork = 0;
  picoseconds forks_per_look = 0;   ///< Of all queues; 0: it never looks as it forks.
  bool calls_alone = false;         ///< A single worker calls both branches, and runs loops whole.
  bool cuts_loops_at_once = false;  ///< Down to the grain: a loop is forks, and no pieces.
  bool looks_at_victims = false;
  bool gives_away = true;  ///< A job to a worker that is idle.
};

template <class Scheduler>
constexpr events known;
template <>
constexpr events known<work_stealing::scheduler_on<machine>>{.looks_at_victims = true};
template <>
constexpr events known<work_stealing::scheduler_over<work_stealing::deques::chase_lev, machine>>{
    .fences_per_fork = 1, .looks_at_victims = true};
// Locks for the push, and to take back.
template <>
constexpr events known<central_queue::scheduler_on<machine>>{.locked_per_fork = 4};
template <>
constexpr events known<work_sharing::scheduler_on<machine>>{.locked_per_fork = 4,
                                                            .cuts_loops_at_once = true};
template <>
constexpr events known<static_partition::scheduler_on<machine>>{.calls_alone = true};
template <>
constexpr events known<pull_migration::scheduler_on<machine>>{.locked_per_fork = 4,
                                                              .looks_at_victims = true};
template <>
constexpr events known<push_migration::scheduler_on<machine>>{
    .locked_per_fork = 4, .forks_per_look = 16, .cuts_loops_at_once = true, .gives_away = false};
template <>
constexpr events known<continuation_stealing::scheduler_on<machine>>{.fences_per_fork = 1,
                                                                     .looks_at_victims = true};
template <>
constexpr events known<busy_leaves::scheduler_on<machine>>{.locked_per_fork = 4};
template <>
constexpr events known<depth_first::scheduler_on<machine>>{.locked_per_fork = 4};

template <class Scheduler>
class EngineCosts : public testing::Test {  // NOLINT: GoogleTest shows it as the suite's name.
 protected:
  static constexpr events known_events = known<Scheduler>;
};
using every_engine =
    testing::Types<work_stealing::scheduler_on<machine>,
                   work_stealing::scheduler_over<work_stealing::deques::chase_lev, machine>,
                   central_queue::scheduler_on<machine>, work_sharing::scheduler_on<machine>,
                   static_partition::scheduler_on<machine>, pull_migration::scheduler_on<machine>,
                   push_migration::scheduler_on<machine>,
                   continuation_stealing::scheduler_on<machine>, busy_leaves::scheduler_on<machine>,
                   depth_first::scheduler_on<machine>>;
struct engine_names {
  template <class Scheduler>
  static std::string GetName(int index) {  // NOLINT(readability-identifier-naming): GoogleTest's
    std::string name(Scheduler::name);
    for (char& each : name) {
      if (each == '-') each = '_';
    }
    return name + "_" + std::to_string(index);
  }
};
TYPED_TEST_SUITE(EngineCosts, every_engine, engine_names);

settings engine_machine() {
  settings chosen = exactly();
  chosen.prices = {.fork = 2, .call = 1, .spawn = 2, .piece = 1};
  chosen.unit_ns = 1;
  return chosen;
}

/// What a run took, and its parts.
struct times {
  picoseconds whole = 0;
  picoseconds first_ended = 0;
  picoseconds second_began = 0;
  window seen;
};

template <class Scheduler, class Program>
times times_of(const settings& chosen, unsigned workers, const Program& program) {
  times taken;
  const auto timed = [&](auto worker) { program(worker, taken); };
  const observed_run run = observed<Scheduler>(chosen, {.workers = workers}, timed);
  taken.seen = run.seen;
  taken.whole = run.seen.length;
  taken.first_ended -= run.begun;
  taken.second_began -= run.begun;
  return taken;
}

/// By how many times of a nanosecond `part` of the times moves where a cost is a nanosecond more.
/// It moves by as many times of any other amount.
template <class Scheduler, class Cost, class Program, class Part>
picoseconds events_of(Cost cost, unsigned workers, const Program& program, const Part& part,
                      settings chosen = engine_machine()) {
  const auto took = [&](double more_ns) {
    settings dearer = chosen;
    if constexpr (std::is_same_v<Cost, double costs::*>) {
      dearer.costs.*cost += more_ns;
    } else {
      dearer.prices.*cost += more_ns;
    }
    return part(times_of<Scheduler>(dearer, workers, program));
  };
  const picoseconds before = took(0);
  const picoseconds by_one = took(1) - before;
  EXPECT_EQ(took(0.25) - before, by_one / 4);
  if constexpr (!std::is_same_v<Cost, double costs::*>) {
    EXPECT_EQ(before - took(-1), by_one);
  }
  EXPECT_EQ(by_one % 1000, 0);
  return by_one / 1000;
}

constexpr auto whole = [](const times& taken) { return taken.whole; };
constexpr auto first_ended = [](const times& taken) { return taken.first_ended; };
constexpr auto second_began = [](const times& taken) { return taken.second_began; };
constexpr auto searching = [](const times& taken) { return taken.seen.spent.search; };
constexpr auto waiting = [](const times& taken) { return taken.seen.spent.lines; };

template <class Worker>
void fork_tree(Worker worker, unsigned levels) {
  if (levels == 0) return;
  worker->fork_join([=](Worker w) { fork_tree(w, levels - 1); },
                    [=](Worker w) { fork_tree(w, levels - 1); });
}
/// 2^levels - 1 forks.
auto forks(unsigned levels) {
  return [=](auto worker, times&) { fork_tree(worker, levels); };
}
auto children(int count) {
  return [=](auto worker, times&) {
    auto group = worker->task_group();
    for (int i = 0; i < count; ++i) group.spawn([](auto) {});
    group.sync();
  };
}
/// Forks from a frame whose own slot, if it has one, a child is in.
constexpr auto forks_beside_children = [](auto worker, times&) {
  auto group = worker->task_group();
  for (int i = 0; i < 3; ++i) {
    group.spawn([](auto) {});
    worker->fork_join([](auto) {}, [](auto) {});
  }
  group.sync();
};
constexpr auto loop_of_twenty = [](auto worker, times&) {
  worker->parallel_for(0, 20, 1, [](auto, std::size_t) {});
};

constexpr auto long_loop = [](auto worker, times&) {
  worker->parallel_for(0, 2000, 1, [](auto, std::size_t) { machine::work(1000); });
};

/// Two branches of which the second is given to a worker that has slept; then that worker, whose
/// branch is short, looks for work until it sleeps.
constexpr auto two_branches = [](auto worker, times& taken) {
  worker->fork_join(
      [&](auto) {
        machine::work(1'000'000);
        taken.first_ended = running.now;
      },
      [&](auto) {
        taken.second_began = running.now;
        machine::work(2'000);
      });
};

TYPED_TEST(EngineCosts, OfEachForkAndOfEachChildAreItsPriceAlone) {
  const bool calls = this->known_events.calls_alone;
  EXPECT_EQ(events_of<TypeParam>(&strategy_prices::fork, 1, forks(10), whole), calls ? 0 : 1023);
  EXPECT_EQ(events_of<TypeParam>(&strategy_prices::call, 1, forks(10), whole), calls ? 1023 : 0);
  EXPECT_EQ(events_of<TypeParam>(&strategy_prices::spawn, 1, forks(10), whole), 0);
  EXPECT_EQ(events_of<TypeParam>(&strategy_prices::piece, 1, forks(10), whole), 0);
  EXPECT_EQ(events_of<TypeParam>(&strategy_prices::spawn, 1, children(100), whole), 100);
  EXPECT_EQ(events_of<TypeParam>(&strategy_prices::fork, 1, children(100), whole), 0);
  EXPECT_EQ(events_of<TypeParam>(&strategy_prices::call, 1, children(100), whole), 0);
}

// A loop is looked at before each piece but the last: whoever cuts it at once forks there. A long
// one is looked at less often than at each piece: here each piece is long enough for a look.
TYPED_TEST(EngineCosts, OfALoopAreThoseOfItsPiecesOrForks) {
  const auto thousand_long = [](auto worker, times&) {
    worker->parallel_for(0, 1000, 1, [](auto, std::size_t) { machine::work(1000); });
  };
  const bool forks = this->known_events.cuts_loops_at_once;
  const auto expect_cuts = [&](picoseconds cuts, const auto& loop) {
    if (this->known_events.calls_alone) cuts = 0;
    EXPECT_EQ(events_of<TypeParam>(&strategy_prices::piece, 1, loop, whole), forks ? 0 : cuts);
    EXPECT_EQ(events_of<TypeParam>(&strategy_prices::fork, 1, loop, whole), forks ? cuts : 0);
  };
  expect_cuts(19, loop_of_twenty);
  expect_cuts(999, thousand_long);
}

TYPED_TEST(EngineCosts, AreCountedAsTheyAreCharged) {
  const auto charged = [](const auto& program) {
    return times_of<TypeParam>(engine_machine(), 1, program).seen.charged;
  };
  using counts = std::array<std::uint64_t, 4>;
  const bool calls = this->known_events.calls_alone;
  EXPECT_EQ(charged(forks(7)), (calls ? counts{0, 127, 0, 0} : counts{127, 0, 0, 0}));
  EXPECT_EQ(charged(children(30)), (counts{0, 0, 30, 0}));
  EXPECT_EQ(charged(forks_beside_children), (calls ? counts{0, 3, 3, 0} : counts{3, 0, 3, 0}));
  const auto of_loop = [&](std::uint64_t looks, std::uint64_t cuts) {
    if (calls) return counts{};
    return this->known_events.cuts_loops_at_once ? counts{cuts, 0, 0, 0} : counts{0, 0, 0, looks};
  };
  EXPECT_EQ(charged(loop_of_twenty), of_loop(19, 19));
  // Of pieces this short 4 run one by one, then 32 at a time, and fewer than 32 again one by one.
  const auto many_short_pieces = [](auto worker, times&) {
    worker->parallel_for(0, 5000, 1, [](auto, std::size_t) {});
  };
  EXPECT_EQ(charged(many_short_pieces), of_loop(4 + 156 + 3, 4999));
}

// Of 1024 forks more, so that what a run does once is not counted; one more level has one more job
// that is the last in its deque.
TYPED_TEST(EngineCosts, OfALockedQueueOrAFenceComeWithEachFork) {
  const auto of_more_forks = [](double costs::*cost) {
    return events_of<TypeParam>(cost, 1, forks(11), whole) -
           events_of<TypeParam>(cost, 1, forks(10), whole);
  };
  const picoseconds one_per_level = this->known_events.fences_per_fork;
  EXPECT_EQ(of_more_forks(&costs::rmw), 1024 * this->known_events.locked_per_fork + one_per_level);
  EXPECT_EQ(of_more_forks(&costs::fence), 1024 * this->known_events.fences_per_fork);
  EXPECT_GE(of_more_forks(&costs::hit), this->known_events.calls_alone ? 0 : 1024);
  const picoseconds per_look = this->known_events.forks_per_look;
  EXPECT_EQ(of_more_forks(&costs::look), per_look == 0 ? 0 : 1024 / per_look);
  for (double costs::*const absent : {&costs::transfer, &costs::membarrier, &costs::interrupt,
                                      &costs::system_call, &costs::sleep, &costs::wake}) {
    EXPECT_EQ(of_more_forks(absent), 0) << "one worker meets no other";
  }
}

TYPED_TEST(EngineCosts, OfAWakeUpComeBetweenAForkAndItsSecondBranch) {
  const bool wakes = this->known_events.gives_away;
  EXPECT_EQ(events_of<TypeParam>(&costs::wake_call, 2, two_branches, first_ended), wakes ? 1 : 0);
  EXPECT_EQ(events_of<TypeParam>(&costs::wake, 2, two_branches, first_ended), 0);
  EXPECT_EQ(events_of<TypeParam>(&costs::wake, 2, two_branches, second_began), wakes ? 1 : 0);
  EXPECT_EQ(events_of<TypeParam>(&costs::look, 2, two_branches, second_began),
            this->known_events.looks_at_victims ? 1 : 0);
  EXPECT_EQ(events_of<TypeParam>(&costs::membarrier, 2, two_branches, second_began), 0);
  // The forking worker is interrupted as its thief falls asleep.
  EXPECT_EQ(events_of<TypeParam>(&costs::interrupt, 2, two_branches, whole), wakes ? 1 : 0);
}

// A search is spin_rounds of ever longer pauses up to four, from one, and then yields; there is a
// look in each round, one before, and the one that has found the branch.
TYPED_TEST(EngineCosts, OfASearchAreThoseOfItsRounds) {
  static_assert(engine::std_machine::limits().spin_rounds == 100 &&
                engine::std_machine::limits().longest_pause == 4);
  static_assert(engine::std_machine::limits().yield_rounds == 20);
  const bool searches = this->known_events.gives_away;
  EXPECT_EQ(events_of<TypeParam>(&costs::yield, 2, two_branches, searching), searches ? 20 : 0);
  EXPECT_EQ(events_of<TypeParam>(&costs::pause, 2, two_branches, searching),
            searches ? 1 + 2 + 3 + 97 * 4 : 0);
  EXPECT_EQ(events_of<TypeParam>(&costs::look, 2, two_branches, searching),
            this->known_events.looks_at_victims ? 2 + 100 + 20 : 0);
}

// Each line comes from the other worker, and none is waited for by both: each wait is a transfer.
TYPED_TEST(EngineCosts, OfLinesAreATransferForEachWait) {
  std::uint64_t waits = 0;
  settings chosen = engine_machine();
  chosen.costs.hit = 0;  // So that nothing of a store's transfer has passed when it is waited for.
  const times taken = times_of<TypeParam>(chosen, 2, two_branches);
  for (const line_wait& each : taken.seen.lines) {
    waits += each.waits;
    EXPECT_EQ(each.time, static_cast<picoseconds>(each.waits) * 100'000) << each.name;
  }
  EXPECT_EQ(waits > 0, this->known_events.gives_away);
  const auto expected = static_cast<picoseconds>(waits);
  EXPECT_EQ(taken.seen.spent.lines, expected * 100'000);
  EXPECT_EQ(events_of<TypeParam>(&costs::transfer, 2, two_branches, waiting, chosen), expected);
  settings two_sockets = chosen;
  two_sockets.costs.processors_per_socket = 1;
  EXPECT_EQ(events_of<TypeParam>(&costs::transfer, 2, two_branches, waiting, two_sockets), 0);
  EXPECT_EQ(events_of<TypeParam>(&costs::remote_transfer, 2, two_branches, waiting, two_sockets),
            expected);
  const picoseconds on_the_way =
      events_of<TypeParam>(&costs::transfer, 2, two_branches, second_began);
  EXPECT_EQ(on_the_way > 0, this->known_events.gives_away)
      << "also between the fork and the branch";
}

TYPED_TEST(EngineCosts, OfReadersOfOneLineDependOnItsGap) {
  const auto lines = [](double gap) {
    settings chosen = engine_machine();
    chosen.costs.shared_gap += gap;
    return times_of<TypeParam>(chosen, 16, long_loop).seen.spent.lines;
  };
  // A part of a loop that was assigned beforehand is read by its worker alone.
  EXPECT_EQ(lines(50) != lines(0), !this->known_events.calls_alone);
}

TYPED_TEST(EngineCosts, ComeWithTheCountsOfTheRun) {
  schedulers::counters seen;
  settings chosen = engine_machine();
  chosen.job_stacks = 2;
  simulated(chosen, [&] {
    typename TypeParam::counting_variant scheduler({.workers = 2, .stack_bytes = test_stack_bytes});
    running.all->await_stillness();
    const schedulers::counters before = scheduler.counters().value();
    running.all->begin_window();
    times unused;
    scheduler.run([&](auto worker) { two_branches(worker, unused); });
    static_cast<void>(running.all->end_window());
    seen = scheduler.counters().value();
    seen.parks -= before.parks;
    seen.attempts_empty -= before.attempts_empty;
    scheduler.run([&](auto worker) { two_branches(worker, unused); });
    EXPECT_EQ(scheduler.counters().value().most_live_jobs, 1U) << "not those of the run before";
  });
  const bool gives = this->known_events.gives_away;
  const bool looks_at_others = gives && !TypeParam::policy::directed;
  const std::uint64_t once = gives ? 1 : 0;
  EXPECT_EQ(seen.jobs_spawned, 1U);
  EXPECT_EQ(seen.jobs_run, 1U);
  EXPECT_EQ(seen.jobs_inlined, 0U);
  EXPECT_EQ(seen.most_live_jobs, 1U);
  EXPECT_EQ(seen.jobs_moved, once);
  EXPECT_EQ(seen.steals, once);
  EXPECT_EQ(seen.wakes, once);
  EXPECT_EQ(seen.parks, once);
  EXPECT_EQ(seen.attempts_taken, looks_at_others ? 1U : 0U);
  EXPECT_EQ(seen.attempts_lost, 0U);
  EXPECT_EQ(seen.attempts_empty, looks_at_others ? 1 + 100 + 20 : 0) << "a look in each round";
  const bool has_private_jobs = std::is_same_v<TypeParam, work_stealing::scheduler_on<machine>>;
  EXPECT_EQ(seen.jobs_exposed, has_private_jobs ? 1U : 0U);
  ASSERT_EQ(seen.per_worker.size(), 2U);
  EXPECT_EQ(seen.per_worker[gives ? 1 : 0].jobs_run, 1U);
  EXPECT_GE(seen.per_worker[0].busy_ns, 1'000'000U);
  EXPECT_EQ(seen.per_worker[1].busy_ns >= 2'000, gives);
  EXPECT_LT(seen.per_worker[1].busy_ns, 8'000U) << "without its search";
}

constexpr int branch_units = 10'000'000;
constexpr int units_between_forks = 1'000'000;

/// Forks `branches` times, each when those that the fork before has woken are at work, or asleep.
template <class Worker>
void fork_long_branches(Worker worker, unsigned branches) {
  if (branches == 0) return machine::work(branch_units);
  worker->fork_join(
      [=](Worker w) {
        machine::work(units_between_forks);
        fork_long_branches(w, branches - 1);
      },
      [](Worker) { machine::work(branch_units); });
}

// A wake-up that is lost or comes twice. Where any worker may take a job, who is woken for it lets
// another one look for more, but the last, beside whom no worker sleeps.
TYPED_TEST(EngineCosts, AreOfOneWakeUpForEachBranchAndOneForItsSearch) {
  using policy = typename TypeParam::policy;
  for (const unsigned workers : {2U, 3U, 5U, 9U}) {
    settings chosen = engine_machine();
    chosen.job_stacks = workers;
    schedulers::counters seen;
    picoseconds took = 0;
    simulated(chosen, [&] {
      typename TypeParam::counting_variant scheduler(
          {.workers = workers, .stack_bytes = test_stack_bytes});
      running.all->await_stillness();
      const schedulers::counters before = scheduler.counters().value();
      running.all->begin_window();
      scheduler.run([&](auto worker) { fork_long_branches(worker, workers - 1); });
      took = running.all->end_window().length;
      running.all->await_stillness();
      seen = scheduler.counters().value();
      seen.parks -= before.parks;
      seen.wakes -= before.wakes;
    });
    EXPECT_EQ(seen.parks, seen.wakes) << "who was woken sleeps again";
    if (policy::team::is_fixed || !this->known_events.gives_away) {
      EXPECT_EQ(seen.wakes, seen.jobs_moved) << workers << " workers";
      continue;
    }
    EXPECT_EQ(seen.jobs_moved, workers - 1);
    EXPECT_EQ(seen.wakes, policy::directed ? workers - 1 : 2 * (workers - 1) - 1) << workers;
    const picoseconds units = branch_units + (workers - 1) * units_between_forks;
    EXPECT_LT(took, (units + units_between_forks) * 1000) << "one branch came after another";
  }
}

/// Forks all branches at once; the last to begin is taken for the second.
template <class Worker>
void fork_at_once(Worker worker, unsigned branches, times& taken) {
  if (branches == 0) return machine::work(branch_units);
  worker->fork_join([&, branches](Worker w) { fork_at_once(w, branches - 1, taken); },
                    [&](Worker) {
                      taken.second_began = std::max(taken.second_began, running.now);
                      machine::work(branch_units);
                    });
}

// The forking worker wakes as many as may search, four, while they are on their way, and these wake
// the others. So eight sleepers are awake after two wake-ups. It were eight if each woke the next,
// and four if a push woke one at a time.
TYPED_TEST(EngineCosts, OfWakeUpsForManyBranchesAreThoseOfATree) {
  using policy = typename TypeParam::policy;
  if (policy::directed || !this->known_events.gives_away)
    GTEST_SKIP() << "each job wakes its own worker";
  const auto program = [](auto worker, times& taken) { fork_at_once(worker, 8, taken); };
  EXPECT_EQ(events_of<TypeParam>(&costs::wake, 9, program, second_began), 2);
}

TYPED_TEST(EngineCosts, OfWorkAreThePriceOfItsUnits) {
  const auto took = [](double unit_ns) {
    settings chosen = engine_machine();
    chosen.unit_ns = unit_ns;
    return times_of<TypeParam>(chosen, 1, two_branches);
  };
  EXPECT_EQ(took(2).whole - took(1).whole, 1'002'000 * 1000);
  EXPECT_EQ(took(2).seen.spent.work, 2 * 1'002'000 * 1000);
  EXPECT_EQ(took(2).seen.units, 1'002'000U);
}

// The second worker is stopped while it falls asleep, which takes long here: it starts, announces
// itself by a system-wide fence, calls the system, sleeps and ends.
TYPED_TEST(EngineCosts, OfAWorkersStartAndSleepDelayItsEnd) {
  const auto took = [](double costs::*cost, double more_ns) {
    settings chosen = engine_machine();
    chosen.job_stacks = 2;
    chosen.costs.sleep = 10'000'000;
    chosen.costs.wake = 0;
    chosen.costs.*cost += more_ns;
    return simulated(chosen, [&] {
      TypeParam scheduler({.workers = 2, .stack_bytes = test_stack_bytes});
      running.all->sleep_for(5'000'000'000);
    });
  };
  for (double costs::*const once :
       {&costs::thread_start, &costs::membarrier, &costs::system_call, &costs::sleep}) {
    EXPECT_EQ(took(once, 7) - took(once, 0), 7'000);
  }
  for (double costs::*const never : {&costs::pause, &costs::yield}) {
    EXPECT_EQ(took(never, 7), took(never, 0)) << "no search, before a window begins";
  }
}

TEST(EngineCosts, OfALoopThatIsCutBeforehandAreThoseOfItsCutsAndPieces) {
  using counts = std::array<std::uint64_t, 4>;
  const auto charged = [](schedulers::loop_split split, unsigned workers, std::size_t indices) {
    return observed<work_stealing::scheduler_on<machine>>(
               engine_machine(), {.workers = workers, .split = split},
               [=](auto worker) { worker->parallel_for(0, indices, 1, [](auto, std::size_t) {}); })
        .seen.charged;
  };
  EXPECT_EQ(charged(schedulers::loop_split::eager, 1, 20), (counts{19, 0, 0, 20}));
  // 10, 5, 2, 1, 1 and 1 indices.
  EXPECT_EQ(charged(schedulers::loop_split::guided, 1, 20), (counts{0, 0, 0, 6}));
  // 10, 8, 7, 6, 6, 5, 4, 4, 3, 3, 3, 2, 2, 2 and 15 times 1, whoever takes them.
  EXPECT_EQ(charged(schedulers::loop_split::guided, 4, 80), (counts{0, 0, 3, 29}));
}

// From the third child on each of two inboxes has a job that no worker has begun.
TEST(EngineCosts, OfAPlacementByLoadAreALookAtEachFurtherInbox) {
  const auto spawning_took = [](double more_ns) {
    settings chosen = engine_machine();
    chosen.costs.look += more_ns;
    picoseconds took = 0;
    schedulers::options options{.workers = 2};
    options.own = work_sharing::options{.place = work_sharing::placement_rule::least};
    observed<work_sharing::scheduler_on<machine>>(chosen, options, [&](auto worker) {
      const picoseconds begin = running.now;
      auto group = worker->task_group();
      for (int i = 0; i < 10; ++i) group.spawn([](auto) { machine::work(1'000'000); });
      took = running.now - begin;
      group.sync();
    });
    return took;
  };
  EXPECT_EQ(spawning_took(1) - spawning_took(0), 8'000);
}

}  // namespace
}  // namespace stealbench::virtual_machine
