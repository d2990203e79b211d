#include "workloads/recursive/lu/lu.hpp"

#include <cstddef>

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

TEST(Lu, ChargesItsLeavesAsTheyWereFitted) {
  const auto leaf = [](std::size_t columns) { return const_block{nullptr, 16, columns, columns}; };
  EXPECT_EQ(units_of_factor(leaf(16)), 136U * 232);
  EXPECT_EQ(units_of_solve_lower(leaf(16)), 136U * 88);
  EXPECT_EQ(units_of_solve_lower(leaf(32)), 136U * 144);
  EXPECT_EQ(units_of_solve_upper(leaf(16)), 16U * 16 * 232);
  EXPECT_EQ(units_of_solve_upper(leaf(32)), 16U * 32 * 248);
}

TEST(Lu, NoticesThatTheSequentialVersionIsWrongToo) {
  workload::input in = workload::prepare({workload::describe(), {{"n", "32"}, {"leaf", "16"}}});
  const workload::output out = workload::run(serial::worker{}, in);
  ASSERT_EQ(workload::verify(in, out), true);
  in.a.all().at(20, 25) += 1e-9;
  in.fingerprint_of_reference = dense::fingerprint(in.a.all());
  EXPECT_EQ(workload::verify(in, out), false);
}

}  // namespace
}  // namespace stealbench::lu
