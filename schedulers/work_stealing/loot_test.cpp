// Thieves that take half of the victim's jobs: which jobs they take, that none is lost or run
// twice, and that all that may run at once do, also where a worker waits for a job with others in
// its own deque.
#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "schedulers/contract/rendezvous.hpp"
#include "schedulers/contract/sleeps_until_woken_machine.hpp"
#include "schedulers/work_stealing/rings_fixture.hpp"
#include "schedulers/work_stealing/scheduler.hpp"

namespace stealbench::work_stealing {
namespace {

using schedulers::contract::rendezvous;
using schedulers::contract::sleeps_until_woken_machine;

schedulers::options taking_half(unsigned workers) {
  return {.workers = workers, .own = work_stealing::options{.amount = steal_amount::half}};
}

template <class Deque>
// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Loot : public testing::Test {};
TYPED_TEST_SUITE(Loot, rings::types, ring_names);

void wait_until(const std::atomic<bool>& flag) {
  while (!flag) std::this_thread::yield();
}

/// Which child the only thief runs first: it comes when as many are in its victim's deque.
template <class Deque>
int first_of_thief_among(int children) {
  scheduler_over<Deque> scheduler(taking_half(2));
  std::atomic<bool> thief_is_busy{false};
  std::atomic<bool> all_spawned{false};
  std::atomic<int> first_of_thief{-1};
  scheduler.run([&](auto worker) {
    const auto victim = std::this_thread::get_id();
    worker->fork_join(
        [&](auto w) {
          wait_until(thief_is_busy);
          auto group = w->task_group();
          for (int i = 0; i < children; ++i) {
            group.spawn([&, victim, i](auto) {
              int none = -1;
              if (std::this_thread::get_id() != victim) {
                first_of_thief.compare_exchange_strong(none, i);
              }
            });
          }
          all_spawned = true;
          while (first_of_thief == -1) std::this_thread::yield();
          group.sync();
        },
        [&](auto) {
          thief_is_busy = true;
          wait_until(all_spawned);
        });
  });
  return first_of_thief;
}

TYPED_TEST(Loot, IsHalfOfTheJobsOfWhichTheThiefRunsTheYoungestFirst) {
  EXPECT_EQ(first_of_thief_among<TypeParam>(16), 7);
}

TYPED_TEST(Loot, IsNoMoreThan32JobsHoweverManyThereAre) {
  EXPECT_EQ(first_of_thief_among<TypeParam>(200), 31);
}

// There is room for few jobs. verify/engine/loot_relacy.cpp searches all that small programs do.
TYPED_TEST(Loot, IsRunOnceAlsoWhereTheThiefsDequeIsFull) {
  typename scheduler_over<narrow<TypeParam>>::counting_variant scheduler(taking_half(3));
  std::vector<std::atomic<int>> leaves(1 << 12);
  for (int round = 1; round <= 20; ++round) {
    scheduler.run([&](auto w) { count_leaves(w, leaves.data(), leaves.size()); });
    for (std::size_t i = 0; i < leaves.size(); ++i) ASSERT_EQ(leaves[i], round) << i;
  }
  const auto seen = scheduler.counters().value();
  EXPECT_EQ(seen.jobs_spawned, seen.jobs_run);
  EXPECT_GT(seen.steals, 0U);
  EXPECT_LE(seen.jobs_moved, seen.steals) << "a worker may find its own";
  EXPECT_LE(seen.jobs_moved, seen.attempts_taken) << "each job of the loot is one";
}

/// Every worker must run a leaf at once, or the innermost branch.
template <class Worker>
// NOLINTNEXTLINE(misc-no-recursion): a chain
void meet_in_a_chain(Worker worker, rendezvous& place, unsigned closures) {
  if (closures == 1) return place.arrive();
  worker->fork_join([&, closures](auto w) { meet_in_a_chain(w, place, closures - 1); },
                    [&](auto) { place.arrive(); });
}
template <class Worker>
void meet_in_a_group(Worker worker, rendezvous& place, unsigned closures) {
  auto group = worker->task_group();
  for (unsigned i = 1; i < closures; ++i) group.spawn([&place](auto) { place.arrive(); });
  group.sync();
}

// On a machine whose sleepers do not look by themselves. The first branch of each round ends before
// the second one's children meet, so that its owner waits for them with loot in its deque.
TYPED_TEST(Loot, IsNotLeftToAWorkerThatDoesNotComeForIt) {
  for (const unsigned workers : {2U, 3U, 5U}) {
    scheduler_over<TypeParam, sleeps_until_woken_machine> scheduler(taking_half(workers));
    for (int round = 0; round < 1000; ++round) {
      rendezvous first(workers);
      rendezvous second(workers);
      scheduler.run([&](auto worker) {
        meet_in_a_chain(worker, first, workers);
        worker->fork_join([](auto) {},
                          [&, workers](auto w) { meet_in_a_group(w, second, workers + 1); });
      });
    }
  }
}

}  // namespace
}  // namespace stealbench::work_stealing
