// What is said of ablations: the tables of one, and the findings of several.
#include "results/analysis/strategies/ablation.hpp"

#include <gtest/gtest.h>

#include "results/dataset/simulation_fixture.hpp"
#include "results/sections/fixture.hpp"

namespace stealbench::sections {
namespace {

const json contrasts =
    analysis::json_of({{"scheduler", "openmp", "work-stealing"},
                       {"work-stealing:idle", "work-stealing:idle=spin", "work-stealing"}});

std::vector<section> ablation_of(const std::vector<measured>& all) {
  return compare_sections(data_of(all, {{"ablation", contrasts}}));
}

TEST(AblationTable, HoldsTheRatioOfMediansWithTheRangeOfTheRounds) {
  const std::vector<section> all = ablation_of({{fib_on("serial", 1), {1, 1, 1}},
                                                {fib_on("work-stealing", 1), {2, 4, 3}},
                                                {fib_on("work-stealing:idle=spin", 1), {4, 4, 9}},
                                                {fib_on("openmp", 1), {3, 6, 3}},
                                                {fib_on("work-stealing", 2), {1, 1, 1}},
                                                {fib_on("work-stealing:idle=spin", 2), {2, 2, 2}}});
  const report::table& one = table_in(all, "ablation, 1 worker");
  EXPECT_EQ(one.title,
            "ablation, 1 worker: median time ÷ that of what it is compared with [range]");
  ASSERT_EQ(one.columns.size(), 4U);
  EXPECT_EQ(one.columns[3].header, "fib n=20");
  ASSERT_EQ(one.rows.size(), 2U);
  EXPECT_EQ(one.rows[0], (row{"openmp", "work-stealing", "scheduler", "1.00 × [1.00, 1.50]"}));
  EXPECT_EQ(one.rows[1], (row{"work-stealing:idle=spin", "work-stealing", "work-stealing:idle",
                              "1.33 × [1.00, 3.00]"}));
  const report::table& two = table_in(all, "ablation, 2 workers");
  EXPECT_EQ(two.rows[0].back(), "—") << "it was not measured with two workers";
  EXPECT_EQ(two.rows[1].back(), "2.00 × [2.00, 2.00]");
}

TEST(AblationTable, HasAColumnForEachInstance) {
  const dataset::instance uts{"uts", {}};
  EXPECT_EQ(shown(table_in(ablation_of({{fib_on("work-stealing", 1), {1}},
                                        {fib_on("work-stealing:idle=spin", 1), {2}},
                                        {fib_on("openmp", 1), {3}},
                                        {{uts, "work-stealing", 1}, {1}},
                                        {{uts, "work-stealing:idle=spin", 1}, {5}},
                                        {{uts, "openmp", 1}, {}, "crashed"}}),
                           "ablation, 1 worker")),
            "ablation, 1 worker: median time ÷ that of what it is compared with [range]\n"
            "variant | compared with | factor | fib n=20 | uts\n"
            "openmp | work-stealing | scheduler | 3.00 × [3.00, 3.00] | DNF\n"
            "work-stealing:idle=spin | work-stealing | work-stealing:idle | 2.00 × [2.00, 2.00] | "
            "5.00 × [5.00, 5.00]");
}

TEST(AblationTable, SaysIntervalFromSixRoundsOn) {
  EXPECT_EQ(
      table_in(ablation_of({{fib_on("work-stealing", 1), std::vector<double>(6, 1.0)}}), "ablation")
          .title,
      "ablation, 1 worker: median time ÷ that of what it is compared with [95 %]");
}

TEST(AblationTable, SaysWhatDidNotFinishAndDoesNotCompareWithIt) {
  const std::vector<section> all =
      ablation_of({{fib_on("work-stealing", 1), {1}},
                   {fib_on("work-stealing:idle=spin", 1), {2}, "wrong"},
                   {fib_on("work-stealing", 2), {1}, "timed out"},
                   {fib_on("work-stealing:idle=spin", 2), {2}}});
  EXPECT_EQ(table_in(all, "ablation, 1 worker").rows[1].back(), "DNF");
  EXPECT_EQ(table_in(all, "ablation, 2 workers").rows[1].back(), "—");
}

TEST(AblationTable, IsShownOfAnAblationAlone) {
  const std::vector<measured> all{{fib_on("work-stealing", 1), {1}}};
  EXPECT_THROW((void)section_in(compare_sections(data_of(all)), "Ablation by workload"),
               std::out_of_range);
  EXPECT_TRUE(ablation_findings(std::vector{data_of(all)}).empty());
}

TEST(AblationTable, IsNotShownOfAFileWithoutAMemberAbout) {
  for (const json& about : {json(nullptr), json{{"ablation", nullptr}}}) {
    EXPECT_TRUE(ablation_findings(std::vector{data_of({{fib_on("work-stealing", 1), {1}}}, about)})
                    .empty());
  }
}

/// fib with two workers, measured: openmp takes three times as long, spinning nothing.
measurements measured_ablation() {
  return data_of({{fib_on("work-stealing", 2), six(1)},
                  {fib_on("openmp", 2), six(3)},
                  {fib_on("work-stealing:idle=spin", 2), {1.01, 0.99, 1, 1, 1.01, 0.99}}},
                 {{"ablation", contrasts}});
}

measurements simulated_ablation(double spinning_seconds, std::size_t seeds = 6) {
  auto lines = dataset::simulated_lines(
      {{fib_on("work-stealing", 64), six(1)},
       {fib_on("openmp", 64), {}, "timed out"},
       {fib_on("work-stealing:idle=spin", 64), std::vector<double>(seeds, spinning_seconds)}},
      {64});
  lines[0]["about"]["ablation"] = contrasts;
  return read_lines(lines);
}

TEST(AblationFindings, SayWhichFactorsMatterWhere) {
  const auto all = ablation_findings(std::vector{measured_ablation(), simulated_ablation(0.5)});
  const std::string words = text_of(section_in(all, "What matters"));
  EXPECT_TRUE(contains(words,
                       "Measured, these factors matter, the one with the greatest effect first: "
                       "scheduler."))
      << words;
  EXPECT_TRUE(contains(words,
                       "Simulated with many workers, these factors matter, the one with the "
                       "greatest effect first: work-stealing:idle."))
      << words;
  EXPECT_TRUE(contains(words,
                       "Shown to matter nowhere, after the correction for the number of "
                       "comparisons: none."))
      << words;
}

TEST(AblationFindings, SayWhatNeverMattered) {
  const auto all = ablation_findings(std::vector{measured_ablation(), simulated_ablation(1.02)});
  const std::string words = text_of(section_in(all, "What matters"));
  EXPECT_TRUE(contains(words, "number of comparisons: work-stealing:idle.")) << words;
  EXPECT_FALSE(contains(words, "work-stealing:idle=")) << words;
}

TEST(AblationFindings, SayWhichAnotherMachineContradicts) {
  auto other = dataset::simulated_lines(
      {{fib_on("work-stealing", 64), six(1)}, {fib_on("work-stealing:idle=spin", 64), six(2.25)}},
      {64});
  const std::vector data{simulated_ablation(0.04), read_lines(other)};
  const std::string words = text_of(section_in(ablation_findings(data), "What matters"));
  EXPECT_TRUE(
      contains(words,
               "1 of the 1 differences that were simulated with other costs too vanish or turn "
               "there: work-stealing:idle=spin on fib n=20 with 64 workers (0.0400 ×, with "
               "other costs 2.25 ×)."))
      << words;
}

TEST(AblationFindings, HaveAColumnForEachWorkerCount) {
  const auto all = ablation_findings(std::vector{measured_ablation(), simulated_ablation(0.5)});
  const report::table& factors = table_in(all, "what a factor changes");
  ASSERT_EQ(factors.columns.size(), 3U);
  EXPECT_EQ(factors.columns[1].header, "2 workers");
  EXPECT_EQ(factors.columns[2].header, "64 workers, simulated");
  EXPECT_EQ(factors.rows, (std::vector<row>{{"scheduler", "1.00 × to 3.00 ×", "none"},
                                            {"work-stealing:idle", "none", "0.500 × to 1.00 ×"}}));
  EXPECT_EQ(
      table_in(all, "variants").rows,
      (std::vector<row>{{"openmp", "work-stealing", "3.00 × +1", "DNF"},
                        {"work-stealing:idle=spin", "work-stealing", "1.00 ×", "0.500 × −1"}}));
}

// Every count, ratio and place is another one.
TEST(AblationFindings, CountAndOrderWhatTheyName) {
  const std::vector<std::string> variants{"openmp", "work-stealing:idle=spin",
                                          "work-stealing:victim=random"};
  // Beside one second of work stealing; 0 did not finish.
  const std::vector<std::vector<double>> seconds{
      {1.2, 3, 2, 1.5}, {1, 0.8, 1, 0.25}, {0.5, 0.75, 1, 0}};
  std::vector<measured> cells;
  for (std::size_t i = 0; i < seconds.front().size(); ++i) {
    const dataset::instance what{"w" + std::to_string(i + 1), {}};
    for (const unsigned workers : {1U, 2U}) {
      cells.push_back({{what, "work-stealing", workers}, six(1)});
      for (std::size_t j = 0; j < variants.size(); ++j) {
        const double time = workers == 1 ? 1 : seconds[j][i];
        measured& added = cells.emplace_back(
            measured{{what, variants[j], workers}, six(time), time > 0 ? "" : "crashed"});
        if (time == 0) added.seconds.clear();
        if (time == 0.25) added.seconds = {0.2, 0.25, 0.25, 0.25, 0.25, 0.3};
      }
    }
  }
  const analysis::contrast idle{"work-stealing:idle", variants[1], "work-stealing"};
  const auto measured_contrasts =
      analysis::json_of({{"scheduler", "openmp", "work-stealing"},
                         idle,
                         {"work-stealing:victim", variants[2], variants[1]}});
  auto lines = dataset::simulated_lines({{fib_on("work-stealing", 2), six(1)},
                                         {fib_on(variants[1], 2), six(2)},
                                         {fib_on("work-stealing", 8), six(1)},
                                         {fib_on(variants[1], 8), six(4)},
                                         {fib_on("work-stealing", 64), six(1)},
                                         {fib_on(variants[1], 64), six(0.5)}},
                                        {2, 8, 64});
  lines[0]["about"]["ablation"] = analysis::json_of({idle});
  lines.push_back(dataset::finished_line());
  auto measured_lines = lines_of("compare", cells);
  measured_lines[0]["about"]["ablation"] = measured_contrasts;
  measured_lines.push_back(dataset::finished_line());
  const std::vector data{read_lines(measured_lines), read_lines(lines)};
  const auto all = ablation_findings(data);
  EXPECT_EQ(text_of(section_in(all, "What matters")),
            "## What matters\n"
            "\n"
            "Measured, these factors matter, the one with the greatest effect first: "
            "work-stealing:idle; scheduler; work-stealing:victim.\n"
            "\n"
            "Simulated with few workers (at most 2), these factors matter, the one with the "
            "greatest effect first: work-stealing:idle.\n"
            "\n"
            "Simulated with many workers, these factors matter, the one with the greatest effect "
            "first: work-stealing:idle.\n"
            "\n"
            "Shown to matter nowhere, after the correction for the number of comparisons: none.\n"
            "\n");
  EXPECT_EQ(shown(table_in(all, "what a factor changes")),
            "what a factor changes: the least and the greatest ratio of times\n"
            "factor | 1 worker | 2 workers | 2 workers, simulated | 8 workers, simulated | 64 "
            "workers, simulated\n"
            "scheduler | none | 1.00 × to 3.00 × | none | none | none\n"
            "work-stealing:idle | none | 0.250 × to 1.00 × | 1.00 × to 2.00 × | 1.00 × to 4.00 × | "
            "0.500 × to 1.00 ×\n"
            "work-stealing:victim | none | 0.500 × to 1.00 × | none | none | none");
  EXPECT_EQ(shown(table_in(all, "variants")),
            "variants: geometric mean of the ratios, and on how many instances slower (+) and "
            "faster (−)\n"
            "variant | compared with | 1 worker | 2 workers | 2 workers, simulated | 8 workers, "
            "simulated | 64 workers, simulated\n"
            "openmp | work-stealing | 1.00 × | 1.81 × +4 | — | — | —\n"
            "work-stealing:idle=spin | work-stealing | 1.00 × | 0.669 × −2 | 2.00 × +1 | 4.00 × +1 "
            "| 0.500 × −1\n"
            "work-stealing:victim=random | work-stealing:idle=spin | 1.00 × | 0.777 × −1, 1 DNF | "
            "— | — | "
            "—");
  EXPECT_TRUE(contains(text_of(section_in(all, "How to read an ablation")),
                       "the times differ by 10 % or more"));
}

TEST(AblationFindings, ClaimNothingBelowSixRoundsOrSeeds) {
  const auto all = ablation_findings(std::vector{measured_ablation(), simulated_ablation(0.5, 2)});
  const std::string words = text_of(section_in(all, "What matters"));
  EXPECT_TRUE(contains(words,
                       "Measured, these factors matter, the one with the greatest effect "
                       "first: scheduler."))
      << words;
  EXPECT_TRUE(contains(words,
                       "Simulated with many workers, the factors are not told apart yet (2 "
                       "of 6 seeds). 4 more seeds take about"))
      << words;
  EXPECT_FALSE(contains(words, "work-stealing:idle")) << words;
  EXPECT_FALSE(contains(words, "matter nowhere")) << words;
  EXPECT_EQ(table_in(all, "what a factor changes").rows,
            (std::vector<row>{{"scheduler", "1.00 × to 3.00 ×", "not told apart yet"},
                              {"work-stealing:idle", "none", "not told apart yet"}}));
  EXPECT_EQ(table_in(all, "variants").rows[1].back(), "0.500 ×");
}

TEST(AblationFindings, SayThatAnAblationIsUnfinished) {
  const auto all = ablation_findings(std::vector{measured_ablation()});
  EXPECT_TRUE(contains(text_of(section_in(all, "What matters")), "An ablation is unfinished"));
}

TEST(AblationFindings, SayThatValuesAreSimulated) {
  const auto all = ablation_findings(std::vector{measured_ablation(), simulated_ablation(1)});
  EXPECT_TRUE(contains(text_of(section_in(all, "Factors and variants")), "imulated"));
  EXPECT_EQ(
      table_in(ablation_findings(std::vector{measured_ablation()}), "variants").columns.size(), 3U);
}

}  // namespace
}  // namespace stealbench::sections
