#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "results/dataset/simulation_fixture.hpp"
#include "results/sections/sections.hpp"

namespace stealbench::sections {
namespace {

using dataset::contains;
using dataset::fib_on;
using dataset::json;
using dataset::measurements;
using dataset::six;

constexpr double usual_threshold = 0.03;

/// A run on a machine, on a day of 2026-11, in which work stealing takes `seconds`; 0: it crashes.
measurements run_on(const std::string& machine, int day, double seconds,
                    const std::string& experiment = "compare") {
  dataset::raw_lines lines = dataset::lines_of(
      experiment, {{fib_on("serial", 1), six(1)},
                   {fib_on("work-stealing", 2), seconds > 0 ? six(seconds) : std::vector<double>(),
                    seconds > 0 ? "" : "crashed"}});
  lines[0]["date"] = "2026-11-" + std::to_string(day) + "T00:00:00Z";
  lines[0]["about"] = {{"parameter", "n"}, {"greater", "finer"}, {"unit", "levels"}};  // Of grain.
  lines[1]["context"]["processor"] = machine;
  lines.push_back(dataset::finished_line());
  return dataset::read_lines(lines);
}

std::string merged(std::vector<measurements> runs, double threshold = usual_threshold) {
  return report::to_markdown({"", merged_sections(std::move(runs), threshold)});
}

TEST(Merge, TakesEachBuildAsARun) {
  const std::string page = merged({dataset::read_lines(dataset::made_ab(six(1), six(2)))});
  EXPECT_TRUE(contains(page, "| aaa ")) << page;
  EXPECT_TRUE(contains(page, "| bbb ")) << page;
  EXPECT_TRUE(contains(page, "run 1 → run 2: 1 benchmark: 1 slower")) << page;
}

TEST(Merge, SetsRunsSideBySideByMachineAndDate) {
  const std::string page =
      merged({run_on("beta", 20, 0.5), run_on("alpha", 22, 0.25), run_on("alpha", 21, 0.125)});
  EXPECT_TRUE(contains(page, "| run 1 | compare    | 2026-11-21T00:00:00Z | alpha ")) << page;
  EXPECT_TRUE(contains(page, "| run 2 | compare    | 2026-11-22T00:00:00Z | alpha "));
  EXPECT_TRUE(contains(page, "| run 3 | compare    | 2026-11-20T00:00:00Z | beta "));
  const std::size_t row = page.find("| fib/work-stealing/n:20/workers:2 |");
  ASSERT_NE(row, std::string::npos);
  const std::string times = page.substr(row, page.find('\n', row) - row);
  const std::size_t first = times.find(" 125");
  const std::size_t second = times.find(" 250");
  EXPECT_LT(first, second) << times;
  EXPECT_LT(second, times.find(" 500")) << times;
  EXPECT_NE(times.find(" 500"), std::string::npos);
}

TEST(Merge, SaysWhereAnIntervalIsARange) {
  const measurements few = dataset::data_of({{fib_on("serial", 1), {1, 2, 3}}});
  EXPECT_TRUE(contains(merged({run_on("alpha", 21, 0.5), run_on("alpha", 22, 0.5)}),
                       "Median time [95 %] in each run"));
  EXPECT_TRUE(contains(merged({run_on("alpha", 21, 0.5), few}),
                       "Median time [95 %, below 6 rounds the range] in each run"));
}

TEST(Merge, FindsChangesOnOneMachineAlone) {
  const std::string page =
      merged({run_on("beta", 23, 4), run_on("alpha", 21, 0.5), run_on("alpha", 22, 0.6)});
  EXPECT_TRUE(contains(page, "run 1 → run 2: 2 benchmarks: 1 slower, 0 faster")) << page;
  EXPECT_FALSE(contains(page, "run 2 → run 3"));
  EXPECT_TRUE(contains(merged({run_on("alpha", 21, 0.5), run_on("alpha", 22, 0.6)}, 0.3),
                       "0 slower, 0 faster"));
}

TEST(Merge, WarnsOfWhatElseChangedWithTheTimes) {
  dataset::raw_lines later = dataset::made_comparison(6);
  later[0]["date"] = "2026-11-30T00:00:00Z";
  later[1]["context"]["compiler"] = "Clang 14";
  const std::string page =
      merged({dataset::read_lines(dataset::made_comparison(6)), dataset::read_lines(later)});
  EXPECT_TRUE(contains(page, "run 1 → run 2, warning: compiler was unknown, and is Clang 14"))
      << page;
}

/// fib simulated on a machine of this profile, by changes of the header's `about`.
measurements simulated_on(const std::function<void(json& about)>& change, double seconds) {
  dataset::raw_lines lines =
      dataset::simulated_lines({{fib_on("work-stealing", 64), six(seconds)}}, {64});
  change(lines[0]["about"]);
  lines.push_back(dataset::finished_line());
  return dataset::read_lines(lines);
}

TEST(Merge, FindsNoChangeBetweenDifferentSimulatedMachines) {
  const auto against = [](const std::function<void(json & about)>& change) {
    return merged({simulated_on([](json&) {}, 1), simulated_on(change, 2)});
  };
  const std::vector<std::function<void(json & about)>> others{
      [](json& about) { about["profile"]["name"] = "two-sockets"; },
      [](json& about) { about["profile"]["costs"]["transfer_ns"] = 91.0; },
      [](json& about) { about["changes"] = {"wake 2us"}; }};
  for (const auto& change : others) EXPECT_FALSE(contains(against(change), "→"));
  const auto validate = [](json& about) {
    about["profile"]["accuracy"] = {{"cells", 9},
                                    {"median_error", 0.1},
                                    {"ninth_decile_error", 0.2},
                                    {"contended_factor", 2.0}};
  };
  EXPECT_TRUE(contains(against(validate), "run 1 → run 2: 1 benchmark: 1 slower"));
}

TEST(Merge, FindsChangesSinceTheLatestRunWithACommonBenchmark) {
  const measurements other = [] {
    dataset::raw_lines lines = dataset::lines_of("compare", {{fib_on("openmp", 2), six(3)}});
    lines[0]["date"] = "2026-11-23T00:00:00Z";
    lines[1]["context"]["processor"] = "alpha";
    lines.push_back(dataset::finished_line());
    return dataset::read_lines(lines);
  }();
  const std::string page =
      merged({run_on("alpha", 21, 0.25), run_on("alpha", 22, 0.5), other, run_on("alpha", 24, 1)});
  EXPECT_TRUE(contains(page, "run 1 → run 2: 2 benchmarks: 1 slower, 0 faster")) << page;
  EXPECT_TRUE(contains(page, "run 2 → run 4: 2 benchmarks: 1 slower, 0 faster")) << page;
  EXPECT_FALSE(contains(page, "run 1 → run 4")) << page;
  EXPECT_FALSE(contains(page, "→ run 3")) << page;
}

TEST(Merge, RanksWithinEachRun) {
  const std::string page = merged({run_on("alpha", 21, 0.5), run_on("beta", 21, 0.5)});
  EXPECT_TRUE(contains(page, "| fib/work-stealing/n:20/workers:2 | 1 · 1.00 × |")) << page;
}

TEST(Merge, SaysWhatARunLacksAndWhatFailed) {
  measurements other = dataset::data_of({{fib_on("openmp", 2), six(3)}});
  const std::string page = merged({run_on("alpha", 21, 0), std::move(other)});
  EXPECT_TRUE(contains(page, " DNF |")) << page;
  EXPECT_TRUE(contains(page, " — |"));
  EXPECT_FALSE(contains(page, "→")) << "they have no benchmark in common";
}

TEST(Merge, ShowsTheTimesOfSimulatedBenchmarksOfAMixtureAndOfOtherCosts) {
  const std::string mixed = merged({dataset::read_lines(dataset::made_mixture())});
  EXPECT_TRUE(contains(mixed, "[2.00, 2.00] |")) << mixed;
  const std::string varied = merged({dataset::read_lines(dataset::made_simulation())});
  EXPECT_TRUE(contains(varied, "[0.500, 2.00] |")) << varied;
}

TEST(Merge, KeepsExperimentsApart) {
  const std::string page = merged({run_on("alpha", 21, 0.5), run_on("alpha", 22, 0.6, "grain")});
  const std::size_t of_grain = page.find("Who leads: grain");
  EXPECT_TRUE(contains(page.substr(0, of_grain), "Who leads: compare\n\nrun 1: ")) << page;
  ASSERT_NE(of_grain, std::string::npos);
  EXPECT_TRUE(contains(page.substr(of_grain), "Who leads: grain\n\nrun 2: "));
  EXPECT_FALSE(contains(page.substr(of_grain), "run 1"));
  EXPECT_FALSE(contains(page, "→"));
}

}  // namespace
}  // namespace stealbench::sections
