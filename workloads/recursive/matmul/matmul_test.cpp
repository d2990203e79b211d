#include "workloads/recursive/matmul/matmul.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/kit/counting_worker.hpp"
#include "workloads/prepared_fixture.hpp"

namespace stealbench::matmul {
namespace {

constexpr auto& prepared = workloads::prepared<workload>;

TEST(Matmul, IsTheProductByDefinition) {
  workload::input in = prepared({{"n", "50"}, {"leaf", "16"}});
  workload::run(serial::worker{}, in);
  for (std::size_t i = 0; i < in.c.side(); ++i) {
    for (std::size_t j = 0; j < in.c.side(); ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < in.c.side(); ++k) {
        sum += in.a.all().at(i, k) * in.b.all().at(k, j);
      }
      ASSERT_EQ(in.c.all().at(i, j), sum) << i << ", " << j;
    }
  }
}

TEST(Matmul, NoticesASingleWrongCell) {
  for (const char* kind : {"ones", "random"}) {
    workload::input in = prepared({{"n", "40"}, {"input", kind}});
    const workload::output out = workload::run(serial::worker{}, in);
    double& cell = in.c.all().at(39, 7);
    for (const double error : {1.0, -1.0, 0.5, 1e300}) {
      const double right = cell;
      cell += error;
      EXPECT_EQ(workload::verify(in, out), false) << kind << " " << error;
      cell = right;
    }
    EXPECT_EQ(workload::verify(in, out), true);
  }
}

TEST(Matmul, ForksAsItsPageSaysWhereverHalvesAreIndependent) {
  // Of m = n / leaf: 3/7 (m^3 - 1).
  const auto forks = [](const char* n) {
    return workload::fork_count(prepared({{"n", n}, {"leaf", "16"}}), {});
  };
  EXPECT_EQ(forks("32"), 3U);
  EXPECT_EQ(forks("64"), 27U);
  EXPECT_EQ(forks("128"), 219U);
}

}  // namespace
}  // namespace stealbench::matmul
