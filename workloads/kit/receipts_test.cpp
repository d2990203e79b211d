#include "workloads/kit/receipts.hpp"

#include <cstdint>

#include <gtest/gtest.h>

#include "workloads/kit/steps.hpp"

namespace stealbench::kit {
namespace {

TEST(Steps, LeadWhereALeapLeads) {
  for (std::uint64_t steps = 0; steps < 70; ++steps) {
    EXPECT_EQ(leap(steps).of(42), stepped(42, steps)) << steps;
  }
  EXPECT_EQ(leap(1'000'003).of(7), stepped(7, 1'000'003));
}

TEST(Receipts, AreCompleteOnceEveryTaskHasRun) {
  for (const std::uint64_t tasks : {1U, 7U, 8U, 15U, 16U, 17U, 127U, 128U, 129U, 1000U}) {
    receipts done(tasks, 3);
    for (std::uint64_t task = tasks; task-- > 0;) {
      EXPECT_FALSE(done.complete()) << tasks << " tasks, " << task;
      done.perform(task);
    }
    EXPECT_TRUE(done.complete()) << tasks;
    EXPECT_EQ(done.ran_once(), tasks);
  }
}

TEST(Receipts, ShowATaskThatRanTwice) {
  receipts done(20, 0);
  for (std::uint64_t task = 0; task < 20; ++task) done.perform(task);
  done.perform(0);
  EXPECT_EQ(done.ran_once(), 19u);
}

TEST(Receipts, ShowALostTaskAndCanBeCleared) {
  receipts done(1, 5);
  done.perform(0);
  done.lose_last();
  EXPECT_FALSE(done.complete());
  done.clear();
  done.perform(0);
  EXPECT_TRUE(done.complete());
}

TEST(Receipts, PerformARangeOfTasksOnceEach) {
  receipts done(20, 3);
  done.perform_in_order(0, 5);
  done.perform_in_order(5, 14);
  EXPECT_EQ(done.ran_once(), 19u);
  done.perform_in_order(19, 1);
  EXPECT_TRUE(done.complete());
}

TEST(Receipts, HaveLanesOfAnOddNumberOfCacheLines) {
  constexpr std::uint64_t lanes = 16;
  constexpr std::uint64_t line_bytes = 64;
  for (std::uint64_t tasks = 0; tasks < 20'000; tasks += 128) {  // One line more in each lane.
    EXPECT_EQ(receipts::bytes_for(tasks) / lanes / line_bytes % 2, 1u) << tasks;
  }
}

/// A worker in simulated time that says what it was charged for.
struct charged_machine {
  static inline std::uint64_t units = 0;
  static void work(std::uint64_t added) { units += added; }
};
struct told_worker {
  using machine = charged_machine;
};

TEST(Receipts, ChargeTheWorkerForATask) {
  charged_machine::units = 0;
  receipts done(2, 5);
  told_worker told;
  done.perform(&told, 1);
  EXPECT_EQ(done.ran_once(), 1u);
  EXPECT_EQ(charged_machine::units, done.units());
}

}  // namespace
}  // namespace stealbench::kit
