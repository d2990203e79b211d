#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/contract/rendezvous.hpp"
#include "schedulers/contract/sleeps_until_woken_machine.hpp"
#include "schedulers/engine/test_slot_fixture.hpp"
#include "schedulers/push_migration/scheduler.hpp"

namespace stealbench::push_migration {
namespace {

using queues = engine::test_queues<queue, policy<engine::looking_machine>::job_links>;
using slot = queues::slot;

/// The jobs that a worker has queued, which it then has no longer.
std::size_t drain(queues& all, unsigned worker) {
  std::size_t count = 0;
  while (all.find_work(worker) != nullptr) ++count;
  return count;
}

TEST(PushMigration, MovesJobsUntilTheLoadsAreEqual) {
  EXPECT_EQ(jobs_to_move(0, 0), 0);
  EXPECT_EQ(jobs_to_move(1, 0), 1) << "who has it has another one under way";
  EXPECT_EQ(jobs_to_move(4, 0), 2);
  EXPECT_EQ(jobs_to_move(2, 1), 0) << "and back again";
  EXPECT_EQ(jobs_to_move(5, 1), 2);
  EXPECT_EQ(jobs_to_move(1, 5), 0) << "changed since it was seen";
  EXPECT_EQ(jobs_to_move(1000, 0), 32);
}

TEST(PushMigration, BalancesOnceInAPeriod) {
  queues all({.workers = 2, .own = push_migration::options{.period = 4}});
  std::vector<slot> jobs(8);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(all.push(0, jobs[i]), 0);
  EXPECT_EQ(all.find_work(1), nullptr);
  EXPECT_EQ(all.push(0, jobs[3]), 1) << "who has received jobs is to be woken";
  EXPECT_EQ(all.find_work(1), &jobs[0]) << "the oldest";
  EXPECT_EQ(all.find_work(1), &jobs[1]);
  EXPECT_EQ(all.find_work(1), nullptr);
  for (std::size_t i = 4; i < 7; ++i) EXPECT_EQ(all.push(0, jobs[i]), 0);
  EXPECT_EQ(all.push(0, jobs[7]), 1);
  EXPECT_EQ(drain(all, 1), 3U);
  EXPECT_EQ(drain(all, 0), 3U);
}

TEST(PushMigration, MovesFromTheLongestQueueToTheShortestWhoeverPushes) {
  queues all({.workers = 4, .own = push_migration::options{.period = 6}});
  std::vector<slot> jobs(13);
  for (std::size_t i = 0; i < 5; ++i) all.push(3, jobs[i]);
  for (std::size_t i = 5; i < 7; ++i) all.push(1, jobs[i]);
  for (std::size_t i = 7; i < 12; ++i) all.push(0, jobs[i]);
  EXPECT_EQ(all.find_work(0), &jobs[7]);
  EXPECT_EQ(all.find_work(0), &jobs[8]);
  EXPECT_EQ(all.push(0, jobs[12]), 2);
  EXPECT_EQ(engine::looking_machine::looks, 4U) << "at each queue";
  EXPECT_EQ(all.find_work(2), &jobs[0]);
  EXPECT_EQ(drain(all, 2), 2U);
  EXPECT_EQ(drain(all, 3), 2U);
  EXPECT_EQ(drain(all, 1), 2U);
  EXPECT_EQ(drain(all, 0), 4U);
}

TEST(PushMigration, JobsInARowGoToDifferentIdleWorkers) {
  queues all({.workers = 4, .own = push_migration::options{.period = 1}});
  std::vector<slot> jobs(4);
  std::vector<int> receivers;
  for (slot& each : jobs) {
    receivers.push_back(all.push(0, each));
    if (receivers.back() != 0) {
      EXPECT_EQ(all.find_work(static_cast<unsigned>(receivers.back())), &each);
    }
  }
  EXPECT_EQ(receivers, (std::vector<int>{1, 2, 3, 1}));
}

TEST(PushMigration, GivesAJobBackWhereverItIs) {
  queues all({.workers = 2, .own = push_migration::options{.period = 2}});
  std::vector<slot> jobs(4);
  all.push(0, jobs[0]);
  EXPECT_EQ(all.push(0, jobs[1]), 1);
  EXPECT_TRUE(all.take_back(0, jobs[1]));
  EXPECT_TRUE(all.take_back(0, jobs[0])) << "has moved";
  EXPECT_FALSE(jobs[0].entry.is_open);
  EXPECT_EQ(drain(all, 1), 0U);
  all.push(0, jobs[2]);
  EXPECT_EQ(all.push(0, jobs[3]), 1);
  EXPECT_EQ(all.find_work(1), &jobs[2]);
  EXPECT_FALSE(all.take_back(0, jobs[2])) << "has moved and been taken";
}

TEST(PushMigration, MovesNothingWhereThereIsOneWorker) {
  queues all({.workers = 1, .own = push_migration::options{.period = 1}});
  std::vector<slot> jobs(3);
  for (slot& each : jobs) EXPECT_EQ(all.push(0, each), 0);
  EXPECT_EQ(drain(all, 0), 3U);
}

// What the strategy promises of idle workers: each step of a worker that has jobs gives some to one
// that has none, and wakes it. Sleepers here never look by themselves.
TEST(PushMigration, WakesWhoeverReceivesJobs) {
  using subject = scheduler_on<schedulers::contract::sleeps_until_woken_machine>;
  for (const unsigned workers : {2U, 3U, 7U}) {
    const schedulers::options chosen{.workers = workers};
    subject scheduler(chosen);
    for (int round = 0; round < 300; ++round) {
      schedulers::contract::rendezvous place(workers);
      scheduler.run([&](auto worker) {
        auto group = worker->task_group();
        for (unsigned i = 0; i < (workers - 1) * schedulers::own_options<options>(chosen).period;
             ++i) {
          group.spawn([&place](auto) { place.arrive(); });
        }
        place.arrive();
        group.sync();
      });
    }
  }
}

}  // namespace
}  // namespace stealbench::push_migration
