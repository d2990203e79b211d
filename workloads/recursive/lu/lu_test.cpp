#include "workloads/recursive/lu/lu.hpp"

#include <gtest/gtest.h>

#include "schedulers/serial/scheduler.hpp"

namespace stealbench::lu {
namespace {

TEST(Lu, FactorsByHand) {
  dense::matrix a(2);
  a.all().at(0, 0) = 4;
  a.all().at(0, 1) = 2;
  a.all().at(1, 0) = 1;
  a.all().at(1, 1) = 3;
  factor(serial::worker{}, a.all(), 16);
  EXPECT_EQ(a.all().at(0, 0), 4);
  EXPECT_EQ(a.all().at(0, 1), 2);
  EXPECT_EQ(a.all().at(1, 0), 0.25);
  EXPECT_EQ(a.all().at(1, 1), 2.5);
}

}  // namespace
}  // namespace stealbench::lu
