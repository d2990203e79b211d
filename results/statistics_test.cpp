#include "results/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <stdexcept>

#include <gtest/gtest.h>

namespace stealbench::results {
namespace {

using doubles = std::vector<double>;

doubles one_to(unsigned last) {
  doubles result(last);
  std::iota(result.begin(), result.end(), 1.0);
  return result;
}

TEST(Median, IsTheMiddleOfAnOddNumberOfValues) {
  EXPECT_EQ(median(doubles{7}), 7);
  EXPECT_EQ(median(doubles{9, 1, 5}), 5);
}

TEST(Median, IsTheMidpointOfTheMiddleTwoOfAnEvenNumber) {
  EXPECT_EQ(median(doubles{4, 1}), 2.5);
  EXPECT_EQ(median(doubles{8, 1, 4, 2}), 3);
}

TEST(Median, IsNotMovedByAnOutlier) {
  EXPECT_EQ(median(doubles{1, 2, 3, 4, 5}), median(doubles{1, 2, 3, 4, 1e9}));
}

TEST(Median, RefusesNoValuesAndValuesThatAreNotFinite) {
  EXPECT_THROW((void)median({}), std::invalid_argument);
  EXPECT_THROW((void)median(doubles{1, std::nan("")}), std::invalid_argument);
  EXPECT_THROW((void)median(doubles{1, std::numeric_limits<double>::infinity()}),
               std::invalid_argument);
}

TEST(BootstrapMedianInterval, IsLeastAndGreatestOfFewerThanSixValues) {
  for (unsigned n = 1; n <= 5; ++n) {
    const auto [low, high] = bootstrap_median_interval(one_to(n));
    EXPECT_EQ(low, 1) << n << " values";
    EXPECT_EQ(high, n) << n << " values";
  }
}

TEST(BootstrapMedianInterval, LiesInsideLeastAndGreatestOfSixValues) {
  const auto [low, high] = bootstrap_median_interval(one_to(6));
  EXPECT_GT(low, 1);
  EXPECT_LT(high, 6);
}

// The median of 25 drawn from 25 is at most the k-th value with P(Bin(25, k / 25) >= 13), which is
// 1.0 % for k = 7 and 3.0 % for k = 8. So 2.5 % are cut off at the 8th value, and at the 18th.
TEST(BootstrapMedianInterval, EndsWhereTheBinomialDistributionSays) {
  const auto [low, high] = bootstrap_median_interval(one_to(25));
  EXPECT_EQ(low, 8);
  EXPECT_EQ(high, 18);
}

// The 8th to the 18th of 25 values hold the true median with P(8 <= Bin(25, 1 / 2) <= 17) = 95.7 %.
// With a thousand resamples the 3.0 % above is seen as less than 2.5 % about one time in six, at
// either end, and that end then lies one value further in, at a cost of 3.2 %: 94.6 % are expected.
// A thousand trials have a standard error of 0.7 %; the band leaves three of them to either side.
// Intervals one value narrower or wider at both ends, 89.2 % and 98.5 %, are outside the band.
TEST(BootstrapMedianInterval, HoldsTheTrueMedianAsOftenAsItSays) {
  constexpr unsigned trials = 1000;
  constexpr unsigned sample_size = 25;
  constexpr std::size_t resamples = 1000;  // The default would take a minute under sanitizers.
  const double true_median = std::log(2.0);
  std::mt19937 random(1);
  unsigned held = 0;
  for (unsigned trial = 0; trial < trials; ++trial) {
    doubles values(sample_size);
    // Exponential, by inversion: a tail to the right, as times have.
    for (double& value : values) value = -std::log((static_cast<double>(random()) + 0.5) / 0x1p32);
    const auto [low, high] = bootstrap_median_interval(values, 0.95, resamples, trial);
    if (low <= true_median && true_median <= high) ++held;
  }
  const double coverage = static_cast<double>(held) / trials;
  EXPECT_GE(coverage, 0.925);
  EXPECT_LE(coverage, 0.967);
}

TEST(BootstrapMedianInterval, IsNotStretchedByAnOutlier) {
  doubles values = one_to(25);
  const interval before = bootstrap_median_interval(values);
  values.back() = 1e9;
  const interval after = bootstrap_median_interval(values);
  EXPECT_EQ(after.low, before.low);
  EXPECT_EQ(after.high, before.high);
}

TEST(BootstrapMedianInterval, IsAPointWhereAllValuesAreEqual) {
  const auto [low, high] = bootstrap_median_interval(doubles(10, 3.5));
  EXPECT_EQ(low, 3.5);
  EXPECT_EQ(high, 3.5);
}

TEST(BootstrapMedianInterval, GrowsWithTheConfidence) {
  const interval half = bootstrap_median_interval(one_to(25), 0.5);
  const interval nearly_all = bootstrap_median_interval(one_to(25), 0.99);
  EXPECT_LT(nearly_all.low, half.low);
  EXPECT_GT(nearly_all.high, half.high);
}

TEST(BootstrapMedianInterval, ContainsTheMedianEvenWithOneResample) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    const auto [low, high] = bootstrap_median_interval(one_to(8), 0.95, 1, seed);
    EXPECT_LE(low, 4.5);
    EXPECT_GE(high, 4.5);
  }
}

