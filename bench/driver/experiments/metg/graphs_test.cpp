#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bench/driver/experiments/metg/metg.hpp"
#include "results/dataset/fixture.hpp"

namespace stealbench::experiments::metg {
namespace {

using analysis::task_graph;

const std::vector<std::uint64_t> halves{1024, 512, 256, 128, 64, 32, 16, 8, 4, 2, 1};

/// A scheduler that adds as much to each task as so much work takes.
auto adding(double overhead, unsigned& calls) {
  return [overhead, &calls](std::size_t point) -> std::optional<double> {
    ++calls;
    return static_cast<double>(halves[point]) + overhead;
  };
}

TEST(MetgPoints, EndOnePointBehindTheFirstThatIsClearlyLessThanHalfEfficient) {
  unsigned calls = 0;
  // 64 is 43 % efficient, measured against 1024.
  EXPECT_EQ(points_wanted(halves, adding(100, calls)), 6u);
  EXPECT_LE(calls, 5u) << "by bisection";
}

TEST(MetgPoints, AreAllWantedWhereTheCurveHasNoCrossing) {
  unsigned calls = 0;
  EXPECT_EQ(points_wanted(halves, adding(0.1, calls)), halves.size());
}

TEST(MetgPoints, AreWantedUpToTheOneThatFails) {
  EXPECT_EQ(points_wanted(halves, [](std::size_t) { return std::nullopt; }), 1u);
  unsigned calls = 0;
  const auto fails_below_64 = [&](std::size_t point) -> std::optional<double> {
    if (halves[point] < 64) return {};
    return adding(0, calls)(point);
  };
  const std::size_t wanted = points_wanted(halves, fails_below_64);
  ASSERT_GT(wanted, 0u);
  EXPECT_LT(halves[wanted - 1], 64u) << "so that the failure shows";
}

TEST(MetgGraphs, HaveAboutAsManyTasksEachAndParametersThatTheirWorkloadsTake) {
  for (const unsigned workers : {1U, 2U, 64U}) {
    const std::vector<task_graph> graphs = standard_graphs(workers);
    ASSERT_EQ(graphs.size(), 5u);
    for (const task_graph& each : graphs) {
      EXPECT_GE(each.tasks, 0.5 * tasks_of_a_graph) << each.name;
      if (workers <= 8) {
        EXPECT_LE(each.tasks, 1.0 * tasks_of_a_graph) << each.name;
      }
      EXPECT_EQ(with_work(each, 3).parameters.size(), each.what.parameters.size() + 1) << each.name;
      EXPECT_EQ(work_points(each).back(), 1u);
    }
  }
}

TEST(MetgGraphs, AreFiveOfWhichTaskBenchHasFourPointsForEachWorker) {
  std::vector<std::string> shown;
  for (const task_graph& each : standard_graphs(2)) {
    shown.push_back(fmt::format("{}: {}, {} from {}", each.name, label_of(each.what), each.work,
                                work_points(each)[0]));
  }
  EXPECT_EQ(shown,
            (std::vector<std::string>{
                "independent: taskbench pattern=trivial width=512 steps=1, iterations from 4096",
                "fork tree: empty_tree depth=9, work from 16384",
                "stencil_1d: taskbench pattern=stencil_1d width=8 steps=64, iterations from 4096",
                "fft: taskbench pattern=fft width=8 steps=64, iterations from 4096",
                "tree: taskbench pattern=tree width=8 steps=64, iterations from 4096"}));
}

TEST(MetgGraphs, CountTheTasksOfATreeThatIsNarrowAtFirst) {
  const task_graph tree = standard_graphs(2).back();
  EXPECT_EQ(tree.name, "tree");
  EXPECT_EQ(tree.tasks, 1 + 2 + 4 + 61 * 8) << "64 steps of up to 8 points";
}

TEST(MetgGraphs, GoBetweenTheRawFileAndTheProgram) {
  const std::vector<task_graph> graphs = standard_graphs(2);
  const std::vector<task_graph> read = analysis::graphs_of(
      dataset::data_of({{dataset::fib_on("serial", 1), {1}}}, json_of(graphs), "metg"));
  ASSERT_EQ(read.size(), graphs.size());
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    EXPECT_EQ(read[i].name, graphs[i].name);
    EXPECT_EQ(read[i].what, graphs[i].what);
    EXPECT_EQ(read[i].work, graphs[i].work);
    EXPECT_EQ(read[i].tasks, graphs[i].tasks);
  }
}

}  // namespace
}  // namespace stealbench::experiments::metg
