#include "results/analysis/evidence.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>

#include <boost/math/distributions/students_t.hpp>
#include <boost/random/exponential_distribution.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_01.hpp>
#include <gtest/gtest.h>

namespace stealbench::analysis {
namespace {

using doubles = std::vector<double>;
using ranks_of_table = std::vector<unsigned>;

/// Six times around a value, which scatter by 1 %.
doubles six_around(double value) {
  doubles values;
  for (const double part : {0.99, 1.01, 1.0, 0.995, 1.005, 1.002}) values.push_back(value * part);
  return values;
}

/// Values whose logarithms are 1 to n times the factor.
doubles exponentials(unsigned n, double factor) {
  doubles values;
  for (unsigned i = 1; i <= n; ++i) values.push_back(std::exp(factor * i));
  return values;
}

TEST(DifferencePValue, IsThatOfWelchsTest) {
  // Logarithms 1 to 6 and 2, 4, ... 2 n: means 3.5 and n + 1, variances 3.5 and n (n + 1) / 3. Of
  // six and six the statistic is 3.5 / sqrt(17.5 / 6) with 7.3529 degrees of freedom.
  const doubles row = exponentials(6, 1);
  for (const unsigned n : {6U, 9U}) {
    const doubles other = exponentials(n, 2);
    const double one = 3.5 / 6;
    const double another = (n + 1) / 3.0;
    const double sum = one + another;
    const boost::math::students_t expected(sum * sum /
                                           (one * one / 5 + another * another / (n - 1)));
    EXPECT_NEAR(difference_p_value(row, other),
                2 * cdf(complement(expected, (n - 2.5) / std::sqrt(sum))), 1e-12);
    EXPECT_DOUBLE_EQ(difference_p_value(row, other), difference_p_value(other, row));
  }
}

TEST(DifferencePValue, IsOneBelowSixValuesHoweverFarApart) {
  const doubles five(5, 1.0);
  EXPECT_EQ(difference_p_value(five, doubles(5, 100.0)), 1);
  EXPECT_EQ(difference_p_value(five, doubles(6, 100.0)), 1);
  EXPECT_EQ(difference_p_value(doubles(6, 100.0), five), 1);
}

TEST(DifferencePValue, OfValuesWithoutScatterIsCertain) {
  EXPECT_EQ(difference_p_value(doubles(6, 1.0), doubles(6, 1.1)), 0);
  EXPECT_EQ(difference_p_value(doubles(6, 1.0), doubles(6, 1.0)), 1);
}

TEST(DifferencePValue, RefusesWhatHasNoLogarithm) {
  EXPECT_THROW((void)difference_p_value(doubles(6, 0.0), doubles(6, 1.0)), std::invalid_argument);
  EXPECT_THROW((void)difference_p_value({}, doubles(6, 1.0)), std::invalid_argument);
}

// Holm's own order: 0.01 × 4, 0.013 × 3, 0.03 × 2 fails, and what follows is not looked at.
TEST(RejectedAllRight, StepsDownFromTheLeastAndStopsAtTheFirstThatFails) {
  EXPECT_EQ(rejected_all_right(doubles{0.03, 0.01, 0.04, 0.013}),
            (std::vector<bool>{false, true, false, true}));
  EXPECT_EQ(rejected_all_right(doubles{0.05}), std::vector<bool>{true});
  EXPECT_EQ(rejected_all_right(doubles{0.026, 0.026}), (std::vector<bool>{false, false}));
  EXPECT_TRUE(rejected_all_right({}).empty());
}

// 0.05 × 1/4, 2/4, 3/4, 1: the third is below its bound, so the second is rejected too.
TEST(RejectedMostlyRight, StepsUpToTheGreatestBelowItsBound) {
  EXPECT_EQ(rejected_mostly_right(doubles{0.9, 0.01, 0.037, 0.03}),
            (std::vector<bool>{false, true, true, true}));
  EXPECT_EQ(rejected_mostly_right(doubles{0.9, 0.02, 0.04, 0.03}),
            (std::vector<bool>{false, false, false, false}));
  EXPECT_TRUE(rejected_mostly_right({}).empty());
}

ranks_of_table ranks_of(separation::table rows) {
  return separation({std::move(rows)}).ranks(0).value_or(ranks_of_table{});
}

TEST(Ranks, FollowTheMediansOfWhatIsToldApart) {
  EXPECT_EQ(ranks_of({six_around(3), six_around(1), six_around(2)}), (ranks_of_table{3, 1, 2}));
}

TEST(Ranks, AreSharedByRowsThatAreNotToldApartAndThenSkipped) {
  EXPECT_EQ(ranks_of({six_around(1), six_around(1.001), six_around(2)}), (ranks_of_table{1, 1, 3}));
  EXPECT_EQ(ranks_of({six_around(1), six_around(1)}), (ranks_of_table{1, 1}));
}

TEST(Ranks, CompareWithTheBestOfTheRankAndNotAlongAChain) {
  // Neighbours are 1 % apart, which six rounds do not tell apart; two of those they do.
  EXPECT_EQ(ranks_of({six_around(1), six_around(1.01), six_around(1.02), six_around(1.03)}),
            (ranks_of_table{1, 1, 3, 3}));
}

// The least median opens, though the mean of its row is the greatest.
TEST(Ranks, GoThroughTheRowsByMedianAndNotByMean) {
  EXPECT_EQ(ranks_of({{1, 1, 1, 1, 5, 5}, six_around(1.5), six_around(1.6)}),
            (ranks_of_table{1, 1, 1}));
}

TEST(Ranks, NeedSixRoundsOfEveryRow) {
  const separation::times five(5, 9.0);
  const separation known({{five, doubles(5, 1.0)}, {five, six_around(1)}, {}, {six_around(1)}});
  EXPECT_FALSE(known.ranks(0));
  EXPECT_FALSE(known.ranks(1));
  EXPECT_FALSE(known.ranks(2));
  EXPECT_TRUE(known.ranks(3));
  EXPECT_FALSE(known.is_slower(0, 0, 1));
  EXPECT_FALSE(known.is_slower(1, 0, 1));
}

TEST(Separation, SaysWhichOfTwoIsSlower) {
  const separation known({{six_around(1), six_around(2), six_around(2)}});
  EXPECT_TRUE(known.is_slower(0, 1, 0));
  EXPECT_FALSE(known.is_slower(0, 0, 1));
  EXPECT_FALSE(known.is_slower(0, 1, 2));
}

TEST(Separation, AsksMoreOfADifferenceAmongMoreComparisons) {
  const doubles fast = six_around(1);
  const doubles slow = six_around(1.015);
  EXPECT_TRUE(separation({{fast, slow}}).is_slower(0, 1, 0));
  EXPECT_FALSE(separation({{fast, slow, fast, fast, fast, fast, fast}}).is_slower(0, 1, 0));
  const std::vector<separation::table> tables(20, {fast, fast});
  std::vector<separation::table> one_more = tables;
  one_more.push_back({fast, slow});
  EXPECT_FALSE(separation(one_more).is_slower(20, 1, 0)) << "tables count together";
}

/// A time around 1, drawn with some noise.
using noise = std::function<double(std::mt19937&)>;

double normal(std::mt19937& random) { return boost::random::normal_distribution<>()(random); }

struct named_noise {
  const char* name;
  noise draw;
};

const std::array noises{
    named_noise{"normal, 2 %", [](std::mt19937& random) { return 1 + 0.02 * normal(random); }},
    named_noise{"lognormal, wide", [](auto& random) { return std::exp(0.3 * normal(random)); }},
    named_noise{"interrupts in one round of ten",
                [](std::mt19937& random) {
                  const bool is_hit = boost::random::uniform_01<>()(random) < 0.1;
                  const double long_wait = boost::random::exponential_distribution<>(3)(random);
                  return 1 + 0.02 * std::abs(normal(random)) + (is_hit ? long_wait : 0);
                }},
    named_noise{"Pareto's tail", [](std::mt19937& random) {
                  return 1 + 0.02 * std::pow(1 - boost::random::uniform_01<>()(random), -1 / 1.5);
                }}};

/// Four instances with the times of equal schedulers.
std::vector<separation::table> draw_tables(const noise& draw, std::size_t schedulers,
                                           std::size_t rounds, std::mt19937& random) {
  std::vector<separation::table> instances(
      4, separation::table(schedulers, separation::times(rounds)));
  for (auto& instance : instances) {
    for (auto& row : instance) std::ranges::generate(row, [&] { return draw(random); });
  }
  return instances;
}

/// Of tables of four instances and that many equal schedulers, the part with a rank below the
/// first.
double false_tables(const noise& draw, std::size_t schedulers, std::size_t rounds,
                    unsigned tables) {
  std::mt19937 random(20);
  unsigned wrong = 0;
  for (unsigned i = 0; i < tables; ++i) {
    const separation known(draw_tables(draw, schedulers, rounds, random));
    bool is_wrong = false;
    for (std::size_t at = 0; at < 4; ++at) is_wrong |= std::ranges::max(*known.ranks(at)) > 1;
    wrong += is_wrong ? 1 : 0;
  }
  return static_cast<double>(wrong) / tables;
}

// Of 250 tables 12 are accepted; 20 would be exceeded in 2 % of such experiments if the true part
// were 5 %. The ranks of two rounds, by ranges that leave a gap, are wrong in 89 % of tables of
// seven.
TEST(Ranks, OfEqualSchedulersAreFalseInFivePercentOfTablesAtMost) {
  constexpr unsigned tables = 250;
  for (const named_noise& each : noises) {
    for (const std::size_t rounds : {6U, 10U}) {
      for (const std::size_t schedulers : {2U, 7U, 12U}) {
        if (schedulers == 12 && rounds == 10) continue;
        EXPECT_LE(false_tables(each.draw, schedulers, rounds, tables), 20.0 / tables)
            << each.name << ", " << rounds << " rounds, " << schedulers << " schedulers";
      }
    }
  }
}

TEST(Ranks, FindADifferenceOfTenPercentInSixRounds) {
  std::mt19937 random(21);
  constexpr unsigned tables = 300;
  for (const auto& [schedulers, least_found] :
       std::vector<std::pair<std::size_t, double>>{{2, 0.99}, {7, 0.9}}) {
    unsigned found = 0;
    for (unsigned i = 0; i < tables; ++i) {
      auto instances = draw_tables(noises[0].draw, schedulers, fewest_for_interval, random);
      for (double& each : instances[0][1]) each *= 1.1;  // One scheduler on one instance.
      found += separation(std::move(instances)).is_slower(0, 1, 0) ? 1 : 0;
    }
    EXPECT_GE(found, least_found * tables) << schedulers << " schedulers";
  }
}

// What an ablation asks: 630 comparisons of six seeds each. With nothing to find, a whole ablation
// has any verdict in 5 % of cases; where some differ, 5 % of the verdicts are wrong on average.
TEST(RejectedMostlyRight, KeepsAnAblationWithoutEffectsFreeOfVerdicts) {
  std::mt19937 random(22);
  constexpr unsigned ablations = 60;
  unsigned with_verdict = 0;
  unsigned wrong = 0;
  unsigned found = 0;
  for (unsigned i = 0; i < ablations; ++i) {
    doubles nothing;
    doubles some;
    for (unsigned comparison = 0; comparison < 630; ++comparison) {
      const noise& draw = noises[comparison % 2].draw;
      doubles row(6);
      doubles other(6);
      std::ranges::generate(row, [&] { return draw(random); });
      std::ranges::generate(other, [&] { return draw(random); });
      nothing.push_back(difference_p_value(row, other));
      if (comparison < 60) {
        for (double& each : row) each *= comparison % 2 == 0 ? 1.1 : 4;
      }
      some.push_back(difference_p_value(row, other));
    }
    const std::vector<bool> of_nothing = rejected_mostly_right(nothing);
    with_verdict += std::ranges::count(of_nothing, true) > 0 ? 1 : 0;
    const std::vector<bool> of_some = rejected_mostly_right(some);
    found += static_cast<unsigned>(std::count(of_some.begin(), of_some.begin() + 60, true));
    wrong += static_cast<unsigned>(std::count(of_some.begin() + 60, of_some.end(), true));
  }
  EXPECT_LE(with_verdict, 8U) << "3 are expected; more than 8 would come in 1 % of cases";
  EXPECT_GE(found, ablations * 60 * 95 / 100);
  EXPECT_LE(wrong, (found + wrong) / 20);
}

}  // namespace
}  // namespace stealbench::analysis
