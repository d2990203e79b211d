#include <algorithm>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/engine/test_slot_fixture.hpp"
#include "schedulers/work_sharing/scheduler.hpp"

namespace stealbench::work_sharing {
namespace {

using queues = engine::test_queues<queue, policy<engine::looking_machine>::job_links>;
using slot = queues::slot;

std::vector<int> push_all(queues& all, unsigned worker, std::vector<slot>& jobs) {
  std::vector<int> placed;
  placed.reserve(jobs.size());
  for (slot& each : jobs) placed.push_back(all.push(worker, each));
  return placed;
}

TEST(WorkSharing, PlacesJobsOnEachWorkerInTurn) {
  queues all({.workers = 3});
  std::vector<slot> jobs(5);
  EXPECT_EQ(push_all(all, 1, jobs), (std::vector<int>{2, 0, 1, 2, 0}));
  EXPECT_EQ(all.find_work(0), &jobs[1]);
  EXPECT_TRUE(all.take_back(1, jobs[0]));
}

TEST(WorkSharing, PlacesJobsOnEveryWorkerAlikeAtRandom) {
  queues all({.workers = 4, .own = work_sharing::options{.place = placement_rule::random}});
  std::vector<slot> jobs(4000);
  const std::vector<int> placed = push_all(all, 0, jobs);
  for (int worker = 0; worker < 4; ++worker) {
    const auto count = std::count(placed.begin(), placed.end(), worker);
    EXPECT_GT(count, 850) << worker;  // Five standard deviations; the seed is fixed.
    EXPECT_LT(count, 1150) << worker;
  }
  const std::vector<int> in_turn{1, 2, 3, 0, 1, 2, 3, 0};
  EXPECT_FALSE(std::equal(in_turn.begin(), in_turn.end(), placed.begin()));
}

TEST(WorkSharing, PlacesTheJobsOfEachWorkerOnOthersAtRandom) {
  queues all({.workers = 4, .own = work_sharing::options{.place = placement_rule::random}});
  std::vector<slot> jobs(100);
  std::vector<slot> more(100);
  const std::vector<int> one = push_all(all, 0, jobs);
  EXPECT_NE(push_all(all, 1, more), one) << "else all would come to one inbox at once";
}

TEST(WorkSharing, PlacesJobsInTheInboxWithTheFewest) {
  queues all({.workers = 3, .own = work_sharing::options{.place = placement_rule::least}});
  std::vector<slot> jobs(7);
  EXPECT_EQ(push_all(all, 0, jobs), (std::vector<int>{1, 2, 0, 1, 2, 0, 1}));
  EXPECT_EQ(engine::looking_machine::looks, 4U * 2U) << "once each inbox has a job";
  for (int i = 0; i < 2; ++i) EXPECT_NE(all.find_work(2), nullptr);
  std::vector<slot> more(4);
  EXPECT_EQ(push_all(all, 0, more), (std::vector<int>{2, 2, 0, 2}));
  EXPECT_EQ(all.find_work(0), &jobs[2]);
}

}  // namespace
}  // namespace stealbench::work_sharing
