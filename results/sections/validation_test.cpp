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
  datasets.simulated[0]["about"]["changes"] = {"wake 5us"};
  datasets.simulated[1]["context"]["commit"] = "ba9876543210";
  const std::string words = summary_of(datasets);
  for (const char* const part :
       {"Held out, uncontended (3 benchmarks): the median error is 4.0 % (goal: at most 5 %, met); "
        "nine in ten errors are at most 10.0 % (goal: 15 %, met); of 1 pair of schedulers that the "
        "measurement tells apart, 1 is in its order.",
        "Held out, contended (1 benchmark): the greatest factor is 1.50 (goal: at most 2, met); of "
        "1 pair of schedulers that the measurement tells apart, 0 are in its order (goal: all, "
        "missed).",
        "compare: 6 benchmarks on A processor, 2 processors; commit 0123456789ab; "
        "2026-11-21T20:41:35Z. simulate: 6 benchmarks, simulated; commit ba9876543210; "
        "2026-11-23T10:00:00Z. Profile reference with wake 5us of 2026-11-22. 6 rounds and 3 "
        "seeds; 6 benchmarks compared, 0 not."}) {
    EXPECT_TRUE(contains(words, part)) << part << " in\n" << words;
  }
}

TEST(ValidationSections, SumUpWhatIsHeldOutByContentionAndByScheduler) {
  const auto all = sections_of(made_validation());
  const report::table& errors = table_in(all, "Errors of the benchmarks held out");
  ASSERT_EQ(errors.rows.size(), 5U);
  EXPECT_EQ(errors.rows[0], (row{"uncontended", "3", "0", "4.0 %", "10.0 %", "10.0 %", "+0.0 %",
                                 "1.11 ×", "1.11 ×"}));
  EXPECT_EQ(errors.rows[1], (row{"contended", "1", "1", "50.0 %", "50.0 %", "50.0 %", "+50.0 %",
                                 "1.50 ×", "1.50 ×"}));
  EXPECT_EQ(errors.rows[2][0], "stealing, 2 workers");
  EXPECT_EQ(errors.rows[2][1] + errors.rows[2][2], "20") << "two, none contended";
  EXPECT_EQ(errors.rows[3][0], "queue, 2 workers");
  EXPECT_EQ(errors.rows[3][1] + errors.rows[3][2], "11") << "that of fib is calibrated";
  EXPECT_EQ(errors.rows[4][0], "sharing, 2 workers");
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
  const report::table& errors = table_in(sections, "Errors of the benchmarks held out");
  EXPECT_EQ(errors.rows[0], (row{"uncontended", "20", "0", "3.0 %", "20.0 %", "90.0 %", "+3.0 %",
                                 "1.20 ×", "1.90 ×"}));
  EXPECT_EQ(errors.rows[1], (row{"contended", "20", "20", "50.0 %", "80.0 %", "150.0 %", "+50.0 %",
                                 "1.80 ×", "2.50 ×"}));
  const std::string words = text_of(section_in(sections, "Accuracy of the simulation"));
  for (const char* const part :
       {"the median error is 3.0 % (goal: at most 5 %, met); nine in ten errors are at most 20.0 % "
        "(goal: 15 %, missed); of 0 pairs",
        "the greatest factor is 2.50 (goal: at most 2, missed); of 0 pairs of schedulers that the "
        "measurement tells apart, 0 are in its order (goal: all, met)."}) {
    EXPECT_TRUE(contains(words, part)) << part << " in\n" << words;
  }
  for (dataset::measured_and_simulated& each : all) each.simulated = {1.1};
  EXPECT_TRUE(contains(summary_of(dataset::datasets_of(all)),
                       "the median error is 10.0 % (goal: at most 5 %, missed); nine in ten errors "
                       "are at most 10.0 % (goal: 15 %, met)"));
}

TEST(ValidationSections, SortSchedulersByWorkerCount) {
  const auto all = sections_of(dataset::datasets_of({{dataset::on("primes", "b", 4), {1}, {1}},
                                                     {dataset::on("primes", "b", 1), {1}, {1}},
                                                     {dataset::on("primes", "a", 4), {1}, {1}}}));
  const report::table& table = table_in(all, "Errors of the benchmarks held out");
  ASSERT_EQ(table.rows.size(), 4U);
  EXPECT_EQ(table.rows[1][0] + table.rows[1][1], "b, 1 worker1") << "with four it is another row";
  EXPECT_EQ(table.rows[2][0], "b, 4 workers");
  EXPECT_EQ(table.rows[3][0], "a, 4 workers");
}

TEST(ValidationSections, ShowEveryBenchmarkAndThePairsInAnotherOrder) {
  two_datasets datasets = made_validation();
  for (json& each : datasets.simulated) {
    if (each.value("cell", "").starts_with("primes") && each.contains("simulation")) {
      each["simulation"]["unit_from"] = "primes limit=5";
    }
  }
  const auto all = sections_of(datasets);
  const report::table& errors = table_in(all, "Every benchmark");
  EXPECT_EQ(errors.columns[3].header, "measured [95 %]");
  EXPECT_EQ(errors.columns[4].header, "simulated [range]");
  ASSERT_EQ(errors.rows.size(), 6U);
  EXPECT_EQ(errors.rows[2],
            (row{"primes", "stealing", "2", "1.00 s [0.990, 1.01]", "1.04 s [1.04, 1.04]", "+4.0 %",
                 "0.0 %", "no", "primes limit=5"}));
  EXPECT_EQ(errors.rows[1], (row{"fib", "queue", "2", "2.00 s [2.00, 2.00]", "3.00 s [3.00, 3.00]",
                                 "+50.0 %", "50.0 %", "contended", "calibrated"}));
  const report::table& pairs = table_in(all, "Pairs of schedulers");
  EXPECT_EQ(pairs.rows,
            (std::vector<row>{{"spawn", "2", "queue", "stealing", "1.33 ×", "0.889 ×"}}));
  EXPECT_FALSE(contains(text_of(all.back()), "Not compared"));
}

TEST(ValidationSections, ListWhatIsNotCompared) {
  const auto all = sections_of(dataset::datasets_of(
      {{dataset::on("primes", "a"), {1}, {1}}, {dataset::on("primes", "b"), {1}, {}}}));
  EXPECT_TRUE(contains(text_of(all.back()),
                       "- **Not compared: primes/b/workers:2**: simulation: timed out after 9 s"));
  EXPECT_TRUE(contains(text_of(all.front()), "1 benchmark compared, 1 not."));
  EXPECT_TRUE(contains(text_of(all.front()), "No benchmark held out is contended."));
}

TEST(ValidationSections, ExplainTheirWords) {
  const std::string words =
      text_of(section_in(sections_of(made_validation()), "How to read a validation"));
  EXPECT_TRUE(contains(words, "**Contended**: waiting exceeds 10 %"));
  EXPECT_TRUE(contains(words,
                       "uncontended: median at most 5 %, nine in ten at most 15 %. Contended: "
                       "greatest factor at most 2, all pairs in the measured order."));
}

}  // namespace
}  // namespace stealbench::sections
