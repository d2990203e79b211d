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

/// Two rows and columns.
matrix matrix_of(const std::vector<double>& cells) {
  matrix a(2);
  for (std::size_t i = 0; i < 4; ++i) a.all().at(i / 2, i % 2) = cells[i];
  return a;
}

TEST(Lu, FactorsByHand) {
  matrix a = matrix_of({4, 2, 1, 3});
  lu::factor(serial::worker{}, a.all(), 16);
  EXPECT_EQ(fingerprint(a.all()), fingerprint(matrix_of({4, 2, 0.25, 2.5}).all()));
}

TEST(Cholesky, FactorsByHandWhatIsAboveTheDiagonal) {
  matrix a = matrix_of({4, 2, std::nan(""), 10});
  cholesky::factor(serial::worker{}, a.all(), 16);
  EXPECT_EQ(a.all().at(0, 0), 2);
  EXPECT_EQ(a.all().at(0, 1), 1);
  EXPECT_EQ(a.all().at(1, 1), 3);
}

TEST(LeavesOfFactorisations, AreChargedAsTheyWereFitted) {
  const auto leaf = [](std::size_t columns) { return const_block{nullptr, 16, columns, columns}; };
  EXPECT_EQ(cholesky::units_of_factor(leaf(16)), 136U * 175);
  EXPECT_EQ(cholesky::units_of_solve(leaf(16)), 136U * 146);
  EXPECT_EQ(cholesky::units_of_solve(leaf(32)), 136U * 242);
  EXPECT_EQ(lu::units_of_factor(leaf(16)), 136U * 232);
  EXPECT_EQ(lu::units_of_solve_lower(leaf(16)), 136U * 88);
  EXPECT_EQ(lu::units_of_solve_lower(leaf(32)), 136U * 144);
  EXPECT_EQ(lu::units_of_solve_upper(leaf(16)), 16U * 16 * 232);
  EXPECT_EQ(lu::units_of_solve_upper(leaf(32)), 16U * 32 * 248);
}

TEST(Lu, NoticesThatTheSequentialVersionIsWrongToo) {
  auto in = lu::workload::prepare({lu::workload::describe(), {{"n", "32"}, {"leaf", "16"}}});
  const auto out = lu::workload::run(serial::worker{}, in);
  ASSERT_EQ(lu::workload::verify(in, out), true);
  in.a.all().at(20, 25) += 1e-9;
  in.fingerprint_of_reference = fingerprint(in.a.all());
  EXPECT_EQ(lu::workload::verify(in, out), false);
}

}  // namespace
}  // namespace stealbench::dense
