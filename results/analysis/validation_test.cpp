#include "results/analysis/validation.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "results/dataset/validation_fixture.hpp"
#include "schedulers/input.hpp"

namespace stealbench::analysis {
namespace {

using dataset::contains;
using dataset::datasets_of;
using dataset::json;
using dataset::made_validation;
using dataset::on;
using dataset::read_lines;
using dataset::six;
using dataset::two_datasets;

validation validated(const two_datasets& both) {
  return validate(read_lines(both.measured), read_lines(both.simulated));
}

std::string refusal_of(const two_datasets& both) {
  try {
    static_cast<void>(accuracy_of(validated(both)));
  } catch (const schedulers::bad_input& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Validation, ComparesMediansBenchmarkByBenchmark) {
  const validation found =
      validated(datasets_of({{on("primes", "stealing"), {1, 2, 4}, {1, 1.5, 3}},
                             {on("primes", "queue"), {1, 1, 1}, {4, 4, 4}}}));
  ASSERT_EQ(found.cells.size(), 2U);
  const validated_cell& first = found.cells[0];
  EXPECT_DOUBLE_EQ(first.measured.median, 2);
  EXPECT_DOUBLE_EQ(first.measured.around.high, 4);
  EXPECT_DOUBLE_EQ(first.simulated.around.low, 1);
  EXPECT_DOUBLE_EQ(first.error(), -0.25);
  EXPECT_DOUBLE_EQ(first.factor(), 2 / 1.5);
  EXPECT_DOUBLE_EQ(found.cells[1].error(), 3);
  EXPECT_DOUBLE_EQ(found.cells[1].factor(), 4);
  EXPECT_TRUE(found.unpaired.empty() && found.warnings.empty());
}

TEST(Validation, HoldsOutWhatWasNotCalibrated) {
  const validation found = validated(
      datasets_of({{on("fib", "stealing"), {1}, {1}}, {on("primes", "stealing"), {1}, {1}}}));
  EXPECT_FALSE(found.cells[0].is_held_out());
  EXPECT_EQ(found.cells[0].unit_from, "");
  EXPECT_TRUE(found.cells[1].is_held_out());
  EXPECT_EQ(found.cells[1].unit_from, "another instance");
}

TEST(Validation, CallsABenchmarkContendedBySimulatedWaitsAlone) {
  const validation found = validated(made_validation());
  EXPECT_DOUBLE_EQ(found.cells[1].waiting, 0.5);
  EXPECT_TRUE(found.cells[1].is_contended());
  EXPECT_FALSE(found.cells[3].is_contended());
}

// Of the first seed: two workers for 1 s; each runs tasks for 0.9 s, of which 0.5 s are work and
// 0.1 s overhead.
TEST(Validation, CountsSleepInLocksAsWaiting) {
  two_datasets datasets = datasets_of({{on("fib", "queue"), {1}, {1, 4}, 0.05}});
  json& simulation = datasets.simulated[2]["simulation"];
  simulation["shares"]["work"] = 0.5;
  simulation["counters"]["per_worker"] = {{{"busy_ns", 900'000'000}}, {{"busy_ns", 900'000'000}}};
  EXPECT_NEAR(validated(datasets).cells[0].waiting, 0.3, 1e-9);
  simulation["counters"]["per_worker"] = {{{"busy_ns", 0}}, {{"busy_ns", 900'000'000}}};
  EXPECT_DOUBLE_EQ(validated(datasets).cells[0].waiting, 0.05);
}

TEST(Validation, ListsWhatItDoesNotCompare) {
  two_datasets datasets = datasets_of({{on("primes", "a"), {1}, {1}},
                                       {on("primes", "b"), {}, {1}},
                                       {on("primes", "c"), {1}, {}},
                                       {on("primes", "d"), {}, {}},
                                       {on("primes", "e"), {1}, {1}}});
  datasets.measured[0]["cells"].erase(4);
  std::erase_if(datasets.measured,
                [](const json& line) { return line.value("cell", "") == "primes/e/workers:2"; });
  const validation found = validated(datasets);
  EXPECT_EQ(found.cells.size(), 1U);
  ASSERT_EQ(found.unpaired.size(), 4U);
  EXPECT_EQ(found.unpaired[0].first, "primes/b/workers:2");
  EXPECT_EQ(found.unpaired[0].second, "measurement: wrong answer");
  EXPECT_EQ(found.unpaired[1].second, "simulation: timed out after 9 s");
  EXPECT_EQ(found.unpaired[2].second, "measurement: wrong answer; simulation: timed out after 9 s");
  EXPECT_EQ(found.unpaired[3].first, "primes/e/workers:2");
  EXPECT_EQ(found.unpaired[3].second, "not measured");
}

TEST(Validation, LeavesOutSimulationsWithOtherCosts) {
  dataset::raw_lines simulated = dataset::made_simulation();
  const validation found = validate(dataset::data_of({{dataset::fib_on("work-stealing", 2), {1}},
                                                      {dataset::fib_on("openmp", 2), {1}}}),
                                    read_lines(simulated));
  EXPECT_EQ(found.cells.size(), 1U);
  ASSERT_EQ(found.unpaired.size(), 3U) << "openmp, and one and eight workers";
  EXPECT_EQ(found.unpaired[0].second, "not simulated");
}

TEST(Validation, SummarisesTheErrorsOfAGroup) {
  std::vector<dataset::measured_and_simulated> all;
  for (unsigned i = 1; i <= 10; ++i) {
    const double sign = i % 2 == 0 ? 1 : -1;
    all.push_back({on("primes", fmt::format("s{}", i)), {1}, {1 + sign * i / 100}});
  }
  const auto summary = summary_of(validated(datasets_of(all)), [](const auto&) { return true; });
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->cells, 10U);
  EXPECT_EQ(summary->contended_cells, 0U);
  EXPECT_NEAR(summary->median, 0.055, 1e-12);
  EXPECT_NEAR(summary->ninth_decile, 0.09, 1e-12) << "one in ten exceeds it";
  EXPECT_NEAR(summary->greatest, 0.10, 1e-12);
  EXPECT_NEAR(summary->bias, 0.005, 1e-12) << "between -1 % and 2 %";
  EXPECT_NEAR(summary->ninth_decile_factor, 1 / 0.91, 1e-12);
  EXPECT_NEAR(summary->greatest_factor, 1.10, 1e-12);
  EXPECT_FALSE(summary_of(validated(datasets_of(all)), [](const auto&) { return false; }));
}

TEST(Validation, TakesTheNinthDecileOfFewBenchmarksAsTheGreatest) {
  const auto summary = summary_of(
      validated(datasets_of({{on("primes", "a"), {1}, {1.1}}, {on("primes", "b"), {1}, {1.5}}})),
      [](const auto&) { return true; });
  EXPECT_DOUBLE_EQ(summary->ninth_decile, 0.5);
}

/// `a<b`, behind it `!` where the simulation has another order, and `*` where one is contended.
std::vector<std::string> pairs_of(const validation& found) {
  std::vector<std::string> pairs;
  for (const scheduler_pair& each : found.pairs) {
    const auto name = [&](std::size_t at) { return found.cells[at].which.scheduler; };
    pairs.push_back(fmt::format("{}<{}{}{}", name(each.faster), name(each.slower),
                                found.is_right(each) ? "" : "!",
                                found.is_contended(each) ? "*" : ""));
  }
  return pairs;
}

TEST(Validation, ComparesTheOrderOfSchedulersThatTheMeasurementTellsApart) {
  const validation found =
      validated(datasets_of({{on("primes", "a"), {1, 1.2, 1, 1.2, 1, 1.2}, {5}},
                             {on("primes", "b"), {1.1, 1.3, 1, 1.3, 1.1, 1.2}, {4}},
                             {on("primes", "c"), six(2), {6}, 0.2},
                             {on("primes", "d"), six(3), {6}},
                             {on("primes", "a", 1), six(3), {6}}}));
  EXPECT_EQ(pairs_of(found), (std::vector<std::string>{"a<c*", "a<d", "b<c*", "b<d", "c<d!*"}))
      << "a and b are not told apart, c and d take the same simulated time, and one scheduler "
         "alone "
         "has no order";
}

// Not in the order of the dataset, nor by the ends of intervals.
TEST(Validation, OrdersSchedulersByTheirMedians) {
  const validation found = validated(datasets_of({{on("primes", "c"), six(3), {4, 4, 4}},
                                                  {on("primes", "a"), six(1), {1, 5, 5}},
                                                  {on("primes", "b"), six(2), {3, 3, 3}}}));
  EXPECT_EQ(pairs_of(found), (std::vector<std::string>{"a<c!", "a<b!", "b<c"}));
}

TEST(Validation, TellsAProfileNinthDecilesAndFourDigits) {
  std::vector<dataset::measured_and_simulated> all{{on("spawn", "a"), {1}, {1.045678}}};
  for (unsigned i = 1; i <= 10; ++i) {
    all.push_back({on("primes", fmt::format("s{}", i)), {1}, {1 + i / 10.0}, 0.5});
  }
  const json known = accuracy_of(validated(datasets_of(all)));
  EXPECT_DOUBLE_EQ(known.at("median_error"), 0.0457);
  EXPECT_DOUBLE_EQ(known.at("contended_factor"), 1.9) << "one in ten exceeds it";
}

TEST(Validation, HasNoPairInOrderBelowSixRounds) {
  const std::vector<double> five(5, 1.0);
  const validation found =
      validated(datasets_of({{on("primes", "a"), five, {1}}, {on("primes", "b"), six(9), {9}}}));
  EXPECT_TRUE(found.pairs.empty());
}

TEST(Validation, TellsAProfileItsAccuracyOnBenchmarksHeldOut) {
  const json known = accuracy_of(validated(made_validation()));
  EXPECT_DOUBLE_EQ(known.at("median_error"), 0.04);
  EXPECT_DOUBLE_EQ(known.at("ninth_decile_error"), 0.1);
  EXPECT_DOUBLE_EQ(known.at("contended_factor"), 1.5);
  EXPECT_EQ(known.at("cells"), 4U);
  EXPECT_TRUE(contains(refusal_of(datasets_of({{on("primes", "a"), {1}, {1}}})),
                       "no benchmark held out is contended"));
  EXPECT_TRUE(contains(refusal_of(datasets_of({{on("fib", "a"), {1}, {1}}})),
                       "no benchmark held out is uncontended"));
}

TEST(Validation, OfTwoThatCannotBeComparedIsRefused) {
  two_datasets datasets = made_validation();
  EXPECT_TRUE(contains(refusal_of({datasets.measured, dataset::made_simulation()}),
                       "no benchmark in common that finished in both; valid: "));
}

TEST(Validation, WarnsOfWhatMakesItUnfair) {
  using texts = std::vector<std::string>;
  const two_datasets fair = made_validation();
  two_datasets datasets = fair;
  datasets.measured[1]["context"]["processor"] = "B";
  EXPECT_EQ(validated(datasets).warnings,
            texts{"the processor that was measured is B, and the profile is of A processor"});
  EXPECT_FALSE(is_same_machine(read_lines(datasets.measured), read_lines(datasets.simulated)));
  datasets = fair;
  datasets.measured[1]["context"]["commit"] = "fedc";
  EXPECT_EQ(validated(datasets).warnings,
            texts{"commit fedc was measured, and 0123456789ab simulated"});
  datasets = fair;
  datasets.measured.pop_back();
  datasets.simulated.pop_back();
  EXPECT_EQ(validated(datasets).warnings,
            (texts{"the measurement is not finished", "the simulation is not finished"}));
  datasets = fair;
  datasets.simulated[0]["about"]["profile"]["processor"] = "A processor, 2 processors";
  EXPECT_TRUE(validated(datasets).warnings.empty());
}

}  // namespace
}  // namespace stealbench::analysis
