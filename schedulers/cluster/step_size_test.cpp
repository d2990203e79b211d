#include "schedulers/cluster/step_size.hpp"

#include <chrono>

#include <gtest/gtest.h>

namespace stealbench::cluster {
namespace {

using namespace std::chrono_literals;

TEST(StepSize, IsDoubledBelowATenthOfAMillisecondAndHalvedAboveFour) {
  step_size step;
  EXPECT_EQ(step.tasks(), 16U);
  step.took(99us);
  EXPECT_EQ(step.tasks(), 32U);
  step.took(100us);
  step.took(400us);
  EXPECT_EQ(step.tasks(), 32U);
  step.took(401us);
  EXPECT_EQ(step.tasks(), 16U);
}

TEST(StepSize, StaysBetweenOneTaskAndSixteenMillion) {
  step_size step;
  for (int i = 0; i < 100; ++i) step.took(1s);
  EXPECT_EQ(step.tasks(), 1U);
  for (int i = 0; i < 100; ++i) step.took(1ns);
  EXPECT_EQ(step.tasks(), 16'777'216U);
}

}  // namespace
}  // namespace stealbench::cluster
