#include <vector>

#include <gtest/gtest.h>

#include "schedulers/central_queue/scheduler.hpp"
#include "schedulers/contract/test_limit.hpp"
#include "schedulers/engine/test_slot_fixture.hpp"

namespace stealbench::central_queue {
namespace {

using queues = engine::test_queues<queue, policy<engine::looking_machine>::job_links>;
using slot = queues::slot;

TEST(CentralQueue, GivesTheOldestJobToWhoeverAsks) {
  queues all({.workers = 2});
  std::vector<slot> jobs(3);
  for (slot& each : jobs) all.push(0, each);
  EXPECT_EQ(all.find_work(1), &jobs[0]);
  EXPECT_TRUE(all.take_back(0, jobs[2]));
  EXPECT_EQ(all.find_work(0), &jobs[1]);
  EXPECT_EQ(all.find_work(0), nullptr);
}

TEST(CentralQueue, GivesTheNewestJobInLifoOrder) {
  queues all({.workers = 2, .own = central_queue::options{.order = taking_order::lifo}});
  std::vector<slot> jobs(3);
  for (slot& each : jobs) all.push(0, each);
  EXPECT_EQ(all.find_work(1), &jobs[2]);
  EXPECT_TRUE(all.take_back(0, jobs[0]));
  EXPECT_EQ(all.find_work(0), &jobs[1]);
  EXPECT_EQ(all.find_work(0), nullptr);
}

TEST(CentralQueue, AsksEachWorkerInTurnWhereThereIsNoJob) {
  queues all({.workers = 3});
  std::vector<unsigned> asked;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(all.find_work(0), nullptr);
    EXPECT_EQ(all.tried.empty, 1U);
    EXPECT_EQ(all.tried.taken, 0U);
    asked.push_back(all.tried.latest);
  }
  EXPECT_EQ(asked, (std::vector<unsigned>{1, 2, 0}));
  slot job{};
  all.push(1, job);
  EXPECT_EQ(all.find_work(0), &job);
  EXPECT_EQ(all.tried.taken, 1U);
  EXPECT_EQ(all.tried.empty, 0U);
}

}  // namespace
}  // namespace stealbench::central_queue
