#include <string>

#include <gtest/gtest.h>

#include "results/dataset/validation_fixture.hpp"
#include "results/sections/fixture.hpp"
#include "results/sections/sections.hpp"

namespace stealbench::sections {
namespace {

using dataset::made_validation;
using dataset::two_datasets;

std::vector<section> sections_of(const two_datasets& data) {
  const measurements measured = read_lines(data.measured);
  const measurements simulated = read_lines(data.simulated);
  return validation_sections(analysis::validate(measured, simulated), measured, simulated);
}

std::string summary_of(const two_datasets& data) {
  return text_of(section_in(sections_of(data), "Accuracy of the simulation"));
}

TEST(ValidationSections, SayWhetherTheGoalsAreMet) {
  two_datasets datasets = made_validation();
  datasets.simulated[0]["date"] = "2026-11-23T10:00:00Z";
  datasets.simulated[1]["context"]["commit"] = "ba9876543210";
  const std::string words = summary_of(datasets);
  for (const char* const part :
       {"Held out, uncontended (3 benchmarks): the median error is 4.0 % (goal: at most 5 %, met); "
        "nine in ten errors are at most 10.0 % (goal: 15 %, met).",
        "Held out, contended (1 benchmark): the greatest factor is 1.50 (goal: at most 2, met); 0 "
        "of 1 pairs of schedulers are in the measured order (goal: all, missed).",
        "Measured on A processor, 2 processors; commit 0123456789ab; 2026-11-21T20:41:35Z; 6 "
        "rounds. Simulated with the profile reference of 2026-11-22; commit ba9876543210; "
        "2026-11-23T10:00:00Z; 3 seeds. 6 benchmarks compared, 0 not."}) {
    EXPECT_TRUE(contains(words, part)) << part << " in\n" << words;
  }
}

TEST(ValidationSections, HaveARowForEachGroup) {
  const auto all = sections_of(made_validation());
  const report::table& groups = table_in(all, "Errors of simulated times");
  ASSERT_EQ(groups.rows.size(), 4U);
  EXPECT_EQ(groups.rows[0], (row{"held out, uncontended", "3", "4.0 %", "10.0 %", "10.0 %",
                                 "+0.0 %", "1.11 ×", "1.11 ×", "1 of 1", "met"}));
  EXPECT_EQ(groups.rows[1], (row{"held out, contended", "1", "50.0 %", "50.0 %", "50.0 %",
                                 "+50.0 %", "1.50 ×", "1.50 ×", "0 of 1", "missed: order"}));
  EXPECT_EQ(groups.rows[2][0], "calibrated, uncontended");
  EXPECT_EQ(groups.rows[3].back(), "met");
  const report::table& schedulers = table_in(all, "Benchmarks held out");
  ASSERT_EQ(schedulers.rows.size(), 3U);
  EXPECT_EQ(schedulers.rows[0][0], "stealing");
  EXPECT_EQ(schedulers.rows[0][2] + schedulers.rows[0][3], "20") << "two, none contended";
  EXPECT_EQ(schedulers.rows[2], (row{"queue", "2", "1", "1", "50.0 %", "50.0 %", "50.0 %",
                                     "+50.0 %", "1.50 ×", "1.50 ×"}));
}

// Median, ninth decile and greatest differ, and each misses or meets its own goal.
TEST(ValidationSections, HoldEachErrorAgainstItsOwnGoal) {
  std::vector<dataset::measured_and_simulated> all;
  for (unsigned i = 1; i <= 20; ++i) {
    const std::string name = "s" + std::to_string(i);
    const double slow = i == 20 ? 1.9 : i > 12 ? 1.2 : i > 1 ? 1.03 : 1.01;
    all.push_back({dataset::on("primes", name), {1}, {slow}});
    all.push_back({dataset::on("spawn", name), {1}, {i == 20 ? 2.5 : i > 12 ? 1.8 : 1.5}, 0.5});
  }
  const auto sections = sections_of(dataset::datasets_of(all));
  const report::table& groups = table_in(sections, "Errors of simulated times");
  EXPECT_EQ(groups.rows[0], (row{"held out, uncontended", "20", "3.0 %", "20.0 %", "90.0 %",
                                 "+3.0 %", "1.20 ×", "1.90 ×", "—", "missed: nine in ten"}));
  EXPECT_EQ(groups.rows[1], (row{"held out, contended", "20", "50.0 %", "80.0 %", "150.0 %",
                                 "+50.0 %", "1.80 ×", "2.50 ×", "—", "missed: factor"}));
  const std::string words = text_of(section_in(sections, "Accuracy of the simulation"));
  for (const char* const part :
       {"the median error is 3.0 % (goal: at most 5 %, met); nine in ten errors are at most 20.0 % "
        "(goal: 15 %, missed).",
        "the greatest factor is 2.50 (goal: at most 2, missed); the measurement tells no pair"}) {
    EXPECT_TRUE(contains(words, part)) << part << " in\n" << words;
  }
  for (dataset::measured_and_simulated& each : all) each.simulated = {1.1};
  const auto tens = sections_of(dataset::datasets_of(all));
  EXPECT_EQ(table_in(tens, "Errors of simulated times").rows[0].back(), "missed: median");
  EXPECT_TRUE(contains(text_of(section_in(tens, "Accuracy of the simulation")),
                       "the median error is 10.0 % (goal: at most 5 %, missed); nine in ten errors "
                       "are at most 10.0 % (goal: 15 %, met)."));
}

TEST(ValidationSections, SortSchedulersByWorkerCount) {
  const auto all = sections_of(dataset::datasets_of({{dataset::on("primes", "b", 4), {1}, {1}},
                                                     {dataset::on("primes", "b", 1), {1}, {1}},
                                                     {dataset::on("primes", "a", 4), {1}, {1}}}));
  EXPECT_EQ(table_in(all, "Schedulers by time").rows.at(0).at(1), "4");
  const report::table& table = table_in(all, "Benchmarks held out");
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_EQ(table.rows[0][1], "1");
  EXPECT_EQ(table.rows[0][2], "1") << "b with four workers is another row";
  EXPECT_EQ(table.rows[1][0] + table.rows[1][1], "b4");
  EXPECT_EQ(table.rows[2][0] + table.rows[2][1], "a4");
}

TEST(ValidationSections, ShowEveryBenchmarkAndBothOrders) {
  const auto all = sections_of(made_validation());
  const report::table& errors = table_in(all, "Every benchmark");
  EXPECT_EQ(errors.columns[3].header, "measured [95 %]");
  EXPECT_EQ(errors.columns[4].header, "simulated [range]");
  ASSERT_EQ(errors.rows.size(), 6U);
  EXPECT_EQ(errors.rows[2], (row{"primes", "stealing", "2", "1.00 s [0.990, 1.01]",
                                 "1.04 s [1.04, 1.04]", "+4.0 %", "held out", "0.0 %", "no"}));
  EXPECT_EQ(errors.rows[1], (row{"fib", "queue", "2", "2.00 s [2.00, 2.00]", "3.00 s [3.00, 3.00]",
                                 "+50.0 %", "calibrated", "50.0 %", "contended"}));
  const report::table& orders = table_in(all, "Schedulers by time");
  ASSERT_EQ(orders.rows.size(), 3U);
  EXPECT_EQ(orders.rows[0][2], "calibrated");
  EXPECT_EQ(orders.rows[1],
            (row{"primes", "2", "held out", "stealing < sharing", "the same", "1 of 1"}));
  EXPECT_EQ(orders.rows[2],
            (row{"spawn", "2", "held out", "queue < stealing", "stealing < queue", "0 of 1"}));
  EXPECT_THROW((void)table_in(all, "Benchmarks that are not"), std::out_of_range);
}

TEST(ValidationSections, ListWhatIsNotCompared) {
  const auto all = sections_of(dataset::datasets_of(
      {{dataset::on("primes", "a"), {1}, {1}}, {dataset::on("primes", "b"), {1}, {}}}));
  EXPECT_EQ(table_in(all, "Benchmarks that are not compared").rows,
            (std::vector<row>{{"primes/b/workers:2", "simulation: timed out after 9 s"}}));
  EXPECT_TRUE(contains(text_of(all.front()), "1 benchmark compared, 1 not."));
  EXPECT_TRUE(contains(text_of(all.front()), "No benchmark held out is contended."));
}

TEST(ValidationSections, NameAChangedCostAndAPriceThatIsNotTheInstancesOwn) {
  two_datasets datasets = made_validation();
  datasets.simulated[0]["about"]["changes"] = {"wake 5us"};
  for (json& each : datasets.simulated) {
    if (each.value("cell", "").starts_with("primes") && each.contains("simulation")) {
      each["simulation"]["unit_from"] = "primes limit=5";
    }
  }
  const std::string words = summary_of(datasets);
  EXPECT_TRUE(contains(words, "the profile reference with wake 5us of 2026-11-22")) << words;
  EXPECT_TRUE(contains(words,
                       "Not priced by its own sequential time: primes has that of primes "
                       "limit=5; spawn has that of another instance."));
}

TEST(ValidationSections, ExplainTheirWords) {
  const std::string words =
      text_of(section_in(sections_of(made_validation()), "How to read a validation"));
  EXPECT_TRUE(contains(words, "**Contended**: waiting exceeds 10 %"));
  EXPECT_TRUE(contains(words,
                       "uncontended: median at most 5 %, nine in ten at most 15 %. Contended: "
                       "greatest factor at most 2, all pairs in order."));
}

}  // namespace
}  // namespace stealbench::sections
