#include <functional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/engine/std_machine.hpp"
#include "schedulers/engine/test_slot_fixture.hpp"
#include "schedulers/pull_migration/scheduler.hpp"

namespace stealbench::pull_migration {
namespace {

using queues = engine::test_queues<queue, policy<engine::looking_machine>::job_links>;
using slot = queues::slot;

TEST(PullMigration, KeepsAJobInTheQueueOfWhoPushedIt) {
  queues all({.workers = 3});
  std::vector<slot> jobs(2);
  EXPECT_EQ(all.push(1, jobs[0]), engine::placement::shared);
  EXPECT_EQ(all.push(1, jobs[1]), engine::placement::shared);
  EXPECT_TRUE(all.take_back(1, jobs[1]));
  EXPECT_FALSE(jobs[1].entry.is_open);
  EXPECT_EQ(all.find_work(1), &jobs[0]);
  EXPECT_FALSE(all.take_back(1, jobs[0]));
  EXPECT_FALSE(all.of(1).has_work());
}

TEST(PullMigration, LooksIntoItsOwnQueueFirst) {
  queues all({.workers = 2});
  std::vector<slot> jobs(3);
  all.push(1, jobs[0]);
  all.push(1, jobs[1]);
  all.push(0, jobs[2]);
  EXPECT_EQ(all.find_work(0), &jobs[2]);
  EXPECT_EQ(all.tried.empty, 0U);
  EXPECT_EQ(all.tried.taken, 0U) << "its own is no attempt";
  EXPECT_FALSE(all.of(0).sees_more());
}

TEST(PullMigration, TakesTheOldestJobOfTheLongestQueue) {
  queues all({.workers = 5});
  std::vector<slot> jobs(6);
  all.push(1, jobs[0]);
  for (unsigned i = 1; i < 4; ++i) all.push(2, jobs[i]);
  for (unsigned i = 4; i < 6; ++i) all.push(3, jobs[i]);
  EXPECT_EQ(all.find_work(0), &jobs[1]);
  EXPECT_EQ(all.tried.empty, 1U) << "one of the others has no job";
  EXPECT_EQ(all.tried.taken, 1U);
  EXPECT_TRUE(all.of(0).sees_more());
  // Now two have two jobs each: each thief takes from the next one on its right.
  EXPECT_EQ(all.find_work(0), &jobs[2]);
  EXPECT_EQ(all.find_work(4), &jobs[4]);
}

TEST(PullMigration, AsksEachWorkerInTurnWhereThereIsNoJob) {
  queues all({.workers = 3});
  std::vector<unsigned> victims;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(all.find_work(0), nullptr);
    EXPECT_EQ(all.tried.empty, 2U);
    EXPECT_EQ(all.tried.lost + all.tried.taken, 0U);
    victims.push_back(all.tried.latest);
  }
  EXPECT_EQ(victims, (std::vector<unsigned>{1, 2, 0}));
  EXPECT_EQ(engine::looking_machine::looks, 3U * 2U) << "each at two others";
}

/// On which something happens before a lock is taken.
struct interrupted_machine : engine::std_machine {
  static inline std::function<void()> before_next_lock;
  struct mutex {
    static void lock() {
      if (const auto happens = std::exchange(before_next_lock, {})) happens();
    }
    static void unlock() {}
  };
};

struct interrupted_slot : engine::test_slot<policy<interrupted_machine>::job_links> {
  using machine = interrupted_machine;
};

TEST(PullMigration, LosesTheJobThatAnotherTakesBetweenTheLookAndTheLock) {
  queue<interrupted_slot>::shared lists({.workers = 3});
  queue<interrupted_slot> owner(lists, 0, nullptr, nullptr);
  queue<interrupted_slot> rival(lists, 1, nullptr, nullptr);
  queue<interrupted_slot> loser(lists, 2, nullptr, nullptr);
  interrupted_slot job{};
  owner.push(job, 0);
  engine::steal_attempts of_rival;
  interrupted_machine::before_next_lock = [&] { EXPECT_EQ(rival.find_work(of_rival), &job); };
  engine::steal_attempts tried;
  EXPECT_EQ(loser.find_work(tried), nullptr);
  EXPECT_EQ(of_rival.taken, 1U);
  EXPECT_EQ(tried.lost, 1U);
  EXPECT_EQ(tried.empty, 1U) << "the rival's own queue";
  EXPECT_EQ(tried.taken, 0U);
}

}  // namespace
}  // namespace stealbench::pull_migration
