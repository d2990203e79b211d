// Products and factorisations of matrices, beside what is tested of all workloads.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/kit/dense/factorisation.hpp"
#include "workloads/prepared_fixture.hpp"
#include "workloads/recursive/cholesky/cholesky.hpp"
#include "workloads/recursive/lu/lu.hpp"
#include "workloads/recursive/matmul/matmul.hpp"
#include "workloads/recursive/strassen/strassen.hpp"

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
  lu::workload::factor(serial::worker{}, a.all(), 16);
  EXPECT_EQ(fingerprint(a.all()), fingerprint(matrix_of({4, 2, 0.25, 2.5}).all()));
}

TEST(Cholesky, FactorsByHandWhatIsAboveTheDiagonal) {
  matrix a = matrix_of({4, 2, std::nan(""), 10});
  cholesky::workload::factor(serial::worker{}, a.all(), 16);
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

namespace stealbench::strassen {
namespace {

constexpr auto& prepared = workloads::prepared<workload>;

TEST(Strassen, IsTheProductByDefinition) {
  for (const char* n : {"1", "2", "16", "32", "64"}) {
    workload::input in = prepared({{"n", n}, {"leaf", "16"}});
    workload::run(serial::worker{}, in);
    dense::matrix expected(in.c.side());
    dense::add_product(expected.all(), in.a.all(), in.b.all());
    EXPECT_EQ(dense::fingerprint(in.c.all()), dense::fingerprint(expected.all())) << n;
  }
}

TEST(Strassen, NoticesALostProductOfTheFirstStep) {
  workload::input in = prepared({{"n", "64"}, {"leaf", "16"}});
  const workload::output out = workload::run(serial::worker{}, in);
  // The second product, (A21 + A22) B11, belongs to C21 and, taken away, to C22.
  const node step(in.c.all(), in.a.all(), in.b.all());
  const operand& sum = step.part(1).left;
  for (std::size_t i = 0; i < step.half(); ++i) sum.add_row(i);
  dense::add_product(in.c.all().below(32).left(32), sum.value(), step.part(1).right.value(), -1);
  EXPECT_EQ(workload::verify(in, out), false);
}

TEST(Strassen, RefusesWhatIsNoPowerOfTwo) {
  EXPECT_THROW(prepared({{"n", "100"}}), kit::bad_input);
  EXPECT_THROW(prepared({{"n", "128"}, {"leaf", "24"}}), kit::bad_input);
}

}  // namespace
}  // namespace stealbench::strassen
