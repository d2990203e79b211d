// Regret on made-up times whose answer is known by hand.
#include "results/analysis/strategies/regret.hpp"

#include <cmath>
#include <tuple>

#include <gtest/gtest.h>

#include "results/dataset/simulation_fixture.hpp"

namespace stealbench::analysis {
namespace {

using dataset::data_of;
using dataset::measured;
using dataset::six;

dataset::cell timed_on(const std::string& workload, const std::string& scheduler,
                       unsigned workers = 2) {
  return {{workload, {}}, scheduler, workers};
}

/// Times of three strategies on three workloads: the best takes a second on each.
measurements three_by_three() {
  std::vector<measured> all;
  const std::vector<std::pair<std::string, std::vector<double>>> times{
      {"one", {1, 2, 4}}, {"two", {2, 1, 16}}, {"three", {1, 4, 1}}};
  for (const auto& [scheduler, seconds] : times) {
    for (std::size_t i = 0; i < seconds.size(); ++i) {
      all.push_back({timed_on("w" + std::to_string(i + 1), scheduler), six(seconds[i])});
    }
  }
  measurements data = data_of(all);
  data.name_families({{"w1", "recursive"}, {"w2", "recursive"}, {"w3", "loops"}});
  return data;
}

TEST(Regret, IsTheGeometricMeanOverTheBestOfEachInstance) {
  const measurements data = three_by_three();
  const estimates known(data);
  const ranking found = known.over({0, 1, 2}, 2);
  EXPECT_NEAR(found.standings[0].mean_slowdown.value(), 2, 1e-9);
  EXPECT_NEAR(found.standings[1].mean_slowdown.value(), std::cbrt(32), 1e-9);
  EXPECT_NEAR(found.standings[2].mean_slowdown.value(), std::cbrt(4), 1e-9);
  EXPECT_EQ(found.leader, 2U);
  EXPECT_TRUE(found.standings[2].leads);
  EXPECT_FALSE(found.standings[0].leads);
  const auto worst_of = [&](std::size_t scheduler) {
    const std::size_t cell = found.standings[scheduler].worst.value();
    return std::pair(known.cell(cell).which.what.workload,
                     known.standing_of(cell).slowdown->median);
  };
  EXPECT_EQ(worst_of(0), std::pair(std::string("w3"), 4.0));
  EXPECT_EQ(worst_of(1), std::pair(std::string("w3"), 16.0));
  EXPECT_EQ(worst_of(2), std::pair(std::string("w2"), 4.0));
}

TEST(Regret, IsOfEachFamilyToo) {
  const measurements data = three_by_three();
  const estimates known(data);
  const std::vector<family> families = families_of(known);
  ASSERT_EQ(families.size(), 3U);
  EXPECT_EQ(families[0].instances, (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(families[1].name, "recursive");
  EXPECT_EQ(families[1].instances, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(families[2].name, "loops");
  const ranking found = known.over(families[1].instances, 2);
  EXPECT_NEAR(found.standings[0].mean_slowdown.value(), std::sqrt(2), 1e-9);
  EXPECT_NEAR(found.standings[2].mean_slowdown.value(), 2, 1e-9);
  EXPECT_TRUE(found.standings[0].leads && found.standings[1].leads) << "equal";
  const measurements unknown = data_of({{timed_on("w1", "one"), six(1)}});
  EXPECT_EQ(families_of(estimates(unknown)).size(), 1U) << "of no known family";
}

// Slower by half a percent, in rounds that scatter by more.
TEST(Regret, HasNoWorstWhereNothingIsToldApart) {
  const std::vector<double> noisy{1, 1.1, 0.9, 1.2, 0.8, 1.05};
  std::vector<double> slower = noisy;
  for (double& each : slower) each *= 1.005;
  const auto regret_of = [&](int rounds) {
    const auto data =
        data_of({{timed_on("w", "one"), {noisy.begin(), noisy.begin() + rounds}},
                 {timed_on("w", "two"), {slower.begin(), slower.begin() + rounds}},
                 {timed_on("w", "three"), std::vector(static_cast<std::size_t>(rounds), 9.0)}});
    return estimates(data).over({0}, 2).standings;
  };
  EXPECT_FALSE(regret_of(6)[1].worst);
  EXPECT_TRUE(regret_of(6)[1].leads);
  EXPECT_TRUE(regret_of(6)[2].worst);
  // Fewer show nothing, and the greatest ratio is what was seen.
  EXPECT_TRUE(regret_of(5)[1].worst);
  EXPECT_FALSE(regret_of(5)[1].leads);
}

TEST(Regret, HasTheRangeOfItsRoundsBelowSix) {
  const auto data = data_of({{timed_on("w", "one"), {1, 1, 1}},
                             {timed_on("w", "two"), {2, 3, 4}},
                             {timed_on("w", "x"), {9, 9, 9}}});
  const overall_standing own = estimates(data).over({0}, 2).standings[1];
  EXPECT_DOUBLE_EQ(own.mean_slowdown.value(), 3);
  EXPECT_DOUBLE_EQ(own.around.low, 2);
  EXPECT_DOUBLE_EQ(own.around.high, 4);
}

// Each instance is slow in another round: in none of them is the mean what the medians say.
TEST(Regret, HasItsMeanInsideOfItsInterval) {
  std::vector<measured> all;
  for (const auto& [scheduler, slow, fast] :
       {std::tuple("one", 1.0, 1.0), std::tuple("two", 8.0, 1.0),
        std::tuple("three", 0.125, 1.0)}) {
    all.push_back({timed_on("u", scheduler), {slow, fast, fast}});
    all.push_back({timed_on("v", scheduler), {fast, slow, fast}});
    all.push_back({timed_on("w", scheduler), {fast, fast, slow}});
  }
  const auto data = data_of(all);
  const ranking found = estimates(data).over({0, 1, 2}, 2);
  EXPECT_DOUBLE_EQ(found.standings[1].mean_slowdown.value(), 1);
  EXPECT_DOUBLE_EQ(found.standings[1].around.low, 1);
  EXPECT_DOUBLE_EQ(found.standings[1].around.high, 2);
  EXPECT_DOUBLE_EQ(found.standings[2].mean_slowdown.value(), 1);
  EXPECT_DOUBLE_EQ(found.standings[2].around.low, 0.5);
  EXPECT_DOUBLE_EQ(found.standings[2].around.high, 1);
}

TEST(Regret, IsNoneOfWhatDidNotFinishEverything) {
  const auto data = data_of({{timed_on("w", "one"), six(1)},
                             {timed_on("w", "two"), {}, "crashed"},
                             {timed_on("v", "one"), six(1)},
                             {timed_on("v", "two"), six(1)}});
  const overall_standing own = estimates(data).over({0, 1}, 2).standings[1];
  EXPECT_FALSE(own.mean_slowdown);
  EXPECT_EQ(own.failed_cells, 1U);
}

TEST(Regret, IsOfTheSameCostsAlone) {
  const auto varied = [](const char* scheduler) {
    return dataset::varied(timed_on("w", scheduler, 64), "wake=0.5");
  };
  const auto data =
      dataset::read_lines(dataset::simulated_lines({{timed_on("w", "one", 64), six(1)},
                                                    {timed_on("w", "two", 64), six(3)},
                                                    {varied("one"), six(8)},
                                                    {varied("two"), six(2)}},
                                                   {64}));
  const estimates known(data);
  EXPECT_EQ(known.variations(), std::vector<std::string>{"wake=0.5"});
  EXPECT_DOUBLE_EQ(known.over({0}, 64).standings[1].mean_slowdown.value(), 3);
  EXPECT_EQ(known.over({0}, 64, "wake=0.5").leader, 1U);
  EXPECT_DOUBLE_EQ(known.over({0}, 64, "wake=0.5").standings[0].mean_slowdown.value(), 4);
}

TEST(Comparable, IsWhatAllDatasetsHave) {
  const auto with = [](const std::vector<std::string>& schedulers, const std::string& workload) {
    std::vector<measured> all;
    for (const std::string& each : schedulers) {
      all.push_back({timed_on("w", each), six(1)});
      all.push_back({timed_on(workload, each), six(1)});
    }
    return data_of(all);
  };
  const auto shared = comparable(std::vector{with({"a", "b", "c", "d"}, "v"),
                                             with({"d", "c", "b", "e"}, "u"), with({"a"}, "v")});
  ASSERT_EQ(shared.size(), 2U) << "one strategy is nothing to compare";
  for (const measurements& each : shared) {
    EXPECT_EQ(estimates(each).schedulers().size(), 3U);
    ASSERT_EQ(estimates(each).instances().size(), 1U);
    EXPECT_EQ(estimates(each).instances()[0].workload, "w");
    EXPECT_TRUE(each.place_of(timed_on("w", "b")));
    EXPECT_FALSE(each.place_of(timed_on("w", "a")));
  }
  EXPECT_TRUE(
      comparable(std::vector{with({"a", "b", "c"}, "v"), with({"d", "e", "f"}, "v")}).empty());
}

/// A second for each of these strategies on a workload.
std::vector<measured> alike_on(const std::string& workload,
                               const std::vector<std::string>& schedulers) {
  std::vector<measured> all;
  all.reserve(schedulers.size());
  for (const std::string& each : schedulers) all.push_back({timed_on(workload, each), six(1)});
  return all;
}

TEST(Regret, IsComparedWithoutAStrategyThatADatasetHasOnOtherInstancesAlone) {
  std::vector<measured> cells = alike_on("w", {"a", "b", "c"});
  cells.push_back({timed_on("v", "d"), six(1)});
  const auto shared =
      comparable(std::vector{data_of(alike_on("w", {"a", "b", "c", "d"})), data_of(cells)});
  ASSERT_EQ(shared.size(), 2U);
  for (const measurements& each : shared) {
    EXPECT_EQ(estimates(each).schedulers(), (std::vector<std::string>{"a", "b", "c"}));
  }
}

TEST(Regret, IsNotComparedWhereNoBenchmarkOrTooFewStrategiesAreLeft) {
  std::vector<measured> apart = alike_on("v", {"a", "b", "c"});
  apart.push_back({timed_on("w", "d"), six(1)});
  EXPECT_TRUE(
      comparable(std::vector{data_of(alike_on("w", {"a", "b", "c"})), data_of(apart)}).empty());
  std::vector<measured> two = alike_on("w", {"a", "b"});
  two.push_back({timed_on("v", "c"), six(1)});
  EXPECT_TRUE(
      comparable(std::vector{data_of(alike_on("w", {"a", "b", "c"})), data_of(two)}).empty());
}

TEST(RegretInJson, HasEachWorkerCountWithAMean) {
  const measurements data = three_by_three();
  const json all = regret_in_json(estimates(data), "one");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0]["workers"], 2);
  EXPECT_NEAR(all[0]["mean"].get<double>(), 2, 1e-9);
  EXPECT_NEAR(all[0]["low"].get<double>(), 2, 1e-9);
  EXPECT_EQ(all[0]["worst"], 4.0);
  EXPECT_EQ(all[0]["worst_on"], "w3");
  EXPECT_EQ(all[0]["leads"], false);
  EXPECT_EQ(regret_in_json(estimates(data), "three")[0]["leads"], true);
  const measurements two = data_of({{timed_on("w", "a"), six(1)}, {timed_on("w", "b"), six(1)}});
  EXPECT_TRUE(regret_in_json(estimates(two), "a").empty());
  const measurements with_serial = data_of({{timed_on("w", "a", 1), six(1)},
                                            {timed_on("w", "b", 1), six(1)},
                                            {timed_on("w", "a"), six(1)},
                                            {timed_on("w", "b"), six(1)},
                                            {timed_on("w", "serial"), six(1)}});
  const json of_two_workers = regret_in_json(estimates(with_serial), "a");
  ASSERT_EQ(of_two_workers.size(), 1U) << "with one worker there are two strategies";
  EXPECT_EQ(of_two_workers[0]["workers"], 2);
  const measurements noisy = data_of({{timed_on("w", "a"), {2, 2.2, 1.8, 2.4, 1.6, 2.1}},
                                      {timed_on("w", "b"), six(1)},
                                      {timed_on("w", "c"), six(9)}});
  const json a = regret_in_json(estimates(noisy), "a")[0];
  EXPECT_LT(a["low"], a["mean"]);
  EXPECT_LT(a["mean"], a["high"]);
}

}  // namespace
}  // namespace stealbench::analysis
