#include "workloads/kit/dense/factorisation.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/recursive/cholesky/cholesky.hpp"
#include "workloads/recursive/lu/lu.hpp"

namespace stealbench::dense {
namespace {

template <class Workload>
// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Factorisation : public testing::Test {
 protected:
  static factorisation_input prepared(const std::string& n, const std::string& leaf) {
    return Workload::prepare({Workload::describe(), {{"n", n}, {"leaf", leaf}}});
  }
  static double residual(const factorisation_input& in) {
    return Workload::residual(in.a.all(), in.seed);
  }
};
using workloads = testing::Types<lu::workload, cholesky::workload>;
TYPED_TEST_SUITE(Factorisation, workloads);

TYPED_TEST(Factorisation, GivesTheMatrixBackAtAnySize) {
  for (const char* const n : {"1", "2", "16", "17", "33", "64", "100", "131"}) {
    factorisation_input in = this->prepared(n, "16");
    TypeParam::run(serial::worker{}, in);
    EXPECT_LE(this->residual(in), 1) << n;
  }
}

TYPED_TEST(Factorisation, ShowsAWrongBlockInTheResidual) {
  factorisation_input in = this->prepared("100", "16");
  auto out = TypeParam::run(serial::worker{}, in);
  TypeParam::corrupt(in, out);
  EXPECT_FALSE(this->residual(in) <= 1000);
  in.a.all().at(3, 4) = std::nan("");
  EXPECT_FALSE(this->residual(in) <= 1);
}

TEST(InRoundings, KeepsANanWhateverFollows) {
  EXPECT_TRUE(std::isnan(in_roundings(std::vector{1.0, std::nan(""), 0.5})));
  EXPECT_GT(in_roundings(std::vector{1.0, -8.0, 0.5}), in_roundings(std::vector{1.0, -2.0, 0.5}));
}

TYPED_TEST(Factorisation, NoticesASingleBit) {
  factorisation_input in = this->prepared("40", "64");
  const auto out = TypeParam::run(serial::worker{}, in);
  EXPECT_EQ(TypeParam::verify(in, out), true);
  double& cell = in.a.all().at(7, 39);
  cell = std::nextafter(cell, 2.0);
  EXPECT_EQ(TypeParam::verify(in, out), false);
}

TYPED_TEST(Factorisation, ForksAsOftenAsItSaysAtAnySize) {
  for (const char* const n : {"1", "16", "17", "65", "96", "129"}) {
    factorisation_input in = this->prepared(n, "16");
    std::uint64_t forks = 0;
    const auto out = TypeParam::run(kit::counting_worker{&forks}, in);
    EXPECT_EQ(TypeParam::fork_count(in, out), forks) << n;
  }
}

}  // namespace
}  // namespace stealbench::dense
