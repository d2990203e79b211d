// What is said of two builds, by a dataset that has both.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bench/driver/experiments/experiment.hpp"
#include "bench/driver/experiments/report.hpp"
#include "results/sections/fixture.hpp"

namespace stealbench::experiments {

using namespace sections;
namespace {

using dataset::made_ab;

std::vector<section> found_in(const raw_lines& lines) { return sections_of(read_lines(lines)); }

/// Of the row of one benchmark: A, B, the ratio and the change.
row values_in(const raw_lines& lines) {
  const row all = table_in(found_in(lines), "Every benchmark").rows.at(0);
  return {all.begin() + 1, all.end()};
}

std::string verdict_in(const raw_lines& lines) {
  const auto found = found_in(lines);
  return std::get<report::paragraph>(section_in(found, "Verdict").blocks.at(0)).text;
}

TEST(ABSections, SayHowMuchSlowerBIs) {
  const raw_lines lines = made_ab(six(1), six(1.1));
  EXPECT_EQ(values_in(lines),
            (row{"1.00 s [1.00, 1.00]", "1.10 s [1.10, 1.10]", "1.10 × [1.10, 1.10]", "slower"}));
  EXPECT_EQ(verdict_in(lines),
            "1 benchmark: 1 slower, 0 faster, 0 without a significant change of more than 3 %.");
  EXPECT_EQ(table_in(found_in(lines), "What differs").rows.size(), 1U);
  EXPECT_EQ(values_in(made_ab(six(1.1), six(1))).back(), "faster");
}

TEST(ABSections, HaveNoTableOfWhatDiffersWhereNothingDoes) {
  const auto found = found_in(made_ab(six(1), six(1)));
  EXPECT_THROW((void)table_in(found, "What differs"), std::out_of_range);
  EXPECT_EQ(table_in(found, "Every benchmark").rows.size(), 1U);
}

TEST(ABSections, TakeTheThresholdOfTheDataset) {
  raw_lines lines = made_ab(six(1), six(1.1));
  lines[0]["settings"]["threshold"] = 11.0;
  EXPECT_EQ(values_in(lines).back(), "");
  EXPECT_TRUE(contains(verdict_in(lines), "1 without a significant change of more than 11 %"));
}

TEST(ABSections, PairTheTimesOfARound) {
  EXPECT_EQ(values_in(made_ab({1, 2, 3, 4, 5, 6}, {2, 4, 6, 8, 10, 12})).at(2),
            "2.00 × [2.00, 2.00]");
}

TEST(ABSections, TellNothingApartBelowSixRounds) {
  EXPECT_EQ(values_in(made_ab({1, 1, 1, 1, 1}, {9, 9, 9, 9, 9})).back(), "not told apart yet");
}

TEST(ABSections, ShowWhichBuildFailed) {
  EXPECT_EQ(values_in(made_ab(six(1), {})),
            (row{"1.00 s [1.00, 1.00]", "DNF", "—", "slower (crashed)"}));
  EXPECT_EQ(values_in(made_ab({}, six(1))).back(), "faster");
  EXPECT_EQ(values_in(made_ab({}, {})).back(), "(crashed)");
}

TEST(ABSections, ShowBothBuildsAndTheProvenanceOfEach) {
  raw_lines lines = made_ab(six(1), six(1));
  lines[1]["context"].update({{"compiler", "GCC 12"}, {"date", "today"}, {"load_avg", {1.0}}});
  lines[2]["context"].update({{"compiler", "Clang 14"}, {"date", "tomorrow"}, {"hwloc", "2.9"}});
  EXPECT_EQ(table_in(found_in(lines), "The builds").rows,
            (std::vector<row>{{"folder", "one", "two"},
                              {"commit", "aaa", "bbb"},
                              {"compiler", "GCC 12", "Clang 14"},
                              {"build_type", "unknown", "unknown"},
                              {"flags", "unknown", "unknown"}}));
  const auto origin = table_in(origin_sections(read_lines(lines)), "Build, machine").rows;
  for (const row& each : {row{"commit", "aaa"}, row{"commit of B", "bbb"}, row{"hwloc of B", "2.9"},
                          row{"num_cpus", "2"}}) {
    EXPECT_EQ(std::ranges::count(origin, each), 1) << each[0];
  }
  EXPECT_EQ(std::ranges::count(origin, "num_cpus of B", [](const row& each) { return each[0]; }),
            0);
  const std::string page = to_markdown(report_on({read_lines(lines)}));
  EXPECT_TRUE(
      contains(page, "ab: 2 benchmarks on A \\<processor>, 2 processors; commit aaa and bbb"))
      << page;
}

TEST(ABSections, AreThereWhenOneBuildAloneHasRun) {
  raw_lines lines = made_ab(six(1), six(1));
  EXPECT_EQ(section_in(found_in(lines), "Verdict").blocks.size(), 3U);
  lines.resize(4);
  lines.erase(lines.begin() + 2);  // No process of B has finished.
  const auto found = found_in(lines);
  const section& verdict = section_in(found, "Verdict");
  EXPECT_TRUE(contains(std::get<report::paragraph>(verdict.blocks.at(0)).text, "0 slower"));
}

}  // namespace
}  // namespace stealbench::experiments
