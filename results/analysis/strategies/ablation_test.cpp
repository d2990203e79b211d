#include "results/analysis/strategies/ablation.hpp"

#include <algorithm>
#include <span>
#include <tuple>

#include <gtest/gtest.h>

#include "results/dataset/simulation_fixture.hpp"

namespace stealbench::analysis {
namespace {

using dataset::cell;
using dataset::data_of;
using dataset::json;
using dataset::measured;
using dataset::measurements;
using dataset::six;

const contrast spinning{"work-stealing:idle", "work-stealing:idle=spin", "work-stealing"};

cell cell_on(const std::string& workload, const std::string& scheduler, unsigned workers = 2) {
  return {{workload, {}}, scheduler, workers};
}

TEST(Contrasts, AreReadAsTheyAreWritten) {
  const measurements data =
      data_of({{dataset::fib_on("work-stealing", 1), {1}}}, {{"ablation", json_of({spinning})}});
  const std::vector<contrast> read = contrasts_of(data);
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read[0].factor, spinning.factor);
  EXPECT_EQ(read[0].variant, spinning.variant);
  EXPECT_EQ(read[0].against, spinning.against);
  EXPECT_TRUE(contrasts_of(data_of({{dataset::fib_on("work-stealing", 1), {1}}})).empty());
}

TEST(Effects, AreRatiosOfEachInstanceAndTheirMean) {
  const measurements data =
      data_of({{cell_on("fib", "work-stealing"), {1, 2, 1, 1, 1, 1}},
               {cell_on("fib", "work-stealing:idle=spin"), {4, 8, 4, 4, 4, 4}},
               {cell_on("uts", "work-stealing"), six(1)},
               {cell_on("uts", "work-stealing:idle=spin"), six(0.25)},
               {cell_on("bpc", "work-stealing"), six(1)},
               {cell_on("bpc", "work-stealing:idle=spin"), {}, "timed out"}},
              {{"ablation", json_of({spinning})}});
  const std::vector<effect> all = effects_of(estimates(data));
  ASSERT_EQ(all.size(), 1U);
  const effect& found = all[0];
  EXPECT_EQ(found.workers, 2U);
  ASSERT_EQ(found.ratios.size(), 3U);
  EXPECT_EQ(found.ratios[0]->median, 4);
  EXPECT_EQ(found.ratios[1]->median, 0.25);
  EXPECT_FALSE(found.ratios[2]);
  EXPECT_EQ(found.failed, (std::vector<bool>{false, false, true}));
  EXPECT_DOUBLE_EQ(found.mean->median, 1) << "of the two that finished";
  EXPECT_EQ(count_of(direction::slower, found), 1U);
  EXPECT_EQ(count_of(direction::faster, found), 1U);
  EXPECT_EQ(count_of(direction::neither, found), 1U) << "it did not finish";
}

direction verdict_on(const std::vector<double>& variant, const std::vector<double>& against) {
  const measurements data = data_of({{cell_on("fib", "work-stealing"), against},
                                     {cell_on("fib", "work-stealing:idle=spin"), variant}},
                                    {{"ablation", json_of({spinning})}});
  return effects_of(estimates(data)).front().verdicts.front();
}

TEST(Effects, AreVerdictsIfTheyAreCertainAndNotTooSmall) {
  const std::vector<double> scattered{0.6, 1.5, 0.7, 1.4, 0.8, 1.3};
  EXPECT_EQ(verdict_on(six(1.1), six(1)), direction::slower);
  EXPECT_EQ(verdict_on(six(1.09), six(1)), direction::neither) << "too little";
  EXPECT_EQ(verdict_on(six(0.9), six(1)), direction::faster);
  EXPECT_EQ(verdict_on(six(0.92), six(1)), direction::neither);
  EXPECT_EQ(verdict_on(six(1.4), scattered), direction::neither) << "not certain";
  EXPECT_EQ(verdict_on(six(5), scattered), direction::slower);
}

TEST(Effects, AreNoVerdictsBelowSixRounds) {
  for (const std::size_t rounds : {1U, 2U, 5U}) {
    EXPECT_EQ(verdict_on(std::vector<double>(rounds, 9.0), std::vector<double>(rounds, 1.0)),
              direction::neither)
        << rounds;
  }
  EXPECT_EQ(verdict_on(six(9), std::vector<double>(5, 1.0)), direction::neither);
}

// One difference with p = 0.02 is a verdict alone, and none among ten comparisons without one.
TEST(Effects, AreCorrectedForTheNumberOfComparisonsOfAllWorkerCounts) {
  const std::vector<double> low{1, 1.4, 1.1, 1.3, 1.2, 1.0};
  const std::vector<double> high{1.3, 1.8, 1.4, 1.7, 1.5, 1.35};
  const double p_value = difference_p_value(low, high);
  ASSERT_TRUE(p_value > 0.005 && p_value < 0.05) << p_value;
  EXPECT_EQ(verdict_on(high, low), direction::slower);
  std::vector<measured> all;
  for (unsigned workers = 1; workers <= 10; ++workers) {
    all.push_back({cell_on("fib", "work-stealing", workers), low});
    all.push_back({cell_on("fib", "work-stealing:idle=spin", workers), workers == 1 ? high : low});
  }
  const measurements data = data_of(all, {{"ablation", json_of({spinning})}});
  const std::vector<effect> effects = effects_of(estimates(data));
  ASSERT_EQ(effects.size(), 10U);
  EXPECT_EQ(effects.front().verdicts.front(), direction::neither);
}

// Of ten with p = 0.02 all are shown: a correction against any false one would leave none.
TEST(Effects, AreShownWhereMostComparisonsFindOne) {
  const std::vector<double> low{1, 1.4, 1.1, 1.3, 1.2, 1.0};
  const std::vector<double> high{1.3, 1.8, 1.4, 1.7, 1.5, 1.35};
  std::vector<measured> all;
  for (unsigned workers = 1; workers <= 10; ++workers) {
    all.push_back({cell_on("fib", "work-stealing", workers), low});
    all.push_back({cell_on("fib", "work-stealing:idle=spin", workers), high});
  }
  const measurements data = data_of(all, {{"ablation", json_of({spinning})}});
  for (const effect& each : effects_of(estimates(data))) {
    EXPECT_EQ(each.verdicts.front(), direction::slower) << each.workers;
  }
}

// Most rounds go one way, and the rest so far the other way that the means do, too.
TEST(Effects, AreNoVerdictsWhereMedianAndMeanDisagree) {
  const std::vector<double> ones(50, 1.0);
  std::vector<double> mostly_slower(50, 1.12);
  std::vector<double> mostly_faster(50, 0.88);
  std::fill(mostly_slower.begin() + 30, mostly_slower.end(), 0.4);
  std::fill(mostly_faster.begin() + 30, mostly_faster.end(), 2.5);
  ASSERT_LT(difference_p_value(mostly_slower, ones), 0.01);
  ASSERT_LT(difference_p_value(mostly_faster, ones), 0.01);
  EXPECT_EQ(verdict_on(mostly_slower, ones), direction::neither);
  EXPECT_EQ(verdict_on(mostly_faster, ones), direction::neither);
}

TEST(Effects, AreNoVerdictsBeforeEveryCellHasSixRounds) {
  const measurements data = data_of({{cell_on("fib", "work-stealing"), six(1)},
                                     {cell_on("fib", "work-stealing:idle=spin"), six(9)},
                                     {cell_on("uts", "work-stealing"), {1, 1, 1, 1, 1}}},
                                    {{"ablation", json_of({spinning})}});
  EXPECT_EQ(effects_of(estimates(data)).front().verdicts.front(), direction::neither);
}

/// Simulated times of both, and of each cost.
measurements simulated_pair(
    const std::vector<std::tuple<std::string, double, double>>& spinning_and_not) {
  std::vector<dataset::simulated> all;
  for (const auto& [cost, variant, against] : spinning_and_not) {
    all.push_back({dataset::varied(cell_on("fib", "work-stealing", 64), cost), six(against)});
    all.push_back(
        {dataset::varied(cell_on("fib", "work-stealing:idle=spin", 64), cost), six(variant)});
  }
  auto lines = dataset::simulated_lines(all, {64});
  lines[0]["about"]["ablation"] = json_of({spinning});
  return dataset::read_lines(lines);
}

TEST(Effects, AreContradictedByOtherCosts) {
  const auto contradicted = [](const measurements& data,
                               std::span<const measurements* const> others = {}) {
    return is_contradicted(effects_of(estimates(data), others).front(), 0);
  };
  EXPECT_FALSE(contradicted(simulated_pair({{"", 0.04, 1}}))) << "no other costs";
  EXPECT_FALSE(contradicted(simulated_pair({{"", 0.04, 1}, {"wake=2", 0.9, 1}})));
  EXPECT_TRUE(contradicted(simulated_pair({{"", 0.04, 1}, {"wake=2", 0.95, 1}}))) << "no effect";
  EXPECT_TRUE(contradicted(simulated_pair({{"", 3, 1}, {"wake=2", 1.05, 1}})));
  EXPECT_FALSE(contradicted(simulated_pair({{"", 1, 1}, {"wake=2", 9, 1}}))) << "no verdict";
  const measurements one = simulated_pair({{"", 0.04, 1}, {"wake=0.5", 0.18, 1}});
  const measurements other = simulated_pair({{"", 9, 4}});
  const std::vector<const measurements*> others{&other};
  EXPECT_FALSE(contradicted(one));
  EXPECT_TRUE(contradicted(one, others));
}

TEST(Effects, HaveTheLeastAndTheGreatestRatioOfAllOtherCosts) {
  for (const auto& [varied, other] : {std::pair(0.18, 2.25), std::pair(2.25, 0.18)}) {
    const measurements one = simulated_pair({{"", 0.04, 1}, {"wake=0.5", varied, 1}});
    const measurements another = simulated_pair({{"", 4 * other, 4}});
    const std::vector<const measurements*> others{&another};
    const effect found = effects_of(estimates(one), others).front();
    EXPECT_DOUBLE_EQ(found.elsewhere[0]->low, 0.18);
    EXPECT_DOUBLE_EQ(found.elsewhere[0]->high, 2.25);
  }
}

TEST(Effects, HaveNoRatioOfWhatDidNotFinishElsewhere) {
  const measurements one = simulated_pair({{"", 0.04, 1}});
  const measurements failed = dataset::read_lines(dataset::simulated_lines(
      {{cell_on("fib", "work-stealing", 64), six(1)},
       {cell_on("fib", "work-stealing:idle=spin", 64), {9, 9}, "timed out"}},
      {64}));
  const std::vector<const measurements*> others{&failed};
  EXPECT_FALSE(effects_of(estimates(one), others).front().elsewhere[0]);
}

TEST(Effects, AreOfTheWorkerCountAlone) {
  const measurements data = data_of({{cell_on("fib", "work-stealing", 1), {1}},
                                     {cell_on("fib", "work-stealing:idle=spin", 1), {1}},
                                     {cell_on("fib", "work-stealing", 2), {1}},
                                     {cell_on("fib", "work-stealing:idle=spin", 2), {3}}},
                                    {{"ablation", json_of({spinning})}});
  const estimates known(data);
  const std::vector<effect> all = effects_of(known);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].workers, 1U);
  EXPECT_DOUBLE_EQ(all[0].mean->median, 1);
  EXPECT_EQ(all[1].workers, 2U);
  EXPECT_DOUBLE_EQ(all[1].mean->median, 3);
}

}  // namespace
}  // namespace stealbench::analysis
