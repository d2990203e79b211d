// What each program of loops adds to what is tested of all (catalogue_test.cpp, charge_test.cpp).
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/kit/random.hpp"
#include "workloads/loops/heat/heat.hpp"
#include "workloads/loops/mandelbrot/mandelbrot.hpp"
#include "workloads/loops/primes/primes.hpp"
#include "workloads/loops/scan/scan.hpp"
#include "workloads/loops/skewed/skewed.hpp"
#include "workloads/loops/spmv/spmv.hpp"
#include "workloads/prepared_fixture.hpp"

namespace stealbench::heat {
namespace {

constexpr auto& prepared = workloads::prepared<workload>;

TEST(Heat, MakesEachCellTheMeanOfItsNeighbours) {
  grid before(2);
  grid after(2);
  before.row(1)[1] = 1;
  before.row(1)[2] = 2;
  before.row(2)[1] = 4;
  before.row(2)[2] = 8;
  relax_row(before, after, 1);
  relax_row(before, after, 2);
  EXPECT_EQ(after.row(1)[1], 1.5);
  EXPECT_EQ(after.row(1)[2], 2.25);
  EXPECT_EQ(after.row(2)[1], 2.25);
  EXPECT_EQ(after.row(2)[2], 1.5);
}

TEST(Heat, ShowsALostRowAndACellThatIsNoNumberInTheError) {
  workload::input in = prepared({{"n", "100"}, {"steps", "20"}});
  workload::output out = workload::run(serial::worker{}, in);
  workload::corrupt(in, out);
  EXPECT_GT(error_of(in), 1000);
  in.even.row(3)[4] = std::nan("");
  EXPECT_TRUE(std::isnan(error_of(in)));
}

TEST(Heat, NoticesASingleBitAndThatTheSequentialVersionIsWrongToo) {
  workload::input in = prepared({{"n", "30"}, {"steps", "4"}});
  const workload::output out = workload::run(serial::worker{}, in);
  EXPECT_EQ(workload::verify(in, out), true);
  double& cell = in.even.row(30)[7];
  cell = std::nextafter(cell, 2.0);
  EXPECT_EQ(workload::verify(in, out), false);
  in.even.row(15)[15] += 1e-9;
  in.fingerprint_of_reference = in.even.fingerprint();
  EXPECT_EQ(workload::verify(in, out), false);
}

TEST(Heat, RefusesStepsAfterWhichALostRowWouldPass) {
  struct limit {
    const char* n;
    const char* valid;
    const char* refused;
  };
  for (const limit& each : {limit{"1", "1", "2"}, limit{"2", "1021", "1030"},
                            limit{"10", "17100", "17200"}, limit{"83", "1000000", nullptr}}) {
    if (each.refused != nullptr) {
      EXPECT_THROW(prepared({{"n", each.n}, {"steps", each.refused}}), kit::bad_input) << each.n;
    }
    workload::input in = prepared({{"n", each.n}, {"steps", each.valid}});
    if (in.steps > 100'000) continue;
    workload::output out = workload::run(serial::worker{}, in);
    EXPECT_EQ(workload::verify(in, out), true) << each.n;
    workload::corrupt(in, out);
    EXPECT_EQ(workload::verify(in, out), false) << each.n;
  }
}

TEST(Heat, AnswersWithTheMiddleOfThePlateAfterItsLastStep) {
  workload::input in = prepared({{"n", "5"}, {"steps", "3"}});
  const workload::output out = workload::run(serial::worker{}, in);
  EXPECT_NEAR(workload::answer(in, out)["middle"], std::pow(decay(5), 3), 1e-12);
}

}  // namespace
}  // namespace stealbench::heat

namespace stealbench::mandelbrot {
namespace {

constexpr auto& prepared = workloads::prepared<workload>;

/// By the definition, one point at a time.
iterations iterations_of(std::complex<double> c, iterations bound) {
  std::complex<double> z = 0;
  iterations count = 0;
  while (count < bound && std::norm(z) <= 4.0) {
    z = z * z + c;
    ++count;
  }
  return count;
}

TEST(Mandelbrot, FollowsTheDefinitionAtEveryWidthOfARow) {
  // Few iterations, so that rounding, which differs between the two, has no time to grow.
  constexpr iterations bound = 20;
  for (std::uint32_t side = 1; side < 40; ++side) {
    const double step = 2.5 / side;
    for (std::uint32_t row = 0; row < side; ++row) {
      std::vector<iterations> points(side, 0);
      add_row({.side = side, .bound = bound}, row, points);
      for (std::uint32_t column = 0; column < side; ++column) {
        const std::complex<double> c{(column + 0.5) * step - 2.0, (row + 0.5) * step - 1.25};
        EXPECT_EQ(points[column], iterations_of(c, bound)) << c << ", side " << side;
      }
    }
  }
}

TEST(Mandelbrot, HasThePublishedArea) {
  workload::input in = prepared({{"side", "256"}, {"iterations", "2000"}});
  workload::run(serial::worker{}, in);
  const auto within = std::count(in.points.begin(), in.points.end(), in.shown.bound);
  const double area = static_cast<double>(within) * 6.25 / (256.0 * 256.0);
  EXPECT_NEAR(area, 1.5066, 0.02) << "Ewing & Schober 1992 and later counts of pixels";
}

TEST(Mandelbrot, AnswersWithAllIterationsAndThePointsThatHaveNotLeft) {
  workload::input in = prepared({{"side", "2"}, {"iterations", "50"}});
  in.points = {50, 3, 50, 1};
  EXPECT_EQ(workload::answer(in, {}).dump(), R"({"iterations":104,"points_within":2})");
}

}  // namespace
}  // namespace stealbench::mandelbrot

namespace stealbench::primes {
namespace {

constexpr auto& prepared = workloads::prepared<workload>;

TEST(Primes, HasThePublishedCounts) {
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> published{
      {10, 4}, {100, 25}, {1'000, 168}, {10'000, 1'229}, {100'000, 9'592}};
  for (const auto& [limit, count] : published) {
    workload::input in = prepared({{"limit", std::to_string(limit)}});
    EXPECT_EQ(workload::run(serial::worker{}, in), count) << limit;
    EXPECT_EQ(sieved(limit).size(), count) << limit;
  }
}

TEST(Primes, KnowsSquaresAndTheLargestPrimesOf32Bits) {
  const std::vector<std::uint32_t> divisors = sieved(65'537);
  EXPECT_EQ(count_by_division(65'521ULL * 65'521, 65'521ULL * 65'521 + 1, divisors), 0u);
  EXPECT_EQ(count_by_division(4'294'967'291, 4'294'967'296, divisors), 1u) << "2^32 - 5 alone";
  EXPECT_EQ(count_by_division(4'294'967'279, 4'294'967'291, divisors), 1u) << "2^32 - 17 alone";
}

}  // namespace
}  // namespace stealbench::primes

namespace stealbench::scan {
namespace {

constexpr auto& prepared = workloads::prepared<workload>;

TEST(Scan, ScansItsOwnResultInTheNextPass) {
  workload::input in = prepared({{"numbers", "5"}, {"grain", "2"}, {"passes", "3"}});
  in.numbers = {1, 0, 0, 0, 0};
  workload::run(serial::worker{}, in);
  EXPECT_EQ(in.numbers, (std::vector<std::uint64_t>{1, 3, 6, 10, 15}));
  EXPECT_EQ(workload::answer(in, {})["last"], 15);
}

TEST(Scan, NoticesOneWrongNumberAndAPassTooFewOrTooMany) {
  workload::input in = prepared({{"numbers", "1000"}, {"grain", "10"}, {"passes", "2"}});
  const workload::output out = workload::run(serial::worker{}, in);
  for (std::uint64_t* each : {&in.numbers.back(), &in.numbers.front()}) {
    ++*each;
    EXPECT_EQ(workload::verify(in, out), false);
    --*each;
  }
  EXPECT_EQ(workload::verify(in, out), true);
  plain_scan(in.numbers, 0);
  EXPECT_EQ(workload::verify(in, out), false);
  workload::reset(in);
  plain_scan(in.numbers, 0);
  EXPECT_EQ(workload::verify(in, out), false);
}

TEST(Scan, NoticesThatTheSumOfTheLastBlockIsMissing) {
  for (const char* grain : {"10", "1000"}) {
    workload::input in = prepared({{"numbers", "100"}, {"grain", grain}});
    const workload::output out = workload::run(serial::worker{}, in);
    const std::uint64_t last = std::exchange(in.sums.back(), 0);
    EXPECT_EQ(workload::verify(in, out), false) << grain;
    in.sums.back() = last;
    EXPECT_EQ(workload::verify(in, out), true) << grain;
    workload::reset(in);
    EXPECT_EQ(in.sums, std::vector<std::uint64_t>(in.sums.size())) << grain;
  }
}

}  // namespace
}  // namespace stealbench::scan

namespace stealbench::skewed {
namespace {

constexpr auto& prepared = workloads::prepared<workload>;

std::vector<std::uint32_t> costs_of(body_kind body, std::size_t indices) {
  return costs({.body = body, .units = 1000, .alpha = 1.5, .seed = 1}, indices);
}

double mean_of(const std::vector<std::uint32_t>& costs) {
  return static_cast<double>(std::accumulate(costs.begin(), costs.end(), std::uint64_t{0})) /
         static_cast<double>(costs.size());
}

TEST(Skewed, CostsTheMeanWithEveryLaw) {
  EXPECT_DOUBLE_EQ(mean_of(costs_of(body_kind::uniform, 4000)), 1000);
  EXPECT_NEAR(mean_of(costs_of(body_kind::linear, 4000)), 1000, 0.5);
  EXPECT_NEAR(mean_of(costs_of(body_kind::blocks, 4000)), 1000, 0.5);
  EXPECT_NEAR(mean_of(costs_of(body_kind::pareto, 1'000'000)), 1000, 100) << "a sample, capped";
}

TEST(Skewed, RisesLinearlyFromNoughtToTwiceTheMean) {
  const std::vector<std::uint32_t> rising = costs_of(body_kind::linear, 1000);
  EXPECT_TRUE(std::is_sorted(rising.begin(), rising.end()));
  EXPECT_EQ(rising.front(), 1u);
  EXPECT_EQ(rising.back(), 1999u);
}

TEST(Skewed, UsesFourStaticWorkersTo53PerCent) {
  const std::vector<std::uint32_t> all = costs_of(body_kind::blocks, 400);
  std::vector<double> shares;
  for (std::size_t quarter = 0; quarter < 4; ++quarter) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(quarter) * 100;
    shares.push_back(std::accumulate(first, first + 100, 0.0));
  }
  const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
  EXPECT_NEAR(total / (4 * *std::max_element(shares.begin(), shares.end())), 0.536, 0.001);
}

TEST(Skewed, HasAHeavyButCappedTail) {
  std::vector<std::uint32_t> tail = costs_of(body_kind::pareto, 100'000);
  std::sort(tail.begin(), tail.end());
  EXPECT_GE(tail.front(), 333u);
  EXPECT_NEAR(tail[50'000], 1000.0 / 3 * std::pow(2, 1 / 1.5), 10) << "the median";
  EXPECT_GT(tail.back(), 100'000u);
  EXPECT_LE(tail.back(), 1'000'000u);
}

TEST(Skewed, TakesAsManyStepsAsAnIndexCosts) {
  constexpr std::uint32_t units = 1000;
  std::uint64_t state = kit::mixed(3 + kit::golden_gamma);
  for (std::uint32_t unit = 0; unit < units; ++unit) state = kit::mixed(state + kit::golden_gamma);
  EXPECT_EQ(work(3, units), state);
}

TEST(Skewed, NoticesALostIndexAndAWrongResult) {
  workload::input in = prepared({{"indices", "100"}, {"units", "5"}});
  const workload::output out = workload::run(serial::worker{}, in);
  EXPECT_EQ(workload::verify(in, out), true);
  in.visits[17].times = 0;
  EXPECT_EQ(workload::verify(in, out), false);
  in.visits[17].times = 1;
  ++in.visits[17].result;
  EXPECT_EQ(workload::verify(in, out), false);
}

TEST(Skewed, AnswersWithItsVisitsAndTheSumOfTheirResults) {
  workload::input in = prepared({{"indices", "3"}, {"units", "5"}});
  in.visits = {{.result = 10, .times = 1}, {.result = 200, .times = 2}, {.result = 0, .times = 0}};
  EXPECT_EQ(workload::answer(in, {}).dump(), R"({"indices":3,"visits":3,"sum":210})");
  in.visits[2].times = 1;
  EXPECT_EQ(workload::answer(in, {})["visits"], 4);
}

}  // namespace
}  // namespace stealbench::skewed

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
