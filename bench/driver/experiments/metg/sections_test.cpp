#include <gtest/gtest.h>

#include "bench/driver/experiments/experiment.hpp"
#include "bench/driver/experiments/metg/metg.hpp"
#include "results/sections/fixture.hpp"
#include "schedulers/input.hpp"

namespace stealbench::experiments::metg {

using namespace sections;
namespace {

using dataset::measured;

const dataset::json crossings = analysis::json_of(
    std::vector<analysis::task_graph>{{"leaves", {"empty_tree", {{"depth", "9"}}}, "work", 512}});

/// Tasks of a nanosecond for each step, and 64 more.
std::vector<measured> measured_curve() {
  std::vector<measured> all;
  for (const unsigned work : {16384U, 4096U, 64U, 16U}) {
    const double seconds = (work + 64) * 256e-9;
    all.push_back({{{"empty_tree", {{"depth", "9"}, {"work", std::to_string(work)}}}, "openmp", 2},
                   {seconds, seconds}});
  }
  return all;
}

std::vector<section> sections_of_metg(const std::vector<measured>& all) {
  return sections_of(data_of(all, crossings, "metg"));
}

const char* const title = "METG: smallest efficient task [range]";

TEST(MetgSections, HaveTwoColumnsForEachGraphAndARowForEachScheduler) {
  const auto all = sections_of_metg(measured_curve());
  const report::table& table = table_in(all, title);
  ASSERT_EQ(table.columns.size(), 4u);
  EXPECT_EQ(table.columns[2].header, "leaves 50 %");
  EXPECT_EQ(table.columns[3].header, "leaves 90 %");
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_EQ(table.rows[0][0], "openmp");
  EXPECT_EQ(table.rows[0][2].substr(0, 6), "128 ns") << table.rows[0][2];
  EXPECT_EQ(all.front().shown, report::prominence::summary);
}

/// Tasks with `overhead` ns beside their work, from 64 times as much work down to a quarter.
void add_curve(std::vector<measured>& to, const char* depth, const char* scheduler,
               unsigned workers, unsigned overhead) {
  const double tasks = std::string(depth) == "9" ? 512 : 1024;
  const double working = std::string(scheduler) == "serial" ? 1 : workers;
  for (const unsigned quarters : {256U, 128U, 36U, 4U, 1U}) {
    const unsigned work = overhead * quarters / 4;
    const double seconds = (work + overhead) * 1e-9 * tasks / working;
    to.push_back(
        {{{"empty_tree", {{"depth", depth}, {"work", std::to_string(work)}}}, scheduler, workers},
         {seconds, seconds}});
  }
}

// METG(50 %) is twice the overhead and METG(90 %) ten times, by less than 4 %.
TEST(MetgSections, ShowTheValuesOfEachCurve) {
  std::vector<measured> cells;
  add_curve(cells, "9", "openmp", 2, 64);
  add_curve(cells, "9", "openmp", 4, 32);
  add_curve(cells, "9", "serial", 2, 16);
  add_curve(cells, "10", "openmp", 2, 128);
  add_curve(cells, "10", "openmp", 4, 8);
  const auto all =
      sections_of(data_of(cells,
                          analysis::json_of(std::vector<analysis::task_graph>{
                              {"leaves", {"empty_tree", {{"depth", "9"}}}, "work", 512},
                              {"more", {"empty_tree", {{"depth", "10"}}}, "work", 1024}}),
                          "metg"));
  EXPECT_EQ(shown(table_in(all, title)),
            "METG: smallest efficient task [range]\n"
            "scheduler | workers | leaves 50 % | leaves 90 % | more 50 % | more 90 %\n"
            "openmp | 2 | 127 ns [127, 127] | 622 ns [622, 622] | 254 ns [254, 254] | 1.24 µs "
            "[1.24, 1.24]\n"
            "openmp | 4 | 63.4 ns [63.4, 63.4] | 311 ns [311, 311] | 15.8 ns [15.8, 15.8] | 77.8 "
            "ns [77.8, 77.8]\n"
            "serial | 1 of 2 | 31.7 ns [31.7, 31.7] | 156 ns [156, 156] | — | —");
  const section& plots = section_in(all, "Efficiency and task size");
  std::vector<std::string> curves;
  for (const report::plot& plot : plots_in(plots)) {
    for (const report::curve& one : plot.curves) {
      curves.push_back(fmt::format("{}; {} over {}; {}: {:.3f} at {:.0f} ns", plot.title,
                                   plot.y.label, plot.x.label, one.name, one.points.at(1).y.median,
                                   one.points.at(1).x * 1e9));
    }
  }
  const auto line = [](const char* graph, unsigned workers, const char* point) {
    return fmt::format(
        "{} with {} workers{}: efficiency over time per task; efficiency over time per task, µs; "
        "{}",
        graph, workers, workers > 2 ? " on 2 processors" : "", point);
  };
  EXPECT_EQ(
      curves,
      (std::vector<std::string>{
          line("leaves", 2, "serial (1 worker): 0.508 at 32 ns"),
          line("leaves", 2, "openmp: 0.508 at 128 ns"), line("leaves", 4, "openmp: 0.508 at 64 ns"),
          line("more", 2, "openmp: 0.508 at 256 ns"), line("more", 4, "openmp: 0.508 at 16 ns")}));
  EXPECT_EQ(plots_in(plots).at(0).x.unit, 1e-6) << "µs";
}

TEST(MetgSections, SayWhyThereIsNoValue) {
  std::vector<measured> curve = measured_curve();
  curve.resize(2);
  EXPECT_EQ(table_in(sections_of_metg(curve), title).rows[0][2],
            "no crossing: still 99 % efficient at 4.16 µs a task");
}

TEST(MetgSections, MarkACurveThatHasNotBecomeLevel) {
  std::vector<measured> curve = measured_curve();
  curve.erase(curve.begin(), curve.begin() + 2);
  EXPECT_EQ(table_in(sections_of_metg(curve), title).rows[0][3].substr(0, 3), "≥");
}

TEST(MetgSections, HaveNoValueOfACurveWithACellThatDidNotFinish) {
  std::vector<measured> curve = measured_curve();
  curve[1].failure = "wrong answer";
  const auto all = sections_of_metg(curve);
  EXPECT_EQ(table_in(all, title).rows[0][2], "DNF: wrong answer");
  EXPECT_THROW((void)section_in(all, "Efficiency and task size"), std::out_of_range);
}

TEST(MetgSections, HaveADashWhereASchedulerWasNotMeasuredOnAGraph) {
  std::vector<measured> curve = measured_curve();
  curve.push_back(curve[0]);
  curve.back().which.scheduler = "onetbb";
  curve.back().which.what.parameters[0].second = "10";
  curve.push_back(curve[0]);
  curve.back().which.workers = 1;
  const auto graphs = analysis::json_of(std::vector<analysis::task_graph>{
      {"leaves", {"empty_tree", {{"depth", "9"}}}, "work", 512},
      {"more leaves", {"empty_tree", {{"depth", "10"}}}, "work", 1024}});
  const auto all = sections_of(data_of(curve, graphs, "metg"));
  const report::table& table = table_in(all, title);
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(table.rows[2][0], "onetbb");
  EXPECT_EQ(table.rows[2][2], "—");
  EXPECT_EQ(table.rows[0][4], "—");
}

TEST(MetgSections, DrawTheEfficiencyOverTheTimePerTask) {
  const auto all = sections_of_metg(measured_curve());
  const auto plots = plots_in(section_in(all, "Efficiency and task size"));
  ASSERT_EQ(plots.size(), 1u);
  const auto& points = plots[0].curves.at(0).points;
  ASSERT_EQ(points.size(), 4u);
  EXPECT_NEAR(points[0].x, 80e-9, 1e-15);
  EXPECT_NEAR(points[1].y.median, 0.5, 0.01);
  EXPECT_EQ(points[3].y.median, 1);
}

TEST(MetgSections, NeedTheGraphsOfTheFirstLine) {
  EXPECT_THROW((void)data_of(measured_curve(), dataset::json::object(), "metg"),
               schedulers::bad_input);
}

}  // namespace
}  // namespace stealbench::experiments::metg
