// Whose jobs a worker runs while it waits: with `join=leapfrog` those of the worker that has the
// job which it waits for, and of no other; with `join=wait` none.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/contract/test_limit.hpp"
#include "schedulers/contract/time_limit.hpp"
#include "schedulers/counters.hpp"
#include "schedulers/engine/memory_model.hpp"
#include "schedulers/options.hpp"
#include "schedulers/timeline.hpp"
#include "schedulers/virtual_machine/tests/test_machine.hpp"
#include "schedulers/work_stealing/every_deque.hpp"
#include "schedulers/work_stealing/scheduler.hpp"

namespace stealbench::work_stealing {
namespace {

/// One fork: who ran its second branch, and whose jobs the forking thread ran while it waited.
struct fork_record {
  std::thread::id runner;
  std::vector<std::thread::id> ran_meanwhile;
};

struct tally {
  std::atomic<unsigned> stolen{0};  ///< Second branches that another worker ran.
  std::atomic<unsigned> ran_meanwhile{0};
  std::atomic<unsigned> of_another{0};  ///< Of these, jobs of another worker than the runner.
};

// The fork that this thread waits for, in the innermost closure that it runs.
thread_local fork_record* awaited = nullptr;

template <class Worker>
// NOLINTNEXTLINE(misc-no-recursion): a tree
void fork_tree(Worker worker, unsigned depth, tally& counts) {
  if (depth == 0) return std::this_thread::sleep_for(std::chrono::microseconds{100});
  const std::thread::id forker = std::this_thread::get_id();
  fork_record own;
  worker->fork_join(
      [&](auto w) {
        fork_tree(w, depth - 1, counts);
        awaited = &own;
      },
      [&](auto w) {
        own.runner = std::this_thread::get_id();
        fork_record* const outer = std::exchange(awaited, nullptr);
        if (outer != nullptr && own.runner != forker) outer->ran_meanwhile.push_back(forker);
        fork_tree(w, depth - 1, counts);
        awaited = outer;
      });
  awaited = nullptr;
  if (own.runner != forker) ++counts.stolen;
  for (const std::thread::id each : own.ran_meanwhile) {
    ++counts.ran_meanwhile;
    if (each != own.runner) ++counts.of_another;
  }
}

/// Forks trees until `enough`; false if a minute is not long enough.
template <class Scheduler, class Enough>
bool fork_trees_until(schedulers::join_policy join, tally& counts, const Enough& enough) {
  Scheduler scheduler(schedulers::options{.workers = 4, .join = join});
  schedulers::contract::waiting_time<> waited;
  while (!enough() && !waited.is_over()) {
    scheduler.run([&](auto worker) { fork_tree(worker, 7, counts); });
  }
  return enough();
}

template <class Deque>
// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Leapfrog : public testing::Test {};

struct deque_names {
  template <class Deque>
  // NOLINTNEXTLINE(readability-identifier-naming): GoogleTest calls it so.
  static std::string GetName(int /*index*/) {
    std::string name(Deque::name);
    std::replace(name.begin(), name.end(), '-', '_');  // It begins what a filter leaves out.
    return name;
  }
};

TYPED_TEST_SUITE(Leapfrog, deques::every<testing::Types>, deque_names);

TYPED_TEST(Leapfrog, RunsOnlyJobsOfTheWorkerThatHasTheAwaitedOne) {
  tally counts;
  EXPECT_TRUE(fork_trees_until<scheduler_over<TypeParam>>(
      schedulers::join_policy::leapfrog, counts, [&] { return counts.ran_meanwhile >= 100; }));
  EXPECT_EQ(counts.of_another, 0U) << "of " << counts.ran_meanwhile;
}

TYPED_TEST(Leapfrog, RunsNoJobWhileItOnlyWaits) {
  tally counts;
  EXPECT_TRUE(fork_trees_until<scheduler_over<TypeParam>>(schedulers::join_policy::wait, counts,
                                                          [&] { return counts.stolen >= 200; }));
  EXPECT_EQ(counts.ran_meanwhile, 0U);
}

// The tests above could fail.
TYPED_TEST(Leapfrog, RunsJobsOfOthersWithoutLeapfrogging) {
  tally counts;
  EXPECT_TRUE(fork_trees_until<scheduler_over<TypeParam>>(schedulers::join_policy::any, counts,
                                                          [&] { return counts.of_another > 0; }));
}

/// Counted in simulated time.
template <class Program>
schedulers::counters count(
    schedulers::join_policy join, schedulers::timeline* recorded, const Program& program,
    unsigned workers = 2, schedulers::searcher_limit searchers = schedulers::searcher_limit::half) {
  using namespace virtual_machine;
  schedulers::counters seen;
  simulated({.costs = round_costs, .unit_ns = 1, .job_stacks = workers}, [&] {
    scheduler_on<machine>::counting_variant scheduler({.workers = workers,
                                                       .stack_bytes = test_stack_bytes,
                                                       .join = join,
                                                       .searchers = searchers,
                                                       .recording = recorded});
    running.all->await_stillness();
    scheduler.run(program);
    seen = scheduler.counters().value();
  });
  return seen;
}

/// Worker 0 works for a millisecond and then waits for nine.
schedulers::counters count_long_wait(schedulers::join_policy join, schedulers::timeline* recorded) {
  using virtual_machine::machine;
  schedulers::counters seen = count(join, recorded, [](auto worker) {
    worker->fork_join([](auto) { machine::work(1'000'000); },
                      [](auto) { machine::work(10'000'000); });
  });
  EXPECT_EQ(seen.jobs_moved, 1U);
  return seen;
}

// Beside another one that waits, though no more than one idle worker may look for work.
TEST(LongWait, OfAHundredMicrosecondsIsSpentAwake) {
  using virtual_machine::machine;
  schedulers::timeline recorded(3, 10'000);
  const auto program = [](auto worker) {
    virtual_machine::running.all->begin_window();
    worker->fork_join([](auto) { machine::work(80'000); },
                      [](auto thief) {
                        thief->fork_join([](auto) { machine::work(50'000); },
                                         [](auto) { machine::work(150'000); });
                      });
  };
  const schedulers::counters seen =
      count(schedulers::join_policy::any, &recorded, program, 3, schedulers::searcher_limit::one);
  EXPECT_EQ(seen.jobs_moved, 2U);
  for (const schedulers::interval& each : recorded.of(0).intervals()) {
    EXPECT_NE(each.what, schedulers::activity::parked);
  }
}

TEST(LongWait, IsNoBusyTimeAndRecordedAsASearchAndASleepWhateverTheWorkerMayRunMeanwhile) {
  using schedulers::join_policy;
  for (const join_policy join : {join_policy::any, join_policy::leapfrog, join_policy::wait}) {
    SCOPED_TRACE(static_cast<int>(join));
    schedulers::timeline recorded(2, 10'000);
    EXPECT_LT(count_long_wait(join, &recorded).per_worker.front().busy_ns, 2'000'000U);
    std::uint64_t failed_steals = 0;
    unsigned parks = 0;
    for (const schedulers::interval& each : recorded.of(0).intervals()) {
      failed_steals += each.failed_steals;
      parks += each.what == schedulers::activity::parked ? 1U : 0U;
    }
    EXPECT_GE(parks, 1U);
    EXPECT_EQ(failed_steals == 0, join == join_policy::wait) << failed_steals;
  }
}

/// Of worker 0.
std::uint64_t failed_steals_before_it_parks(const schedulers::timeline& recorded) {
  std::uint64_t failed_steals = 0;
  for (const schedulers::interval& each : recorded.of(0).intervals()) {
    if (each.what == schedulers::activity::parked) return failed_steals;
    failed_steals = each.failed_steals;
  }
  ADD_FAILURE() << "it does not";
  return 0;
}

TEST(LongWait, IsAsPatientAfterAJobOfTheOtherWorkerAsBefore) {
  using virtual_machine::machine;
  constexpr auto leapfrog = schedulers::join_policy::leapfrog;
  schedulers::timeline plain(2, 10'000);
  count_long_wait(leapfrog, &plain);
  schedulers::timeline with_job(2, 10'000);
  const schedulers::counters seen = count(leapfrog, &with_job, [](auto worker) {
    machine::atomic<bool> is_stolen{false};
    worker->fork_join(
        [&](auto) {
          while (!is_stolen.load(engine::order::relaxed)) machine::spin();
        },
        [&](auto w) {
          is_stolen.store(true, engine::order::relaxed);
          machine::work(50'000);  // Worker 0 looks for work meanwhile, and does not park yet.
          w->fork_join([](auto) { machine::work(10'000'000); }, [](auto) {});
        });
  });
  EXPECT_EQ(seen.jobs_moved, 2U);
  EXPECT_EQ(failed_steals_before_it_parks(with_job), failed_steals_before_it_parks(plain));
}

}  // namespace
}  // namespace stealbench::work_stealing
