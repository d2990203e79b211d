#include "results/analysis/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <stdexcept>

#include <boost/math/distributions/binomial.hpp>
#include <boost/random/exponential_distribution.hpp>
#include <boost/random/lognormal_distribution.hpp>
#include <boost/random/normal_distribution.hpp>
#include <gtest/gtest.h>

namespace stealbench::analysis {
namespace {

using doubles = std::vector<double>;

doubles one_to(unsigned last) {
  doubles result(last);
  std::iota(result.begin(), result.end(), 1.0);
  return result;
}

interval interval_of(const doubles& values, const resampling& how = {}) {
  return estimate_median(values, how).around;
}

void expect_equal(const estimate& found, const estimate& expected) {
  EXPECT_EQ(found.median, expected.median);
  EXPECT_EQ(found.around.low, expected.around.low);
  EXPECT_EQ(found.around.high, expected.around.high);
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

TEST(MedianInterval, IsLeastAndGreatestOfFewerThanSixValues) {
  for (unsigned n = 1; n <= 5; ++n) {
    expect_equal(estimate_median(one_to(n)), {(n + 1) / 2.0, {1, static_cast<double>(n)}});
  }
}

TEST(MedianInterval, LiesInsideLeastAndGreatestOfSixValues) {
  const auto [low, high] = interval_of(one_to(6));
  EXPECT_GT(low, 1);
  EXPECT_LT(high, 6);
}

// An odd number of values has an exact answer, without drawing anything: the median of n drawn from
// n is at most the k-th value with P(Bin(n, k / n) > n / 2). Boost's binomial distribution is the
// reference implementation.
double exact_lower_end(unsigned n, double cut) {
  const auto part_up_to = [=](unsigned k) {
    if (k == 0) return 0.0;
    if (k == n) return 1.0;
    const boost::math::binomial drawn(n, static_cast<double>(k) / n);
    return cdf(complement(drawn, n / 2));
  };
  double last_middle = 0;
  for (unsigned k = 1; k <= n; ++k) {
    const double middle = (part_up_to(k - 1) + part_up_to(k)) / 2;
    if (middle >= cut) {
      return k == 1 ? 1 : k - 1 + (cut - last_middle) / (middle - last_middle);
    }
    last_middle = middle;
  }
  return n;
}

TEST(MedianInterval, EndsWhereTheBinomialDistributionSays) {
  for (unsigned n = 1; n <= 41; n += 2) {
    const auto [low, high] = interval_of(one_to(n));
    const double expected = exact_lower_end(n, 0.025);
    EXPECT_NEAR(low, expected, 0.15) << n << " values";
    EXPECT_NEAR(high, n + 1 - expected, 0.15) << n << " values";
  }
}

// Where no value is drawn; twice the standard error of a cut in 10,000 draws.
TEST(MedianInterval, OfManyValuesEndsWhereTheBinomialDistributionSays) {
  for (const unsigned n : {101U, 201U, 1001U, 4001U}) {
    const auto [low, high] = interval_of(one_to(n));
    const double expected = exact_lower_end(n, 0.025);
    const double error = 0.3 + 0.027 * std::sqrt(n);
    EXPECT_NEAR(low, expected, error) << n << " values";
    EXPECT_NEAR(high, n + 1 - expected, error) << n << " values";
  }
}

TEST(MedianInterval, OfManyValuesHasTheirMedianInItsMiddle) {
  for (const unsigned n : {101U, 102U, 1000U}) {
    const auto [low, high] = interval_of(one_to(n));
    EXPECT_NEAR((low + high) / 2, (n + 1) / 2.0, 0.04 * std::sqrt(n)) << n << " values";
  }
}

// With a resample for each draw this would be 10^10 draws.
TEST(MedianInterval, OfAMillionValuesDrawsNoResample) {
  const doubles values = one_to(1'000'000);
  const interval alone = interval_of(values);
  EXPECT_NEAR(alone.low, 500'000.5 - 980, 50);
  EXPECT_NEAR(alone.high, 500'000.5 + 980, 50);
  const estimate ratio = estimate_ratio(values, values);
  EXPECT_NEAR(ratio.around.low, 1, 1e-12);
  EXPECT_NEAR(ratio.around.high, 1, 1e-12);
  const estimate apart = estimate_unpaired_ratio(values, values);
  EXPECT_NEAR(apart.around.low, 1 - 1.96 * std::sqrt(2) / 1000, 2e-4);
  EXPECT_NEAR(apart.around.high, 1 + 1.96 * std::sqrt(2) / 1000, 2e-4);
}

// Three distributions whose medians are known; times have a tail to the right, as two of them.
TEST(MedianInterval, HoldsTheTrueMedianAsOftenAsItSays) {
  constexpr unsigned trials = 1000;  // A standard error of 0.7 %.
  constexpr std::size_t resamples = 400;
  std::mt19937_64 random(1);
  boost::random::normal_distribution<> normal(10, 1);
  boost::random::lognormal_distribution<> lognormal(0, 1);
  boost::random::exponential_distribution<> exponential(1);
  const auto expect_coverage = [&](auto& distribution, double true_median, unsigned size) {
    unsigned held = 0;
    doubles values(size);
    for (unsigned trial = 0; trial < trials; ++trial) {
      for (double& value : values) value = distribution(random);
      const auto [low, high] = interval_of(values, {.resamples = resamples, .seed = trial});
      if (low <= true_median && true_median <= high) ++held;
    }
    EXPECT_NEAR(static_cast<double>(held) / trials, 0.95, 0.02) << size << " values";
  };
  for (const unsigned size : {9U, 11U, 15U, 25U, 101U, 150U}) {
    expect_coverage(normal, 10, size);
    expect_coverage(lognormal, 1, size);
    expect_coverage(exponential, std::log(2.0), size);
  }
}

TEST(MedianInterval, IsNotStretchedByAnOutlier) {
  doubles values = one_to(25);
  const estimate before = estimate_median(values);
  values.back() = 1e9;
  expect_equal(estimate_median(values), before);
}

TEST(MedianInterval, IsAPointWhereAllValuesAreEqual) {
  expect_equal(estimate_median(doubles(10, 3.5)), {3.5, {3.5, 3.5}});
}

TEST(MedianInterval, GrowsWithTheConfidence) {
  const interval half = interval_of(one_to(25), {.confidence = 0.5});
  const interval nearly_all = interval_of(one_to(25), {.confidence = 0.99});
  EXPECT_LT(nearly_all.low, half.low);
  EXPECT_GT(nearly_all.high, half.high);
}

TEST(MedianInterval, ContainsTheMedianEvenWithOneResample) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    const auto [low, high] = interval_of(one_to(8), {.resamples = 1, .seed = seed});
    EXPECT_LE(low, 4.5);
    EXPECT_GE(high, 4.5);
  }
}

TEST(MedianInterval, DoesNotDependOnTheOrderOfTheValues) {
  doubles values = {3.1, 0.2, 5.7, 1.1, 9.4, 2.2, 8.3, 4.9};
  const estimate before = estimate_median(values);
  std::reverse(values.begin(), values.end());
  expect_equal(estimate_median(values), before);
}

TEST(MedianInterval, RefusesWhatItIsNotDefinedFor) {
  EXPECT_THROW((void)interval_of({}), std::invalid_argument);
  EXPECT_THROW((void)interval_of({std::nan("")}), std::invalid_argument);
  for (const double confidence : {0.0, 1.0, std::nan("")}) {
    EXPECT_THROW((void)interval_of({1}, {.confidence = confidence}), std::invalid_argument);
  }
  EXPECT_THROW((void)interval_of({1}, {.resamples = 0}), std::invalid_argument);
}

TEST(EstimateRatio, IsTheRatioOfTheMedians) {
  const estimate ratio = estimate_ratio(doubles{2, 9, 4}, doubles{1, 8, 3});
  EXPECT_EQ(ratio.median, 4.0 / 3);
}

TEST(EstimateRatio, ReachesFromTheLeastToTheGreatestRatioOfFewerThanSixRounds) {
  const doubles over{3, 8, 5, 14, 6};
  const doubles under{2, 2, 5, 4, 4};
  for (std::size_t rounds = 1; rounds <= over.size(); ++rounds) {
    doubles each;
    for (std::size_t i = 0; i < rounds; ++i) each.push_back(over[i] / under[i]);
    const auto [least, greatest] = std::minmax_element(each.begin(), each.end());
    const estimate ratio =
        estimate_ratio(std::span(over).first(rounds), std::span(under).first(rounds));
    EXPECT_EQ(ratio.around.low, *least) << rounds;
    EXPECT_EQ(ratio.around.high, *greatest) << rounds;
  }
}

TEST(EstimateRatio, IsNotWidenedByWhatSlowsARoundForBoth) {
  const doubles under{1, 10, 2, 30, 5, 1, 7, 100};
  doubles over = under;
  for (double& each : over) each *= 2;
  expect_equal(estimate_ratio(over, under), {2, {2, 2}});
}

// What slows a round for both cancels by as much as the rounds say: the same interval as by
// resampling them, which bootstrap_rounds_interval does whatever their number.
void expect_ratio_as_by_resampling(std::size_t rounds) {
  std::mt19937_64 random(3);
  boost::random::lognormal_distribution<> disturbance(0, 0.1);
  for (const double shared : {0.0, 0.5, 0.9, 1.0}) {
    doubles over(rounds);
    doubles under(rounds);
    for (std::size_t i = 0; i < over.size(); ++i) {
      const double of_round = disturbance(random);
      const auto mixed = [&] {
        return std::pow(of_round, shared) * std::pow(disturbance(random), 1 - shared);
      };
      over[i] = mixed();
      under[i] = mixed();
    }
    const auto ratio_of = [&](std::span<const std::size_t> drawn) {
      doubles above;
      doubles below;
      for (const std::size_t round : drawn) {
        above.push_back(over[round]);
        below.push_back(under[round]);
      }
      return median(above) / median(below);
    };
    const estimate found = estimate_ratio(over, under);
    const interval resampled = bootstrap_rounds_interval(over.size(), found.median, ratio_of);
    const double width = resampled.high - resampled.low;
    EXPECT_NEAR(found.around.low, resampled.low, 0.12 * width + 1e-12) << shared;
    EXPECT_NEAR(found.around.high, resampled.high, 0.12 * width + 1e-12) << shared;
  }
}

TEST(EstimateRatio, IsAsWideAsByResamplingItsRounds) {
  for (const std::size_t rounds : {9U, 10U, 301U}) expect_ratio_as_by_resampling(rounds);
}

TEST(BootstrapRoundsInterval, CallsTheFigureLessOftenWithManyRounds) {
  const auto calls_with = [](std::size_t rounds) {
    int called = 0;
    (void)bootstrap_rounds_interval(rounds, 1, [&](std::span<const std::size_t> drawn) {
      EXPECT_EQ(drawn.size(), rounds);
      ++called;
      return 1.0;
    });
    return called;
  };
  EXPECT_EQ(calls_with(100), 10'000);
  EXPECT_EQ(calls_with(200), 5000);
  EXPECT_EQ(calls_with(100'000), 1000);
}

TEST(EstimateRatio, DoesNotDependOnTheOrderOfTheRounds) {
  expect_equal(estimate_ratio(doubles{1, 2, 3, 5, 8, 13, 21}, doubles{3, 1, 4, 1, 5, 9, 2}),
               estimate_ratio(doubles{21, 13, 8, 5, 3, 2, 1}, doubles{2, 9, 5, 1, 4, 1, 3}));
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

TEST(EstimateUnpairedRatio, IsTheRatioOfTheMedians) {
  EXPECT_EQ(estimate_unpaired_ratio(doubles{2, 4, 6}, doubles{1, 2}).median, 4 / 1.5);
}

TEST(EstimateUnpairedRatio, OfFewValuesLeavesOutOneWhereTheyHaveNothingInCommon) {
  const auto [low, high] = estimate_unpaired_ratio(doubles{4, 5}, doubles{2, 3}).around;
  EXPECT_EQ(low, 4.0 / 3);
  EXPECT_EQ(high, 2.5);
  EXPECT_LE(estimate_unpaired_ratio(doubles{3, 5}, doubles{2, 3}).around.low, 1);
}

TEST(EstimateUnpairedRatio, OfFewValuesOnOneSideIsARange) {
  const doubles few{4, 5};
  const doubles many{1, 2, 2, 2, 2, 3};
  EXPECT_EQ(estimate_unpaired_ratio(few, many).around.low, 4.0 / 3);
  EXPECT_EQ(estimate_unpaired_ratio(few, many).around.high, 5);
  EXPECT_EQ(estimate_unpaired_ratio(many, few).around.low, 1.0 / 5);
  EXPECT_EQ(estimate_unpaired_ratio(many, few).around.high, 3.0 / 4);
}

TEST(EstimateUnpairedRatio, OfMeasurementsOfTheSameHoldsOneAsOftenAsItSays) {
  constexpr unsigned trials = 300;  // A standard error of 1.3 % at 95 %.
  constexpr unsigned size = 9;
  std::mt19937_64 random(1);
  boost::random::lognormal_distribution<> time(0, 0.1);
  unsigned held = 0;
  for (unsigned trial = 0; trial < trials; ++trial) {
    doubles before(size);
    doubles after(size);
    for (double& value : before) value = time(random);
    for (double& value : after) value = time(random);
    const auto [low, high] = estimate_unpaired_ratio(after, before).around;
    if (low <= 1 && 1 <= high) ++held;
  }
  EXPECT_NEAR(static_cast<double>(held) / trials, 0.95, 0.04);
}

TEST(EstimateUnpairedRatio, FindsFivePercentInSpiteOfOutliers) {
  doubles before = {1.00, 1.01, 1.02, 0.99, 1.00, 1.01, 1.00, 0.99, 1.01, 1.00, 1.02, 9.00};
  doubles after = before;
  for (double& value : after) value *= 1.05;
  const estimate slower = estimate_unpaired_ratio(after, before, 0.99);
  EXPECT_NEAR(slower.median, 1.05, 1e-9);
  EXPECT_GT(slower.around.low, 1);
}

TEST(EstimateUnpairedRatio, RefusesWhatItIsNotDefinedFor) {
  EXPECT_THROW((void)estimate_unpaired_ratio({}, doubles{1}), std::invalid_argument);
  EXPECT_THROW((void)estimate_unpaired_ratio(doubles{1}, doubles{0}), std::invalid_argument);
  EXPECT_THROW((void)estimate_unpaired_ratio(doubles{1}, doubles{1}, 1), std::invalid_argument);
}

TEST(RelativeHalfWidth, IsAPartOfTheMedian) {
  EXPECT_DOUBLE_EQ(relative_half_width({.median = 4, .around = {3, 5}}), 0.25);
}

TEST(GeometricMean, OfAQuotientAndItsInverseIsOne) {
  EXPECT_DOUBLE_EQ(geometric_mean(doubles{8, 0.125}), 1);
  EXPECT_DOUBLE_EQ(geometric_mean(doubles{2, 8}), 4);
  EXPECT_THROW((void)geometric_mean({}), std::invalid_argument);
  EXPECT_THROW((void)geometric_mean(doubles{1, 0}), std::invalid_argument);
}

}  // namespace
}  // namespace stealbench::analysis
