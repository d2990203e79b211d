#include "workloads/loops/spmv/spmv.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/prepared_fixture.hpp"

namespace stealbench::spmv {
namespace {

constexpr auto& prepared = workloads::prepared<workload>;

TEST(Spmv, DrawsRowsByTheLaw) {
  constexpr std::size_t rows = 100'000;
  const std::vector<std::size_t> lengths =
      row_law{.rows = rows, .shortest = 4, .longest = 1000, .tail = 1.2, .seed = 1}.lengths();
  EXPECT_EQ(*std::min_element(lengths.begin(), lengths.end()), 4u);
  EXPECT_EQ(*std::max_element(lengths.begin(), lengths.end()), 1000u);
  for (const std::size_t x : {8U, 40U, 400U}) {
    const auto found = std::count_if(lengths.begin(), lengths.end(),
                                     [=](std::size_t length) { return length >= x; });
    const double expected = rows * std::pow(4.0 / static_cast<double>(x), 1.2);
    // Five standard deviations of a Poisson count.
    EXPECT_NEAR(static_cast<double>(found), expected, 5 * std::sqrt(expected)) << x;
  }
}

TEST(Spmv, MultipliesByTheRowsOfTheMatrix) {
  // Unit vectors show the matrix's columns, and their sum is the product with all ones.
  workload::input in = prepared({{"rows", "50"}, {"longest", "30"}, {"products", "1"}});
  workload::run(serial::worker{}, in);
  std::vector<double> sum(50);
  for (std::size_t j = 0; j < 50; ++j) {
    std::vector<double> unit(50);
    unit[j] = 1;
    for (std::size_t i = 0; i < 50; ++i) sum[i] += in.matrix.row_product(i, unit);
  }
  for (std::size_t i = 0; i < 50; ++i) {
    EXPECT_NEAR(in.odd[i], sum[i], 1e-14) << i;
    EXPECT_GE(in.odd[i], 0.5);
    EXPECT_LE(in.odd[i], 1.5);
  }
}

TEST(Spmv, ReadsAllPartsOfTheVectorAlike) {
  constexpr std::size_t rows = 1000;
  const workload::input in = prepared({{"rows", "1000"}, {"longest", "30"}});
  for (std::size_t first = 0; first < rows; first += rows / 10) {
    std::vector<double> tenth(rows);
    std::fill_n(tenth.begin() + static_cast<std::ptrdiff_t>(first), rows / 10, 1);
    double sum = 0;
    for (std::size_t row = 0; row < rows; ++row) sum += in.matrix.row_product(row, tenth);
    EXPECT_NEAR(sum, 100, 25) << first << ": five standard deviations from a tenth";
  }
}

TEST(Spmv, NoticesASingleBit) {
  workload::input in = prepared({{"rows", "100"}, {"products", "2"}});
  const workload::output out = workload::run(serial::worker{}, in);
  EXPECT_EQ(workload::verify(in, out), true);
  in.even[99] = std::nextafter(in.even[99], 2.0);
  EXPECT_EQ(workload::verify(in, out), false);
}

TEST(Spmv, RefusesALongestRowBelowTheShortestAndProductsThatLeaveTheRangeOfDoubles) {
  EXPECT_THROW(prepared({{"shortest", "5"}, {"longest", "4"}}), kit::bad_input);
  // A matrix of one cell, which is between 0.5 and 1.5.
  std::vector<kit::assignment> one{{"rows", "1"}, {"shortest", "1"}, {"longest", "1"}};
  for (const char* seed : {"1", "2", "3", "5", "6"}) {
    one.insert(one.end(), {{"seed", seed}, {"products", "10000"}});
    workload::input in = prepared(one);
    const workload::output out = workload::run(serial::worker{}, in);
    EXPECT_THROW(workload::verify(in, out), kit::bad_input) << seed;
    one.resize(3);
  }
}

TEST(Spmv, AnswersWithTheSumOfTheLastProduct) {
  workload::input in =
      prepared({{"rows", "20"}, {"shortest", "3"}, {"longest", "3"}, {"products", "2"}});
  in.even.assign(20, 0.5);
  const nlohmann::ordered_json answer = workload::answer(in, {});
  EXPECT_EQ(answer["cells"], 60);
  EXPECT_EQ(answer["sum"], 10.0);
}

}  // namespace
}  // namespace stealbench::spmv
