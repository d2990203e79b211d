#include <stdexcept>

#include <gtest/gtest.h>

#include "results/analysis/sweep.hpp"

namespace stealbench::analysis {
namespace {

/// Overhead at 1 and 4, good from 16 to 256, imbalance at 1024.
std::vector<grain_point> bathtub() {
  return {{256, 4, {1.03}}, {1, 1024, {2}},   {64, 16, {1}},
          {4, 256, {1.2}},  {16, 64, {1.04}}, {1024, 1, {1.5}}};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(GrainSweep, GoesFromTheFinestToTheCoarsest) {
  const grain_sweep found = analyse(bathtub(), 2, greater_grain::is_coarser);
  ASSERT_EQ(found.rows.size(), 6u);
  EXPECT_EQ(found.rows.front().grain, 1);
  EXPECT_EQ(found.rows.back().grain, 1024);
}

TEST(GrainSweep, TakesMoreLevelsThatForkForFiner) {
  const grain_sweep found =
      analyse({{0, 0, {2}}, {5, 31, {3}}, {2, 3, {1}}}, 2, greater_grain::is_finer);
  EXPECT_EQ(found.rows.front().grain, 5);
  EXPECT_EQ(found.rows.back().grain, 0);
  EXPECT_EQ(found.too_fine(), 0u);
  EXPECT_EQ(found.too_coarse(), 2u);
}

TEST(GrainSweep, FindsTheGrainsWithinFivePercentOfTheBest) {
  const grain_sweep found = analyse(bathtub(), 2, greater_grain::is_coarser);
  EXPECT_EQ(found.rows[found.best].grain, 64);
  EXPECT_EQ(found.rows[found.finest_good].grain, 16);
  EXPECT_EQ(found.rows[found.coarsest_good].grain, 256);
  EXPECT_EQ(found.rows[found.too_fine().value()].grain, 4);
  EXPECT_EQ(found.rows[found.too_coarse().value()].grain, 1024);
}

TEST(GrainSweep, EndsItsFlatPartAtTheFirstGrainThatIsSlower) {
  const grain_sweep found =
      analyse({{1, 8, {1.01}}, {2, 4, {1.3}}, {4, 2, {1}}}, 2, greater_grain::is_coarser);
  EXPECT_EQ(found.finest_good, 2u) << "1 is as good, but not in one piece with the best";
}

TEST(GrainSweep, ComparesWithTheBestInTheSameRounds) {
  const grain_sweep found =
      analyse({{1, 9, {2, 4, 6}}, {8, 1, {1, 2, 3}}}, 1, greater_grain::is_coarser);
  EXPECT_EQ(found.rows[1].efficiency.median, 1);
  EXPECT_EQ(found.rows[0].efficiency.median, 0.5);
  EXPECT_EQ(found.rows[0].efficiency.around.low, 0.5) << "a slow round slows both";
  EXPECT_EQ(found.rows[0].efficiency.around.high, 0.5);
}

TEST(GrainSweep, DividesTheTimeOfAllWorkersAmongTheTasks) {
  const grain_sweep found = analyse({{1, 8, {4}}, {8, 0, {3}}}, 2, greater_grain::is_coarser);
  EXPECT_EQ(found.rows[0].task_seconds, 1);
  EXPECT_EQ(found.rows[1].task_seconds, 6) << "one piece, and no branch";
}

TEST(GrainSweep, HasNeitherSideWhereAllGrainsAreAlike) {
  const grain_sweep found = analyse({{1, 8, {1}}, {8, 1, {1.01}}}, 2, greater_grain::is_coarser);
  EXPECT_FALSE(found.too_fine());
  EXPECT_FALSE(found.too_coarse());
}

TEST(GrainSweep, RefusesWhatIsNoSweep) {
  const auto refuses = [](const std::vector<grain_point>& points, double workers = 1) {
    EXPECT_THROW((void)analyse(points, workers, greater_grain::is_coarser), std::invalid_argument);
  };
  refuses({});
  refuses({{1, 1, {}}});
  refuses({{1, 1, {1}}}, 0);
  refuses({{1, 1, {1, 1}}, {2, 1, {1}}});
  refuses({{1, 1, {0}}});
  refuses({{1, -1, {1}}});
  refuses({{1, 1, {1}}, {1, 1, {1}}});
}

TEST(GrainVerdict, SaysTheSweetSpotAndWhatIsWrongOnEitherSide) {
  const std::string said = verdict_of(analyse(bathtub(), 2, greater_grain::is_coarser), "grain");
  EXPECT_EQ(
      said,
      "The best grain is 64, with 16 branches of 125 ms each: 1.00 s [1.00, 1.00]. It is flat "
      "from 16 to 256: 3 of 6 values lie within 5 % of it. Overhead sets in at 4: 20 % slower, "
      "with 256 branches of 9.38 ms each. Imbalance sets in at 1,024: 50 % slower, with one "
      "branch.");
}

TEST(GrainVerdict, SaysThatAnEndWasNotReached) {
  const std::string said =
      verdict_of(analyse({{1, 8, {1}}, {8, 1, {1.01}}}, 2, greater_grain::is_coarser), "leaf");
  EXPECT_TRUE(contains(said, "No overhead shows down to 1. No imbalance shows up to 8.")) << said;
}

TEST(GrainVerdict, BlamesNoImbalanceOnOneWorker) {
  const std::string said = verdict_of(analyse(bathtub(), 1, greater_grain::is_coarser), "grain");
  EXPECT_FALSE(contains(said, "Imbalance")) << said;
  EXPECT_TRUE(contains(said, "one worker, at 1,024: 50 % slower")) << said;
}

TEST(GrainVerdict, SaysThatASpotIsSharp) {
  const std::string said = verdict_of(
      analyse({{1, 8, {2.5}}, {4, 2, {1}}, {8, 1, {2}}}, 2, greater_grain::is_coarser), "grain");
  EXPECT_TRUE(contains(said, "It is sharp: no other grain is within 5 %.")) << said;
  EXPECT_TRUE(contains(said, "at 1: 2.5 times as slow")) << said;
}

}  // namespace
}  // namespace stealbench::analysis
