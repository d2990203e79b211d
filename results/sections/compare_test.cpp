// The tables of `compare`.
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "results/sections/fixture.hpp"
#include "results/sections/parts.hpp"

namespace stealbench::sections {
namespace {

std::vector<section> sections_of_comparison(const std::vector<measured>& all) {
  return compare_sections(data_of(all));
}

std::vector<row> rows_of(const std::vector<measured>& all) {
  return table_in(sections_of_comparison(all), "fib n=20").rows;
}

TEST(TableOfAllValues, ShowsThemByTheirDefinitions) {
  const auto all =
      sections_of_comparison({{fib_on("serial", 1), std::vector<double>(6, 2.0)},
                              {fib_on("work-stealing", 1), std::vector<double>(6, 3.0)},
                              {fib_on("work-stealing", 2), {1, 1, 1, 1, 4, 4}}});
  const report::table& table = table_in(all, "fib n=20");
  ASSERT_EQ(table.rows.size(), 3U);
  // Median, rank, Ts/Tp, T1/Ts, Tp P/tasks, steals.
  EXPECT_EQ(table.rows[1],
            (row{"serial", "1", "2.00 s [2.00, 2.00]", "1", "1.00 ×", "1.00 ×", "2.00 µs", "—"}));
  EXPECT_EQ(table.rows[0], (row{"work-stealing", "1", "3.00 s [3.00, 3.00]", "2", "0.667 ×",
                                "1.50 ×", "3.00 µs", "—"}));
  EXPECT_EQ(table.rows[2], (row{"work-stealing", "2", "1.00 s [1.00, 4.00]", "1", "2.00 ×",
                                "1.50 ×", "2.00 µs", "—"}));
}

TEST(TableOfAllValues, MarksWhatWaitedForAProcessorAndTheVerdictNamesIt) {
  auto lines = lines_of("compare", {{fib_on("serial", 2), {2, 2, 2}},
                                    {fib_on("work-stealing", 2), {1, 1, 1}},
                                    {fib_on("openmp", 2), {}, "crashed"}});
  const auto verdict = [&] {
    return text_of(section_in(compare_sections(read_lines(lines)), "Verdict"));
  };
  EXPECT_FALSE(contains(verdict(), "waited"));
  edit_cell(lines, "fib/work-stealing/n:20/workers:2",
            [](json& benchmark) { benchmark["waiting_threads"] = 0.9; });
  const auto all = compare_sections(read_lines(lines));
  const report::table& table = table_in(all, "fib n=20");
  EXPECT_EQ(table.rows[0][2], "2.00 s [2.00, 2.00]");
  EXPECT_EQ(table.rows[1][2], "1.00 s [1.00, 1.00] (waited)");
  EXPECT_TRUE(contains(verdict(), "1 of 3 benchmarks waited for a processor")) << verdict();
  EXPECT_TRUE(contains(verdict(), "work-stealing on fib n=20 with 2 workers. Other programs had"));
  EXPECT_TRUE(contains(verdict(), "not certain who leads"));
  EXPECT_TRUE(contains(text_of(section_in(all, "All values")), "(waited): in a third"));
}

// No two of these values are equal.
TEST(TableOfAllValues, HasTheValuesOfItsColumnsInTheCsvFileToo) {
  measured wide{fib_on("openmp", 2), {3, 3, 3, 3, 5, 5}};
  wide.fork_count = 1000;
  const report::table csv =
      csv_table(data_of({{fib_on("serial", 1), std::vector<double>(6, 4.0)},
                         {fib_on("openmp", 1), std::vector<double>(6, 5.0)},
                         wide,
                         {fib_on("onetbb", 2), std::vector<double>(6, 2.0)}}));
  const auto value = [&](const std::string& name) {
    for (std::size_t i = 0; i < csv.columns.size(); ++i) {
      if (csv.columns[i].header == name) return std::stod(csv.rows[2][i]);
    }
    throw std::out_of_range("no column " + name);
  };
  EXPECT_DOUBLE_EQ(value("seconds"), 3);
  EXPECT_DOUBLE_EQ(value("seconds_low"), 3);
  EXPECT_DOUBLE_EQ(value("seconds_high"), 5);
  EXPECT_DOUBLE_EQ(value("seconds_per_fork"), 6e-3);
  EXPECT_DOUBLE_EQ(value("speedup"), 4.0 / 3);
  EXPECT_DOUBLE_EQ(value("overhead"), 1.25);
  EXPECT_DOUBLE_EQ(value("slowdown"), 1.5);
  EXPECT_DOUBLE_EQ(value("rounds"), 6);
  EXPECT_DOUBLE_EQ(value("workers"), 2);
  EXPECT_DOUBLE_EQ(value("rank"), 2);
}

TEST(TableOfAllValues, IsGroupedByWorkerCount) {
  std::vector<row> keys;
  for (const row& each : rows_of({{fib_on("serial", 2), {1}},
                                  {fib_on("onetbb", 1), {1}},
                                  {fib_on("openmp", 2), {1}},
                                  {fib_on("serial", 1), {1}}})) {
    keys.push_back({each[0], each[1]});
  }
  EXPECT_EQ(keys, (std::vector<row>{
                      {"serial", "1"}, {"onetbb", "1"}, {"serial", "1 of 2"}, {"openmp", "2"}}));
}

TEST(TableOfAllValues, IsOneForEachInstance) {
  std::vector<measured> all{{fib_on("serial", 1), {1}}, {fib_on("serial", 1), {2}}};
  all[1].which.what = {"uts", {{"tree", "T1"}}};
  const auto sections = sections_of_comparison(all);
  EXPECT_EQ(section_in(sections, "All values").blocks.size(), 3U) << "and a line on DNF";
  EXPECT_EQ(table_in(sections, "uts tree=T1").rows[0][2], "2.00 s [2.00, 2.00]");
}

// The driver writes what is missing into the first line; the page has it too.
TEST(CompareSections, NameWhatIsNotBuiltBesideTheTable) {
  const std::vector<measured> all{{fib_on("serial", 1), six(1)}, {fib_on("openmp", 1), six(2)}};
  const json missing{{"schedulers", {"onetbb", "rayon"}}, {"command", "cmake --build build"}};
  const auto found = compare_sections(data_of(all, {{"not_built", missing}}));
  const section& ranks = section_in(found, "Ranks");
  ASSERT_TRUE(std::holds_alternative<report::table>(ranks.blocks.at(0)));
  EXPECT_EQ(std::get<report::paragraph>(ranks.blocks.at(1)).text,
            "Not built, so not compared: onetbb, rayon. The command that adds them: cmake --build "
            "build");
  EXPECT_FALSE(contains(text_of(section_in(sections_of_comparison(all), "Ranks")), "Not built"));
}

TEST(TableOfAllValues, KeepsACellThatDidNotFinish) {
  const auto rows =
      rows_of({{fib_on("serial", 1), {1, 1}}, {fib_on("openmp", 1), {9}, "wrong answer"}});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[1], (row{"openmp", "1", "DNF", "—", "—", "—", "—", "—"}));
}

TEST(TableOfAllValues, SaysRangeWhereThereAreTooFewRoundsForAnInterval) {
  const auto header = [](std::size_t rounds) {
    const auto all =
        sections_of_comparison({{fib_on("serial", 1), std::vector<double>(rounds, 1.0)}});
    return table_in(all, "fib n=20").columns[2].header;
  };
  EXPECT_EQ(header(5), "median time [range]");
  EXPECT_EQ(header(6), "median time [95 %]");
}

TEST(TableOfAllValues, HasNoMemoryThatTheSystemDoesNotSay) {
  auto lines = lines_of("compare", {{fib_on("serial", 1), {1}}});
  edit_cell(lines, "fib/serial/n:20/workers:1",
            [](json& benchmark) { benchmark["peak_rss_bytes"] = 0; });
  const auto all = compare_sections(read_lines(lines));
  EXPECT_THROW((void)table_in(all, "Peak resident set"), std::out_of_range) << "no value at all";
}

TEST(TableOfAllValues, HasADashForWhatIsNotKnown) {
  const row only = rows_of({{fib_on("onetbb", 1), std::vector<double>(5, 1.0)}}).front();
  EXPECT_EQ(only[3], "—") << "no rank below six rounds";
  EXPECT_EQ(only[4], "—") << "no speedup without serial";
  EXPECT_EQ(only[5], "—") << "nor overhead";
  EXPECT_EQ(only[7], "—") << "nor steals without counters";
}

TEST(TableOfAllValues, TakesTheStealsFromTheCounters) {
  const auto rows = rows_of(
      {{.which = fib_on("work-stealing", 2), .seconds = {1}, .counters = {{"steals", 12345}}}});
  EXPECT_EQ(rows.front().back(), "12,345");
}

TEST(TableOfAllValues, MarksTheFirstRankOfEachWorkerCountAndWhatFailed) {
  const auto all = sections_of_comparison({{fib_on("serial", 1), six(4)},
                                           {fib_on("onetbb", 1), six(3)},
                                           {fib_on("serial", 2), six(5)},
                                           {fib_on("onetbb", 2), six(2)},
                                           {fib_on("openmp", 2), {}, "crashed"}});
  EXPECT_EQ(
      shown(table_in(all, "fib n=20")),
      "fib n=20\n"
      "scheduler | workers | median time [95 %] | rank | speedup | overhead | per fork | steals\n"
      "onetbb | 1 | 3.00 s [3.00, 3.00] | *1* | 1.33 × | 0.750 × | 3.00 µs | —\n"
      "serial | 1 | 4.00 s [4.00, 4.00] | 2 | 1.00 × | 1.00 × | 4.00 µs | —\n"
      "onetbb | 2 | 2.00 s [2.00, 2.00] | *1* | 2.00 × | 0.750 × | 4.00 µs | —\n"
      "serial | 1 of 2 | 5.00 s [5.00, 5.00] | 2 | 0.800 × | 1.00 × | 5.00 µs | —\n"
      "openmp | 2 | !DNF! | — | — | — | — | —");
}

}  // namespace
}  // namespace stealbench::sections
