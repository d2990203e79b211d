#include "workloads/recursive/cholesky/cholesky.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "schedulers/serial/scheduler.hpp"

namespace stealbench::cholesky {
namespace {

TEST(Cholesky, FactorsByHand) {
  dense::matrix a(2);
  a.all().at(0, 0) = 4;
  a.all().at(0, 1) = 2;
  a.all().at(1, 0) = std::nan("");
  a.all().at(1, 1) = 10;
  factor(serial::worker{}, a.all(), 16);
  EXPECT_EQ(a.all().at(0, 0), 2);
  EXPECT_EQ(a.all().at(0, 1), 1);
  EXPECT_EQ(a.all().at(1, 1), 3);
}

}  // namespace
}  // namespace stealbench::cholesky
