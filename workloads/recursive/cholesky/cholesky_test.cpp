#include "workloads/recursive/cholesky/cholesky.hpp"

#include <cmath>
#include <cstddef>

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

TEST(Cholesky, ChargesItsLeavesAsTheyWereFitted) {
  const auto leaf = [](std::size_t columns) { return const_block{nullptr, 16, columns, columns}; };
  EXPECT_EQ(units_of_factor(leaf(16)), 136U * 175);
  EXPECT_EQ(units_of_solve(leaf(16)), 136U * 146);
  EXPECT_EQ(units_of_solve(leaf(32)), 136U * 242);
}

}  // namespace
}  // namespace stealbench::cholesky
