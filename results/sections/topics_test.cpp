// Topics, plots, origin and plain values of a comparison.
#include <algorithm>

#include <gtest/gtest.h>

#include "results/sections/fixture.hpp"
#include "results/sections/parts.hpp"

namespace stealbench::sections {
namespace {

using dataset::contains;
using dataset::json;
using dataset::made_comparison;
using dataset::raw_lines;
using row = std::vector<std::string>;

std::vector<section> compared(const raw_lines& lines = made_comparison()) {
  return compare_sections(read_lines(lines));
}

TEST(Topics, ShowEachSchedulerWithTheGreatestWorkerCount) {
  const auto all = compared();
  EXPECT_EQ(table_in(all, "Share of the busy time").rows,
            (std::vector<row>{{"fib n=20", "—", "49 %, 51 %", "DNF"}}));
  EXPECT_EQ(table_in(all, "Peak resident set").rows[0][2], "8.00 MiB");
  EXPECT_EQ(table_in(all, "Most live jobs").rows[0][2], "12");
  EXPECT_EQ(table_in(all, "Queues and the stacks").rows[0][2], report::bytes(4096 + 2048));
  EXPECT_EQ(table_in(all, "First run over").rows[0][2], "2.00 ×");
  EXPECT_EQ(table_in(all, "Processors in use").rows[0][2], "2.00");
  EXPECT_EQ(table_in(all, "Share of the processor time").rows[0][2], "0.0 %");
  EXPECT_EQ(table_in(all, "Voluntary context switches").rows[0][2], "3");
}

TEST(Topics, GiveTheRangeOfManyWorkers) {
  raw_lines lines = made_comparison();
  std::size_t found = 0;
  for (json& each : lines) {
    if (each["type"] != "counters" || each["counters"].is_null()) continue;
    ++found;
    each["counters"]["per_worker"] = json::array();
    for (const unsigned jobs : {10U, 20U, 30U, 20U, 20U}) {
      each["counters"]["per_worker"].push_back({{"jobs_run", jobs}});
    }
  }
  ASSERT_EQ(found, 2U);
  EXPECT_EQ(table_in(compared(lines), "Share of the jobs").rows[0][2], "10 % to 30 %");
}

TEST(Topics, SayWhatWasNotRecorded) {
  raw_lines lines = made_comparison();
  for (json& each : lines) {
    if (each["type"] == "counters") each["counters"] = nullptr;
  }
  const auto all = compared(lines);
  EXPECT_TRUE(contains(text_of(section_in(all, "Balance")), "Nothing was recorded."));
  EXPECT_TRUE(contains(text_of(section_in(all, "Energy")),
                       "Not measured: no counter of energy can be read"));
}

TEST(Topics, ShowEnergyWhereItIsMeasured) {
  raw_lines lines = made_comparison();
  lines[0]["energy"] = "measured";
  dataset::edit_cell(lines, "fib/work-stealing/n:20/workers:2",
                     [](json& benchmark) { benchmark["energy_joules"] = 0.25; });
  EXPECT_EQ(table_in(compared(lines), "Energy per run").rows[0],
            (row{"fib n=20", "—", "0.25 J", "DNF"}));
}

TEST(Plots, HaveACurveForEachSchedulerAndABarForEachOverhead) {
  const auto all = compared();
  const auto speedups = plots_in(section_in(all, "Speedup"));
  ASSERT_EQ(speedups.size(), 1U);
  const auto& plot = std::get<report::curve_plot>(speedups[0]);
  ASSERT_EQ(plot.curves.size(), 2U) << "serial is the line at 1";
  EXPECT_EQ(plot.curves[0].name, "work-stealing");
  EXPECT_EQ(plot.curves[0].points.size(), 2U);
  EXPECT_NEAR(plot.curves[0].points[1].y.median, 2, 1e-9);
  EXPECT_EQ(plot.curves[1].points.size(), 1U) << "openmp did not finish with two";
  EXPECT_FALSE(plot.y.is_logarithmic);
  EXPECT_TRUE(
      contains(std::get<report::plot_group>(section_in(all, "Speedup").blocks[1]).plots[0].caption,
               "fib n=20 (DNF: openmp at 2)"));
  const auto overheads = plots_in(section_in(all, "Overhead"));
  ASSERT_EQ(overheads.size(), 1U);
  EXPECT_EQ(std::get<report::bar_plot>(overheads[0]).bars.size(), 2U);
}

TEST(Plots, AreLogarithmicWhereTheSpeedupsLieFarApart) {
  raw_lines lines = made_comparison();
  slow_down(lines, "fib/openmp/n:20/workers:1", 100);
  const auto plot =
      std::get<report::curve_plot>(plots_in(section_in(compared(lines), "Speedup"))[0]);
  EXPECT_TRUE(plot.x.is_logarithmic && plot.y.is_logarithmic);
}

TEST(Plots, AreNoneWithoutTheBaseline) {
  const auto all = compare_sections(data_of({{dataset::fib_on("openmp", 1), {1, 1}}}));
  EXPECT_TRUE(plots_in(section_in(all, "Speedup")).empty());
  EXPECT_TRUE(contains(text_of(section_in(all, "Overhead")), "None: it takes serial"));
}

TEST(Origin, NamesFailuresChecksBuildAndSettings) {
  raw_lines lines = made_comparison();
  lines.back()["host_checks"] = lines.front()["host_checks"];
  lines.insert(lines.end() - 1, json{{"type", "resumed"}, {"date", "2026-11-21T20:41:35Z"}});
  const auto all = origin_sections(read_lines(lines));
  EXPECT_EQ(table_in(all, "Benchmarks that did not finish").rows,
            (std::vector<row>{{"fib/openmp/n:20/workers:2", "timed out after 120 s"}}));
  const report::table& checks = table_in(all, "What may disturb");
  ASSERT_EQ(checks.rows.size(), 2U);
  EXPECT_EQ(checks.rows[1], (row{"load", "warn", "1.24"}));
  ASSERT_EQ(checks.marks.size(), 1U);
  EXPECT_EQ(checks.marks[0].row, 1U);
  const auto& build = table_in(all, "Build, machine and settings").rows;
  for (const row& each : std::vector<row>{{"command", "stealbench compare --rounds 3"},
                                          {"date", "2026-11-21T20:41:35Z"},
                                          {"size", "test"},
                                          {"workers", "1, 2"},
                                          {"spent_seconds", "12.5"},
                                          {"resumed", "1"},
                                          {"commit", "0123456789ab"},
                                          {"load_avg", "0.5, 1.0"}}) {
    EXPECT_EQ(std::count(build.begin(), build.end(), each), 1) << each[0];
  }
  EXPECT_TRUE(std::none_of(build.begin(), build.end(),
                           [](const row& each) { return each[0] == "caches"; }));
}

TEST(Origin, SaysThatEveryCellFinishedAndOfWhichExperiment) {
  const auto all = origin_sections(data_of({{dataset::fib_on("serial", 1), {1}}}), "grain");
  EXPECT_TRUE(
      contains(text_of(section_in(all, "Did not finish (grain)")), "Every benchmark finished"));
  EXPECT_NO_THROW((void)section_in(all, "Provenance (grain)"));
}

TEST(Csv, HasPlainNumbersForEveryCell) {
  const auto data = read_lines(made_comparison());
  const report::table table = csv_table(data);
  ASSERT_EQ(table.rows.size(), data.cells().size());
  const auto value = [&](std::size_t at, const std::string& name) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (table.columns[i].header == name) return table.rows[at].at(i);
    }
    ADD_FAILURE() << "no column " << name;
    return std::string("0");
  };
  EXPECT_EQ(value(4, "cell"), "fib/work-stealing/n:20/workers:2");
  EXPECT_EQ(value(4, "instance"), "fib n=20");
  EXPECT_EQ(value(4, "rounds"), "3");
  EXPECT_NEAR(std::stod(value(4, "seconds")), 1.02e-3, 1e-9);
  EXPECT_NEAR(std::stod(value(4, "seconds_low")), 1.01e-3, 1e-9);
  EXPECT_NEAR(std::stod(value(4, "seconds_high")), 1.03e-3, 1e-9);
  EXPECT_NEAR(std::stod(value(4, "speedup")), 2, 1e-9);
  EXPECT_NEAR(std::stod(value(4, "first_run_seconds")), 2.04e-3, 1e-9);
  EXPECT_NEAR(std::stod(value(4, "overhead")), 1, 1e-9) << "of its scheduler with one worker";
  EXPECT_EQ(value(4, "fork_count"), "10945");
  EXPECT_EQ(value(4, "energy_joules"), "");
  EXPECT_EQ(value(4, "steals"), "7");
  EXPECT_EQ(value(4, "attempts_lost"), "3");
  EXPECT_EQ(value(0, "attempts_lost"), "") << "serial counts nothing";
  EXPECT_EQ(value(4, "queue_bytes"), "2048");
  EXPECT_EQ(value(4, "rank"), "") << "below six rounds";
  EXPECT_EQ(value(4, "failure"), "");
  EXPECT_EQ(value(5, "failure"), "timed out after 120 s");
  EXPECT_EQ(value(5, "seconds"), "");
}

TEST(Csv, HasAColumnForEveryMeasuredMetricWithItsEnds) {
  const report::table table = csv_table(data_of({{dataset::fib_on("serial", 1), {1}}}));
  const auto count = [&](const std::string& name) {
    return std::count_if(table.columns.begin(), table.columns.end(),
                         [&](const report::column& each) { return each.header == name; });
  };
  for (const auto& each : dataset::metrics) {
    if (each.of == dataset::presence::simulated) continue;
    const std::string name(each.name);
    const bool is_constant = name == "fork_count" || name == "worker_count";
    EXPECT_EQ(count(name), 1) << name;
    EXPECT_EQ(count(name + "_low"), is_constant ? 0 : 1) << name;
    EXPECT_EQ(count(name + "_high"), is_constant ? 0 : 1) << name;
  }
}

}  // namespace
}  // namespace stealbench::sections
