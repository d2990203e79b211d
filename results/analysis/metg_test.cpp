#include "results/analysis/metg.hpp"

#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "results/dataset/fixture.hpp"

namespace stealbench::analysis {
namespace {

using dataset::data_of;

/// One round on a scheduler that adds `overhead` to each task; the unit of work is a second.
task_curve ideal(double overhead, const std::vector<double>& work, double workers = 1,
                 double tasks = 1) {
  task_curve curve{.workers = workers, .tasks = tasks, .points = {}};
  for (const double each : work) {
    curve.points.push_back({each, {(each + overhead) * tasks / workers}});
  }
  return curve;
}

double metg_of(const task_curve& curve, double threshold) {
  return estimate_metg(curve, threshold).value().median;
}

TEST(EfficiencyCurve, TakesTheTimePerTaskAndTheWorkPerSecondOfTheLargestTask) {
  const auto curve = efficiency_curve({.workers = 2, .tasks = 10, .points = {{8, {4}}, {4, {4}}}});
  ASSERT_EQ(curve.size(), 2u);
  EXPECT_EQ(curve[0].task_seconds, 0.8);
  EXPECT_EQ(curve[0].efficiency, 1);
  EXPECT_EQ(curve[1].work, 4);
  EXPECT_EQ(curve[1].efficiency, 0.5);
}

TEST(EfficiencyCurve, DoesNotDependOnTheOrderOfItsPoints) {
  const auto curve =
      efficiency_curve({.workers = 1, .tasks = 1, .points = {{2, {3}}, {8, {8}}, {4, {5}}}});
  EXPECT_EQ((std::vector<double>{curve[0].work, curve[1].work, curve[2].work}),
            (std::vector<double>{8, 4, 2}));
  EXPECT_EQ(curve[1].efficiency, 0.8);
}

TEST(EfficiencyCurve, TakesTheMediansOfTheRounds) {
  const auto curve =
      efficiency_curve({.workers = 1, .tasks = 1, .points = {{8, {8, 99, 7}}, {4, {4, 16, 15}}}});
  EXPECT_EQ(curve[0].task_seconds, 8);
  EXPECT_EQ(curve[1].task_seconds, 15);
}

TEST(EfficiencyCurve, RefusesWhatIsNoCurve) {
  const auto refuses = [](const task_curve& curve) {
    EXPECT_THROW((void)efficiency_curve(curve), std::invalid_argument);
    EXPECT_THROW((void)estimate_metg(curve, 0.5), std::invalid_argument);
  };
  refuses({.workers = 1, .tasks = 1, .points = {}});
  refuses({.workers = 0, .tasks = 1, .points = {{1, {1}}}});
  refuses({.workers = 1, .tasks = 0, .points = {{1, {1}}}});
  refuses({.workers = 1, .tasks = 1, .points = {{1, {}}}});
  refuses({.workers = 1, .tasks = 1, .points = {{0, {1}}}});
  refuses({.workers = 1, .tasks = 1, .points = {{2, {1}}, {-1, {1}}}});
  refuses({.workers = 1, .tasks = 1, .points = {{2, {1, 1}}, {1, {1}}}});
  refuses({.workers = 1, .tasks = 1, .points = {{2, {1}}, {2, {1}}}});
  refuses({.workers = 1, .tasks = 1, .points = {{2, {1}}, {1, {0}}}});
  refuses({.workers = 1,
           .tasks = 1,
           .points = {{2, {1}}, {1, {std::numeric_limits<double>::quiet_NaN()}}}});
  EXPECT_THROW((void)estimate_metg(ideal(1, {8, 4}), 0), std::invalid_argument);
  EXPECT_THROW((void)estimate_metg(ideal(1, {8, 4}), 1.5), std::invalid_argument);
}

TEST(Metg, IsFoundByLinearInterpolation) {
  // 60 % at 10 s a task, 20 % at 4 s: 50 % is a quarter of the way.
  const std::vector<efficiency_point> curve{{100, 50, 1}, {12, 10, 0.6}, {2, 4, 0.2}, {1, 3, 0.1}};
  EXPECT_DOUBLE_EQ(crossing(curve, 0.5).value(), 8.5);
  EXPECT_EQ(crossing(curve, 0.6).value(), 10) << "a point itself";
  EXPECT_DOUBLE_EQ(crossing(curve, 0.8).value(), 30);
}

TEST(Metg, IsTwiceTheOverheadWhereThatIsTheSameForEveryTask) {
  // Work as large as the overhead is half of the time: 3 s, measured at a point of its own, against
  // a largest task whose own overhead is next to nothing.
  const task_curve curve = ideal(3, {3e9, 48, 12, 3, 1});
  EXPECT_NEAR(metg_of(curve, 0.5), 6, 1e-6);
  EXPECT_NEAR(metg_of(curve, 0.8), 15, 1e-6);
}

TEST(Metg, CountsTheTimeOfEveryWorker) {
  const double alone = metg_of(ideal(3, {100, 10, 1}), 0.5);
  EXPECT_NEAR(metg_of(ideal(3, {100, 10, 1}, 4, 1000), 0.5), alone, 1e-12);
}

TEST(Metg, IsAtTheFarEndOfAPlateau) {
  const std::vector<efficiency_point> curve{{64, 64, 1}, {32, 32, 1}, {16, 16, 1},
                                            {8, 8, 1},   {4, 8, 0.5}, {2, 8, 0.25}};
  EXPECT_EQ(crossing(curve, 0.9).value(), 8);
  EXPECT_EQ(crossing(curve, 0.5).value(), 8) << "less work in as much time is no smaller task";
}

TEST(Metg, DoesNotTakeANoisyDipForTheCrossing) {
  const std::vector<efficiency_point> curve{
      {64, 64, 1}, {32, 37, 0.88}, {16, 16.5, 0.97}, {8, 10, 0.8}, {4, 8, 0.5}};
  const double metg = crossing(curve, 0.9).value();
  EXPECT_GT(metg, 10);
  EXPECT_LT(metg, 16.5);
}

TEST(Metg, IsNeverMoreThanATaskThatIsEfficientEnough) {
  // Less work takes longer: noise, and no reason to interpolate upwards.
  const std::vector<efficiency_point> curve{{64, 64, 1}, {8, 10, 0.8}, {4, 12, 0.3}};
  EXPECT_EQ(crossing(curve, 0.5).value(), 10);
}

TEST(Metg, IsRefusedWhereNoPointIsBelow) {
  const task_curve curve = ideal(1, {64, 32, 16, 8});
  EXPECT_FALSE(estimate_metg(curve, 0.5));
  EXPECT_TRUE(estimate_metg(curve, 0.95));
  EXPECT_FALSE(estimate_metg(ideal(1, {64}), 0.5));
}

TEST(Metg, DoesNotTakeASlowLargeTaskForThePointBelow) {
  const std::vector<efficiency_point> curve{{64, 64, 1}, {32, 90, 0.36}, {16, 17, 0.94}};
  EXPECT_FALSE(crossing(curve, 0.5));
}

TEST(MetgInterval, IsNothingWhereAllRoundsAgree) {
  task_curve curve = ideal(3, {100, 10, 1});
  for (sweep_point& each : curve.points) each.seconds.resize(5, each.seconds.front());
  const auto [middle, around] = estimate_metg(curve, 0.5).value();
  EXPECT_EQ(around.low, middle);
  EXPECT_EQ(around.high, middle);
}

TEST(MetgInterval, DrawsWholeRoundsSoThatASlowRoundCancels) {
  // Rounds that are slower as a whole change the time of a task, but not its efficiency.
  const task_curve once = ideal(3, {100, 10, 1});
  task_curve curve = once;
  for (sweep_point& each : curve.points) {
    const double seconds = each.seconds.front();
    each.seconds = {seconds, 1.5 * seconds, 2 * seconds};
  }
  const double metg = metg_of(once, 0.5);
  const auto [middle, around] = estimate_metg(curve, 0.5).value();
  EXPECT_NEAR(middle, 1.5 * metg, 1e-9);
  EXPECT_NEAR(around.low, metg, 1e-9) << "each time by itself could also be lower";
  EXPECT_NEAR(around.high, 2 * metg, 1e-9);
}

TEST(MetgInterval, HoldsTheTrueValueBehindNoise) {
  const double truth = metg_of(ideal(3, {1024, 256, 64, 16, 8, 4, 2}), 0.5);
  std::mt19937 random(1);
  unsigned held = 0;
  constexpr unsigned trials = 20;
  for (unsigned trial = 0; trial < trials; ++trial) {
    task_curve curve = ideal(3, {1024, 256, 64, 16, 8, 4, 2});
    for (sweep_point& each : curve.points) {
      const double seconds = each.seconds.front();
      each.seconds.clear();
      for (unsigned round = 0; round < 9; ++round) {
        each.seconds.push_back(seconds * (1 + 0.1 * static_cast<double>(random() % 1000) / 1000));
      }
    }
    // 5 % is what the noise adds to every median.
    const auto around = estimate_metg(curve, 0.5).value().around;
    if (around.low <= 1.05 * truth && 1.05 * truth <= around.high) ++held;
  }
  EXPECT_GE(held, 16u) << "of " << trials << ", 19 expected";
}

TEST(MetgInterval, EndsAtTheEndOfTheCurveWhereAResampleHasNoCrossing) {
  // In one of three rounds the smallest task is still efficient enough.
  const task_curve curve{
      .workers = 1, .tasks = 1, .points = {{8, {8, 8, 8}}, {4, {5, 5, 4}}, {2, {5, 5, 3}}}};
  const auto [middle, around] = estimate_metg(curve, 0.5).value();
  EXPECT_GT(middle, 3);
  EXPECT_EQ(around.low, 3);
}

TEST(LevelCurve, HasLostNothingAtHalfTheWork) {
  EXPECT_TRUE(is_level(efficiency_curve(ideal(1, {1000, 500, 10}))));
  EXPECT_FALSE(is_level(efficiency_curve(ideal(1, {10, 5, 2}))));
  EXPECT_FALSE(is_level(efficiency_curve(ideal(1, {10}))));
  EXPECT_FALSE(is_level(efficiency_curve(ideal(1, {10, 9, 2})))) << "more than half the work";
  const std::vector<efficiency_point> noisy{{64, 64, 1}, {32, 36, 0.9}, {16, 16, 1.01}};
  EXPECT_TRUE(is_level(noisy)) << "one slow point is noise";
}

const std::vector<task_graph> leaves{{"leaves", {"empty_tree", {{"depth", "9"}}}, "work", 512}};

std::vector<dataset::measured> leaves_at(const std::vector<std::string>& work) {
  std::vector<dataset::measured> all;
  all.reserve(work.size());
  for (const std::string& each : work) {
    all.push_back({{{"empty_tree", {{"depth", "9"}, {"work", each}}}, "openmp", 2}, {1, 2}});
  }
  return all;
}

TEST(TaskSweeps, AreCompleteCurvesOfTheCellsOfAGraph) {
  const auto all = leaves_at({"64", "16"});
  const auto sweeps = task_sweeps_of(data_of(all, json_of(leaves), "metg"));
  ASSERT_EQ(sweeps.size(), 1u);
  EXPECT_EQ(sweeps[0].graph, "leaves");
  EXPECT_EQ(sweeps[0].scheduler, "openmp");
  EXPECT_EQ(sweeps[0].curve.workers, 2);
  EXPECT_EQ(sweeps[0].curve.tasks, 512);
  EXPECT_EQ(sweeps[0].curve.points[1].value, 16);
  EXPECT_EQ(sweeps[0].curve.points[1].seconds, (std::vector<double>{1, 2}));
}

TEST(TaskSweeps, TakeTheRoundsThatAllPointsHave) {
  auto all = leaves_at({"64", "16"});
  all[0].seconds.push_back(3);
  const auto sweeps = task_sweeps_of(data_of(all, json_of(leaves), "metg"));
  for (const sweep_point& each : sweeps[0].curve.points) {
    EXPECT_EQ(each.seconds.size(), 2u);
  }
}

TEST(TaskSweeps, LeaveOutCellsOfNoGraph) {
  auto all = leaves_at({"64", "16", "4"});
  all[0].which.what.parameters[0].second = "10";
  EXPECT_EQ(task_sweeps_of(data_of(all, json_of(leaves), "metg"))[0].curve.points.size(), 2u);
}

TEST(TaskSweeps, HaveNoPointIfACellDidNotFinish) {
  auto all = leaves_at({"64", "16"});
  all[1].failure = "wrong answer";
  const auto sweeps = task_sweeps_of(data_of(all, json_of(leaves), "metg"));
  EXPECT_EQ(sweeps[0].failure, "wrong answer");
  EXPECT_TRUE(sweeps[0].curve.points.empty());
}

}  // namespace
}  // namespace stealbench::analysis
