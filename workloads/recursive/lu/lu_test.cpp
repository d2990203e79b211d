#include "workloads/recursive/lu/lu.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/kit/counting_worker.hpp"

namespace stealbench::lu {
namespace {

workload::input prepared(const std::vector<kit::assignment>& assignments) {
  return workload::prepare({workload::describe(), assignments});
}

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

TEST(Lu, GivesTheMatrixBackAtAnySize) {
  for (const char* n : {"1", "2", "16", "17", "33", "64", "100", "131"}) {
    workload::input in = prepared({{"n", n}, {"leaf", "16"}});
    workload::run(serial::worker{}, in);
    EXPECT_LE(residual(in.a.all(), in.seed), 1) << n;
  }
}

TEST(Lu, ShowsAWrongBlockInTheResidual) {
  workload::input in = prepared({{"n", "100"}, {"leaf", "16"}});
  workload::output out = workload::run(serial::worker{}, in);
  workload::corrupt(in, out);
  EXPECT_GT(residual(in.a.all(), in.seed), 1000);
  in.a.all().at(3, 4) = std::nan("");
  EXPECT_FALSE(residual(in.a.all(), in.seed) <= 1);
}

TEST(Lu, NoticesASingleBit) {
  workload::input in = prepared({{"n", "40"}});
  const workload::output out = workload::run(serial::worker{}, in);
  EXPECT_EQ(workload::verify(in, out), true);
  double& cell = in.a.all().at(39, 7);
  cell = std::nextafter(cell, 2.0);
  EXPECT_EQ(workload::verify(in, out), false);
}

TEST(Lu, ForksAsOftenAsItSaysAtAnySize) {
  for (const char* n : {"1", "16", "17", "65", "96", "129"}) {
    workload::input in = prepared({{"n", n}, {"leaf", "16"}});
    std::uint64_t forks = 0;
    const workload::output out = workload::run(kit::counting_worker{&forks}, in);
    EXPECT_EQ(workload::fork_count(in, out), forks) << n;
  }
}

}  // namespace
}  // namespace stealbench::lu
