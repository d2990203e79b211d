#include "results/analysis/grain.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

#include "results/dataset/fixture.hpp"
#include "schedulers/input.hpp"

namespace stealbench::analysis {
namespace {

using dataset::data_of;

/// Overhead at 1 and 4, good from 16 to 256, imbalance at 1024.
std::vector<sweep_point> bathtub() {
  return {{256, {1.03}, 4}, {1, {2}, 1024},   {64, {1}, 16},
          {4, {1.2}, 256},  {16, {1.04}, 64}, {1024, {1.5}, 1}};
}

TEST(GrainSweep, GoesFromTheFinestToTheCoarsest) {
  const grain_sweep found = analyse(bathtub(), 2, greater_grain::is_coarser);
  ASSERT_EQ(found.rows.size(), 6u);
  EXPECT_EQ(found.rows.front().grain, 1);
  EXPECT_EQ(found.rows.back().grain, 1024);
}

TEST(GrainSweep, TakesMoreLevelsThatForkForFiner) {
  const grain_sweep found =
      analyse({{0, {2}, 0}, {5, {3}, 31}, {2, {1}, 3}}, 2, greater_grain::is_finer);
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
      analyse({{1, {1.01}, 8}, {2, {1.3}, 4}, {4, {1}, 2}}, 2, greater_grain::is_coarser);
  EXPECT_EQ(found.finest_good, 2u) << "1 is as good, but not in one piece with the best";
}

TEST(GrainSweep, ComparesWithTheBestInTheSameRounds) {
  const grain_sweep found =
      analyse({{1, {2, 4, 6}, 9}, {8, {1, 2, 3}, 1}}, 1, greater_grain::is_coarser);
  EXPECT_EQ(found.rows[1].efficiency.median, 1);
  EXPECT_EQ(found.rows[0].efficiency.median, 0.5);
  EXPECT_EQ(found.rows[0].efficiency.around.low, 0.5) << "a slow round slows both";
  EXPECT_EQ(found.rows[0].efficiency.around.high, 0.5);
}

TEST(GrainSweep, DividesTheTimeOfAllWorkersAmongTheTasks) {
  const grain_sweep found = analyse({{1, {4}, 8}, {8, {3}, 0}}, 2, greater_grain::is_coarser);
  EXPECT_EQ(found.rows[0].task_seconds, 1);
  EXPECT_EQ(found.rows[1].task_seconds, 6) << "one piece, and no branch";
}

TEST(GrainSweep, HasNeitherSideWhereAllGrainsAreAlike) {
  const grain_sweep found = analyse({{1, {1}, 8}, {8, {1.01}, 1}}, 2, greater_grain::is_coarser);
  EXPECT_FALSE(found.too_fine());
  EXPECT_FALSE(found.too_coarse());
}

TEST(GrainSweep, RefusesWhatIsNoSweep) {
  const auto refuses = [](const std::vector<sweep_point>& points, double workers = 1) {
    EXPECT_THROW((void)analyse(points, workers, greater_grain::is_coarser), std::invalid_argument);
  };
  refuses({});
  refuses({{1, {}, 1}});
  refuses({{1, {1}, 1}}, 0);
  refuses({{1, {1, 1}, 1}, {2, {1}, 1}});
  refuses({{1, {0}, 1}});
  refuses({{1, {1}, -1}});
  refuses({{1, {1}, 1}, {1, {1}, 1}});
}

dataset::measured mergesort(const std::string& grain, const std::vector<double>& seconds,
                            const std::string& failure = {}) {
  return {.which = {{"mergesort", {{"keys", "100"}, {"grain", grain}}}, "openmp", 2},
          .seconds = seconds,
          .failure = failure,
          .fork_count = 8};
}

const grain_parameter of_mergesort{"grain", greater_grain::is_coarser, true};

TEST(SweptCells, AreThoseThatDifferInTheirGrainAlone) {
  std::vector<dataset::measured> all{mergesort("64", {1}), mergesort("16", {2}),
                                     mergesort("64", {3}), mergesort("64", {4})};
  all[2].which.scheduler = "onetbb";
  all[3].which.workers = 1;
  const auto data = data_of(all, json_of(of_mergesort), "grain");
  const auto sweeps = sweeps_of(data);
  ASSERT_EQ(sweeps.size(), 3u);
  EXPECT_EQ(label_of(sweeps[0].what), "mergesort keys=100");
  EXPECT_EQ(sweeps[0].scheduler, "openmp");
  EXPECT_EQ(sweeps[0].workers, 2u);
  EXPECT_EQ(sweeps[0].cells.size(), 2u);
  ASSERT_TRUE(sweeps[0].found);
  EXPECT_EQ(sweeps[0].found->rows[1].grain, 64);
  EXPECT_EQ(sweeps[0].found->rows[0].tasks, 8);
  EXPECT_EQ(sweeps[0].found->workers, 2);
}

TEST(SweptCells, AreComparedInTheRoundsThatAllOfThemHave) {
  const auto data = data_of({mergesort("64", {1, 1, 9}), mergesort("16", {2, 2})},
                            json_of(of_mergesort), "grain");
  const auto sweeps = sweeps_of(data);
  ASSERT_TRUE(sweeps.front().found);
  EXPECT_EQ(sweeps.front().found->rows[1].seconds.around.high, 1);
}

TEST(SweptCells, AreComparedWithoutThoseThatFailed) {
  const auto data = data_of({mergesort("64", {1}), mergesort("16", {}, "wrong answer")},
                            json_of(of_mergesort), "grain");
  EXPECT_EQ(sweeps_of(data).front().found.value().rows.size(), 1u);
  const auto none = data_of({mergesort("16", {}, "wrong answer")}, json_of(of_mergesort), "grain");
  EXPECT_FALSE(sweeps_of(none).front().found);
}

TEST(GrainParameter, GoesBetweenTheRawFileAndTheProgram) {
  for (const bool is_size : {true, false}) {
    for (const greater_grain greater : {greater_grain::is_coarser, greater_grain::is_finer}) {
      const auto data =
          data_of({mergesort("16", {1})}, json_of({"leaf", greater, is_size}), "grain");
      const grain_parameter read = grain_parameter_of(data);
      EXPECT_EQ(read.name, "leaf");
      EXPECT_EQ(read.greater, greater);
      EXPECT_EQ(read.is_size, is_size);
    }
  }
}

/// (8 + 0.001 · tasks) ÷ P + 2 · (1 − 1 ÷ P) · 8 ÷ tasks, of 100,000 elements.
std::vector<sweep_point> modelled(double workers) {
  std::vector<sweep_point> points;
  for (const double tasks : {1.0, 10.0, 100.0, 1000.0, 10'000.0}) {
    const double seconds = (8 + 0.001 * tasks) / workers + 2 * (1 - 1 / workers) * 8 / tasks;
    points.push_back({100'000 / tasks, {seconds}, tasks});
  }
  return points;
}

TEST(GrainModel, FindsTheWorkThePriceOfATaskAndTheSpan) {
  for (const double workers : {2.0, 8.0}) {
    const auto model = model_of(analyse(modelled(workers), workers, greater_grain::is_coarser));
    ASSERT_TRUE(model);
    EXPECT_NEAR(model->work_seconds, 8, 1e-6);
    EXPECT_NEAR(model->task_seconds, 0.001, 1e-9);
    EXPECT_NEAR(model->waited_for, 2, 1e-6);
    EXPECT_LT(model->greatest_error, 1e-9);
    EXPECT_NEAR(model->seconds(100, 4), 8.1 / 4 + 2 * 0.75 * 8 / 100, 1e-6);
  }
}

// With one worker there is no span to wait for.
TEST(GrainModel, OfOneWorkerHasNoSpan) {
  const auto model = model_of(analyse(modelled(1), 1, greater_grain::is_coarser));
  ASSERT_TRUE(model);
  EXPECT_NEAR(model->work_seconds, 8, 1e-6);
  EXPECT_NEAR(model->task_seconds, 0.001, 1e-9);
  EXPECT_EQ(model->waited_for, 0);
}

// 4.80, 4.13 and 4.51 s with two workers at grains of 10,000, 1,000 and 100; 0.284, 0.156 and
// 0.283 s with 64 at grains of 1,000, 100 and 10.
TEST(GrainModel, PredictsTheSpotOfOtherWorkerCounts) {
  const grain_sweep sweep = analyse(modelled(2), 2, greater_grain::is_coarser);
  const auto model = model_of(sweep);
  ASSERT_TRUE(model);
  const grain_sweep two = predicted(*model, sweep, 2);
  EXPECT_EQ(two.rows[two.best].grain, 1000);
  EXPECT_EQ(two.finest_good, two.coarsest_good);
  EXPECT_EQ(two.best, sweep.best);
  const grain_sweep many = predicted(*model, sweep, 64);
  EXPECT_EQ(many.rows[many.best].grain, 100);
  EXPECT_NEAR(many.rows[many.best].seconds.median, 9.0 / 64 + 2 * 63.0 / 64 * 8 / 1000, 1e-6);
}

TEST(GrainModel, HasNoNegativePart) {
  // The more tasks, the faster: a fit of all parts would have tasks below 0.
  std::vector<sweep_point> points;
  for (const double tasks : {1.0, 2.0, 4.0, 8.0, 16.0}) {
    points.push_back({16 / tasks, {2 - 0.05 * tasks}, tasks});
  }
  const auto model = model_of(analyse(points, 2, greater_grain::is_coarser));
  ASSERT_TRUE(model);
  EXPECT_EQ(model->task_seconds, 0);
  EXPECT_GE(model->waited_for, 0);
  EXPECT_GT(model->greatest_error, 0.1) << "and it does not fit";
  EXPECT_NEAR(model->greatest_error, model->seconds(16, 2) / 1.2 - 1, 1e-9) << "of what was faster";
}

TEST(GrainModel, TakesMoreNumbersOfTasksThanItHasParts) {
  auto points = modelled(2);
  points.resize(3);
  EXPECT_FALSE(model_of(analyse(points, 2, greater_grain::is_coarser)));
  points.push_back({5, {4}, 100});  // The tasks of another point.
  EXPECT_FALSE(model_of(analyse(points, 2, greater_grain::is_coarser)));
  points = modelled(1);  // Without a span.
  points.resize(3);
  EXPECT_TRUE(model_of(analyse(points, 1, greater_grain::is_coarser)));
  points.resize(2);
  EXPECT_FALSE(model_of(analyse(points, 1, greater_grain::is_coarser)));
}

TEST(GrainSweep, IsRefusedIfAGrainIsNoWholeNumber) {
  const auto data =
      data_of({{{{"fib", {{"cutoff", "2.5"}}}, "serial", 1}, {1}}},
              {{"parameter", "cutoff"}, {"greater", "finer"}, {"unit", "size"}}, "grain");
  try {
    static_cast<void>(sweeps_of(data));
    ADD_FAILURE() << "not refused";
  } catch (const schedulers::bad_input& error) {
    EXPECT_EQ(std::string(error.what()),
              "cutoff of \"fib/serial/cutoff:2.5/workers:1\" is no whole number; valid: 0 or more");
  }
}

}  // namespace
}  // namespace stealbench::analysis
