#include "bench/compare/grain.hpp"

#include <gtest/gtest.h>

#include "bench/compare/grain_report.hpp"
#include "bench/compare/names.hpp"

namespace stealbench::compare {
namespace {

using grains = std::vector<std::uint64_t>;

grains grains_at(const char* workload, const std::vector<workloads::assignment>& set) {
  const workloads::description of = find_workload(workload);
  return grains_of(of, {of, set});
}

TEST(Grains, GoInStepsOfAFactorUpToOnePieceOfTheWhole) {
  EXPECT_EQ(grains_at("mergesort", {{"keys", "100"}, {"grain", "16"}}), (grains{16, 32, 64, 100}));
  EXPECT_EQ(grains_at("mergesort", {{"keys", "2^17"}}),
            (grains{16, 64, 256, 1024, 4096, 16384, 65536, 1 << 17}))
      << "by 4 where there are many";
}

TEST(Grains, HoldTheOneThatTheWorkloadHasAnyway) {
  EXPECT_EQ(grains_at("mergesort", {{"keys", "100"}, {"grain", "50"}}),
            (grains{16, 32, 50, 64, 100}));
}

TEST(Grains, AreAllLevelsOfACutOff) {
  EXPECT_EQ(grains_at("nqueens", {{"n", "5"}}), (grains{0, 1, 2, 3, 4, 5}));
}

TEST(Grains, AreInsideTheirDomainWhereTheInputIsTiny) {
  EXPECT_EQ(grains_at("mergesort", {{"keys", "0"}}), (grains{2}));
}

cell_result measured(const std::string& scheduler, const std::string& grain,
                     const std::vector<double>& seconds) {
  cell_result made;
  made.which = {scheduler, {}, {"mergesort", {{"keys", "100"}, {"grain", grain}}}, 2};
  for (const double each : seconds) {
    made.samples.push_back({.seconds = each, .fork_count = 8, .worker_count = 2});
  }
  return made;
}

const nlohmann::ordered_json context{{"sweep", "grain"}, {"greater_grain", "coarser"}};

TEST(GrainReport, HasARowForEachGrainAndASweetSpotForEachScheduler) {
  const std::vector<cell_result> cells{measured("a", "64", {1}), measured("a", "16", {2}),
                                       measured("b", "16", {1}), measured("b", "64", {2})};
  const auto tables = grain_tables(cells, context);
  ASSERT_EQ(tables.size(), 2u);
  EXPECT_EQ(tables[0].title, "mergesort keys=100: grain");
  ASSERT_EQ(tables[0].rows.size(), 4u);
  EXPECT_EQ(tables[0].rows[0][2], "16");
  EXPECT_EQ(tables[0].rows[0].back(), "too fine");
  EXPECT_EQ(tables[0].rows[1].back(), "best");
  EXPECT_EQ(tables[0].rows[3].back(), "too coarse");
  ASSERT_EQ(tables[1].rows.size(), 2u);
  EXPECT_EQ(tables[1].rows[0][3], "64");
  EXPECT_EQ(tables[1].rows[1][3], "16");
  EXPECT_EQ(grain_verdicts(cells, context).size(), 2u);
}

TEST(GrainReport, KeepsAGrainThatDidNotFinishAsARow) {
  std::vector<cell_result> cells{measured("a", "64", {1}), measured("a", "16", {})};
  cells[1].failure = "timed out after 1 s";
  const auto tables = grain_tables(cells, context);
  ASSERT_EQ(tables[0].rows.size(), 2u);
  EXPECT_EQ(tables[0].rows[1][3], "DNF: timed out after 1 s");
  cells.erase(cells.begin());
  EXPECT_NE(grain_verdicts(cells, context)[0].find("No grain has finished."), std::string::npos);
  EXPECT_EQ(grain_tables(cells, context)[1].rows[0][3], "DNF");
}

TEST(GrainReport, TakesOnlyRoundsThatAllGrainsHave) {
  const std::vector<cell_result> cells{measured("a", "64", {1, 1, 9}), measured("a", "16", {2, 2})};
  const auto all = sweeps_of(cells, context);
  ASSERT_TRUE(all.front().found);
  EXPECT_EQ(all.front().found->rows[1].seconds.around.high, 1);
}

TEST(GrainReport, DrawsTheEfficiencyOfEachScheduler) {
  const std::vector<cell_result> cells{measured("a", "64", {1}), measured("a", "16", {2})};
  const auto plots = grain_plots(cells, context);
  ASSERT_EQ(plots.size(), 1u);
  ASSERT_EQ(plots[0].curves.size(), 1u);
  EXPECT_EQ(plots[0].curves[0].points[0].x, 16);
  EXPECT_EQ(plots[0].curves[0].points[0].y.median, 0.5);
}

}  // namespace
}  // namespace stealbench::compare
