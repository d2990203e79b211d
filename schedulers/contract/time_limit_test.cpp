#include "schedulers/contract/time_limit.hpp"

#include <chrono>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <thread>

#include <gtest/gtest.h>

#include "schedulers/contract/test_limit.hpp"

namespace stealbench::schedulers::contract {
namespace {

using std::chrono::seconds;

TEST(TimeLimitDeathTest, EndsTheProcessAndSaysWhatHasHungAndWhichThreadsSleep) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto hang = [] {
    const time_limit limit("two that meet", describe_threads, seconds{0});
    for (;;) std::this_thread::sleep_for(seconds{1});
  };
  EXPECT_EXIT(hang(), testing::ExitedWithCode(1),
              "not ended after 0 s: two that meet. [0-9]+ of its threads run, [0-9]+ sleep");
}

const testing::TestInfo* test_named(std::string_view suite, std::string_view name) {
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const testing::TestSuite& each = *all.GetTestSuite(i);
    for (int j = 0; each.name() == suite && j < each.total_test_count(); ++j) {
      if (each.GetTestInfo(j)->name() == name) return each.GetTestInfo(j);
    }
  }
  return nullptr;
}

/// Goes on when the test says so.
struct clock_by_hand {
  using duration = std::chrono::nanoseconds;
  using time_point = std::chrono::time_point<clock_by_hand>;
  static inline time_point time;
  static time_point now() { return time; }
};

/// The look, of those that are so far apart, at which a limit of 2 s with a look each 10 ms is
/// over.
int look_that_finds_it_over(clock_by_hand::duration apart) {
  waiting_time<clock_by_hand> waited(seconds{2}, std::chrono::milliseconds{10});
  for (int look = 1; look < 1000; ++look) {
    clock_by_hand::time += apart;
    if (!waited.is_over()) continue;
    EXPECT_TRUE(waited.is_over()) << "it stays so";
    return look;
  }
  return 0;
}

TEST(WaitingTime, IsOverAfterAsManyLooksAsTheLimitHasAndTakesAStopForOneLook) {
  EXPECT_EQ(look_that_finds_it_over(std::chrono::milliseconds{5}), 400);
  EXPECT_EQ(look_that_finds_it_over(std::chrono::hours{1}), 200);
}

TEST(TimeLimit, LeavesAloneWhatEnds) { const time_limit limit("nothing"); }

TEST(TestLimitDeathTest, EndsTheProcessAndNamesTheTest) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto hang = [] {
    limits_tests limits(seconds{0});
    testing::TestEventListener& listener = limits;
    listener.OnTestStart(*test_named("TimeLimit", "LeavesAloneWhatEnds"));
    std::this_thread::sleep_for(std::chrono::minutes{1});
  };
  EXPECT_EXIT(
      hang(), testing::ExitedWithCode(1),
      "not ended after 0 s: the test TimeLimit.LeavesAloneWhatEnds: a worker may sleep that "
      "should run something. [0-9]+ of its threads run, [0-9]+ sleep");
}

// By a thread beside the one that runs the test.
TEST(TestLimit, WatchesATest) {
  EXPECT_GT(std::distance(std::filesystem::directory_iterator("/proc/self/task"), {}), 1);
}

}  // namespace
}  // namespace stealbench::schedulers::contract
