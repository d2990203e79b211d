#include "bench/compare/metg_report.hpp"

#include <gtest/gtest.h>

namespace stealbench::compare {
namespace {

const nlohmann::ordered_json context{
    {"graphs", json_of({{"leaves", {"empty_tree", {{"depth", "9"}}}, "work", 512}})}};

cell_result measured(const std::string& work, const std::vector<double>& seconds) {
  cell_result made;
  made.which = {"s", {}, {"empty_tree", {{"depth", "9"}, {"work", work}}}, 2};
  for (const double each : seconds) made.samples.push_back({.seconds = each, .worker_count = 2});
  return made;
}

/// Tasks of a nanosecond for each step, and 64 more.
std::vector<cell_result> curve() {
  std::vector<cell_result> cells;
  for (const unsigned work : {16384U, 4096U, 64U, 16U}) {
    cells.push_back(measured(std::to_string(work), {(work + 64) * 256e-9, (work + 64) * 256e-9}));
  }
  return cells;
}

TEST(MetgReport, HasTwoColumnsForEachGraphAndARowForEachScheduler) {
  const auto tables = metg_tables(curve(), context);
  ASSERT_EQ(tables.size(), 1u);
  ASSERT_EQ(tables[0].columns.size(), 4u);
  EXPECT_EQ(tables[0].columns[2].header, "leaves 50 %");
  EXPECT_EQ(tables[0].columns[3].header, "leaves 90 %");
  ASSERT_EQ(tables[0].rows.size(), 1u);
  EXPECT_EQ(tables[0].rows[0][0], "s");
  EXPECT_EQ(tables[0].rows[0][2].substr(0, 6), "128 ns") << tables[0].rows[0][2];
}

TEST(MetgReport, SaysWhyThereIsNoFigure) {
  std::vector<cell_result> cells = curve();
  cells.resize(2);
  EXPECT_EQ(metg_tables(cells, context)[0].rows[0][2],
            "no crossing: still 99 % efficient at 4.16 µs a task");
}

TEST(MetgReport, MarksACurveThatHasNotBecomeLevel) {
  std::vector<cell_result> cells = curve();
  cells.erase(cells.begin(), cells.begin() + 2);
  EXPECT_EQ(metg_tables(cells, context)[0].rows[0][3].substr(0, 3), "≥");
}

TEST(MetgReport, HasNoFigureOfACurveWithACellThatDidNotFinish) {
  std::vector<cell_result> cells = curve();
  cells[1].failure = "wrong answer";
  EXPECT_EQ(metg_tables(cells, context)[0].rows[0][2], "DNF: wrong answer");
  EXPECT_TRUE(metg_plots(cells, context)[0].curves.empty());
}

TEST(MetgReport, TakesOnlyRoundsThatAllPointsHave) {
  std::vector<cell_result> cells = curve();
  cells[0].samples.push_back(cells[0].samples[0]);
  const auto sweeps = task_sweeps_of(cells, context);
  ASSERT_EQ(sweeps.size(), 1u);
  for (const auto& each : sweeps[0].curve.points) EXPECT_EQ(each.seconds.size(), 2u);
}

TEST(MetgReport, LeavesOutCellsOfNoGraph) {
  std::vector<cell_result> cells = curve();
  cells[0].which.what.set[0].second = "10";
  EXPECT_EQ(task_sweeps_of(cells, context)[0].curve.points.size(), 3u);
}

TEST(MetgReport, DrawsTheEfficiencyOverTheTimePerTask) {
  const auto plots = metg_plots(curve(), context);
  ASSERT_EQ(plots.size(), 1u);
  const auto& points = plots[0].curves.at(0).points;
  ASSERT_EQ(points.size(), 4u);
  EXPECT_NEAR(points[0].x, 80e-9, 1e-15);
  EXPECT_NEAR(points[1].y.median, 0.5, 0.01);
  EXPECT_EQ(points[3].y.median, 1);
}

}  // namespace
}  // namespace stealbench::compare