TEST(BootstrapMedianInterval, DoesNotDependOnTheOrderOfTheValues) {
  doubles values = {3.1, 0.2, 5.7, 1.1, 9.4, 2.2, 8.3, 4.9};
  const interval before = bootstrap_median_interval(values);
  std::reverse(values.begin(), values.end());
  const interval after = bootstrap_median_interval(values);
  EXPECT_EQ(after.low, before.low);
  EXPECT_EQ(after.high, before.high);
}

TEST(BootstrapMedianInterval, RefusesWhatItIsNotDefinedFor) {
  EXPECT_THROW((void)bootstrap_median_interval({}), std::invalid_argument);
  EXPECT_THROW((void)bootstrap_median_interval(doubles{std::nan("")}), std::invalid_argument);
  for (const double confidence : {0.0, 1.0, std::nan("")}) {
    EXPECT_THROW((void)bootstrap_median_interval(doubles{1}, confidence), std::invalid_argument);
  }
  EXPECT_THROW((void)bootstrap_median_interval(doubles{1}, 0.95, 0), std::invalid_argument);
}

TEST(EstimateMedian, IsTheMedianAndItsInterval) {
  const estimate found = estimate_median(one_to(25));
  EXPECT_EQ(found.median, 13);
  EXPECT_EQ(found.around.low, 8);
  EXPECT_EQ(found.around.high, 18);
}

using rank_list = std::vector<unsigned>;
using rows = std::vector<estimate>;

TEST(EstimateRatio, IsTheRatioOfTheMedians) {
  const estimate made = estimate_ratio(doubles{2, 9, 4}, doubles{1, 8, 3});
  EXPECT_EQ(made.median, 4.0 / 3);
}

TEST(EstimateRatio, ReachesFromTheLeastToTheGreatestRatioOfFewerThanSixRounds) {
  const doubles over{3, 8, 5, 14, 6};
  const doubles under{2, 2, 5, 4, 4};
  for (std::size_t rounds = 1; rounds <= over.size(); ++rounds) {
    doubles each;
    for (std::size_t i = 0; i < rounds; ++i) each.push_back(over[i] / under[i]);
    const auto [least, greatest] = std::minmax_element(each.begin(), each.end());
    const estimate made =
        estimate_ratio(std::span(over).first(rounds), std::span(under).first(rounds));
    EXPECT_EQ(made.around.low, *least) << rounds;
    EXPECT_EQ(made.around.high, *greatest) << rounds;
  }
}

TEST(EstimateRatio, IsNotWidenedByWhatSlowsARoundForBoth) {
  const doubles under{1, 10, 2, 30, 5, 1, 7, 100};
  doubles over = under;
  for (double& each : over) each *= 2;
  const estimate made = estimate_ratio(over, under);
  EXPECT_EQ(made.median, 2);
  EXPECT_EQ(made.around.low, 2);
  EXPECT_EQ(made.around.high, 2);
}

