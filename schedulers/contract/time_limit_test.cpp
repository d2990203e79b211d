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

TEST(TimeLimit, LeavesAloneWhatEnds) { const time_limit limit("nothing"); }

}  // namespace
}  // namespace stealbench::schedulers::contract
