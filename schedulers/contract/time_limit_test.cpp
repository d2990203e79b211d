#include "schedulers/contract/time_limit.hpp"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

namespace stealbench::schedulers::contract {
namespace {

using std::chrono::seconds;

TEST(TimeLimitDeathTest, EndsTheProcessAndSaysWhatHasHungAndWhichThreadsSleep) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto hang = [] {
    const time_limit limit("two that meet", states_of_threads, seconds{0});
    for (;;) std::this_thread::sleep_for(seconds{1});
  };
  EXPECT_EXIT(hang(), testing::ExitedWithCode(1),
              "not ended after 0 s: two that meet. [0-9]+ of its threads run, [0-9]+ sleep");
}

/// Goes on when the test says so.
struct clock_by_hand {
  using duration = std::chrono::nanoseconds;
  using time_point = std::chrono::time_point<clock_by_hand>;
  static inline time_point time;
  static time_point now() { return time; }
};

TEST(WaitingTime, IsOverAfterAsManyLooksAsTheLimitHas) {
  waiting_time<clock_by_hand> waited(seconds{2}, std::chrono::milliseconds{10});
  for (int look = 1; look < 400; ++look) {
    clock_by_hand::time += std::chrono::milliseconds{5};
    ASSERT_FALSE(waited.is_over()) << look;
  }
  clock_by_hand::time += std::chrono::milliseconds{5};
  EXPECT_TRUE(waited.is_over());
  EXPECT_TRUE(waited.is_over());
}

TEST(WaitingTime, TakesTheTimeInWhichAProcessIsStoppedForOneLook) {
  waiting_time<clock_by_hand> waited(seconds{2}, std::chrono::milliseconds{10});
  for (int stop = 1; stop < 200; ++stop) {
    clock_by_hand::time += std::chrono::hours{1};
    ASSERT_FALSE(waited.is_over()) << stop;
  }
  clock_by_hand::time += std::chrono::hours{1};
  EXPECT_TRUE(waited.is_over());
}

TEST(TimeLimit, LeavesAloneWhatEnds) { const time_limit limit("nothing"); }

}  // namespace
}  // namespace stealbench::schedulers::contract