TEST(EstimateRatio, DoesNotDependOnTheOrderOfTheRounds) {
  const estimate made =
      estimate_ratio(doubles{1, 2, 3, 5, 8, 13, 21}, doubles{3, 1, 4, 1, 5, 9, 2});
  const estimate reversed =
      estimate_ratio(doubles{21, 13, 8, 5, 3, 2, 1}, doubles{2, 9, 5, 1, 4, 1, 3});
  EXPECT_EQ(made.median, reversed.median);
  EXPECT_EQ(made.around.low, reversed.around.low);
  EXPECT_EQ(made.around.high, reversed.around.high);
}

TEST(EstimateRatio, RefusesWhatItIsNotDefinedFor) {
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_THROW((void)estimate_ratio({}, {}), std::invalid_argument);
  EXPECT_THROW((void)estimate_ratio(doubles{1, 2}, doubles{1}), std::invalid_argument);
  EXPECT_THROW((void)estimate_ratio(doubles{1}, doubles{0}), std::invalid_argument);
  EXPECT_THROW((void)estimate_ratio(doubles{-1}, doubles{1}), std::invalid_argument);
  EXPECT_THROW((void)estimate_ratio(doubles{std::nan("")}, doubles{1}), std::invalid_argument);
  EXPECT_THROW((void)estimate_ratio(doubles{1}, doubles{infinite}), std::invalid_argument);
}

TEST(Ranks, FollowTheMediansWhereIntervalsAreApart) {
  EXPECT_EQ(ranks(rows{{5, {4, 6}}, {1, {0, 2}}, {9, {8, 10}}}), (rank_list{2, 1, 3}));
}

TEST(Ranks, AreSharedByRowsThatCannotBeToldApartAndThenSkipped) {
  EXPECT_EQ(ranks(rows{{1, {0, 3}}, {2, {1, 4}}, {9, {8, 10}}}), (rank_list{1, 1, 3}));
}

TEST(Ranks, AreSharedWhereIntervalsTouch) {
  EXPECT_EQ(ranks(rows{{1, {0, 2}}, {3, {2, 4}}}), (rank_list{1, 1}));
}

TEST(Ranks, CompareWithTheBestOfTheRankAndNotAlongAChain) {
  EXPECT_EQ(ranks(rows{{1, {0, 3}}, {3, {2, 5}}, {5, {4, 7}}}), (rank_list{1, 1, 3}));
}

TEST(Ranks, AreEqualForEqualRows) {
  EXPECT_EQ(ranks(rows{{2, {2, 2}}, {1, {1, 1}}, {2, {2, 2}}}), (rank_list{2, 1, 2}));
}

// Five rows with overlaps and two equal medians, of which the narrower goes first.
TEST(Ranks, DoNotDependOnTheOrderOfTheRows) {
  const rows given{{1, {0, 2}}, {3, {2.5, 3.5}}, {3, {1, 6}}, {5, {4, 7}}, {7, {3.4, 9}}};
  const rank_list expected{1, 2, 2, 4, 4};
  std::array<std::size_t, 5> order{0, 1, 2, 3, 4};
  do {
    rows shuffled;
    rank_list expected_here;
    for (const std::size_t i : order) {
      shuffled.push_back(given[i]);
      expected_here.push_back(expected[i]);
    }
    EXPECT_EQ(ranks(shuffled), expected_here);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(Ranks, OfNoRowsAreNone) { EXPECT_TRUE(ranks({}).empty()); }

TEST(Ranks, RefuseAMedianOutsideItsInterval) {
  EXPECT_THROW((void)ranks(rows{{1, {2, 3}}}), std::invalid_argument);
  EXPECT_THROW((void)ranks(rows{{4, {2, 3}}}), std::invalid_argument);
  EXPECT_THROW((void)ranks(rows{{std::nan(""), {2, 3}}}), std::invalid_argument);
  EXPECT_THROW((void)ranks(rows{{2, {2, std::numeric_limits<double>::infinity()}}}),
               std::invalid_argument);
}

}  // namespace
}  // namespace stealbench::results
