#include "bench/driver/rounds/schedule.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "results/dataset/fixture.hpp"

namespace stealbench::rounds {
namespace {

using dataset::fib_on;
using dataset::measured;
using dataset::measured_cell;
using std::chrono::seconds;

std::vector<measured_cell> cells_of(const std::vector<measured>& all) {
  return dataset::data_of(all).cells();
}

/// Cells without a sample.
std::vector<measured_cell> fresh(unsigned count) {
  std::vector<measured_cell> cells(count);
  for (unsigned i = 0; i < count; ++i) cells[i].which = fib_on("serial", i + 1);
  return cells;
}

const std::vector<double> steady(6, 1.0);
const std::vector<double> unsteady{1, 1.2, 1, 1.2, 1, 1.2};

constexpr stopping_rule within_budget{.target_percent = 2, .budget_seconds = 100};

TEST(Enough, IsTheNumberOfRoundsThatWasAskedFor) {
  for (const unsigned rounds : {1U, 2U, 6U, 7U}) {
    const stopping_rule until{.rounds = rounds, .budget_seconds = 1};
    const effort long_ago{.spent = seconds(1000)};
    EXPECT_FALSE(is_enough(until, rounds - 1, long_ago, cells_of({{fib_on("serial", 1), steady}})));
    EXPECT_TRUE(is_enough(until, rounds, {}, fresh(1)));
  }
}

TEST(Enough, IsNothingBelowSixRoundsWhateverTheBudget) {
  for (unsigned rounds = 1; rounds < 6; ++rounds) {
    const std::vector<double> times(rounds, 1.0);
    EXPECT_FALSE(is_enough(within_budget, rounds, {.spent = seconds(1000)},
                           cells_of({{fib_on("serial", 1), times}})));
  }
  EXPECT_TRUE(is_enough(within_budget, 6, {.spent = seconds(1000)},
                        cells_of({{fib_on("serial", 1), unsteady}})));
}

TEST(Enough, IsWhenEveryIntervalIsNarrowAndNotOnlySome) {
  const measured narrow{fib_on("serial", 1), steady};
  const measured wide{fib_on("openmp", 1), unsteady};
  const measured young{fib_on("onetbb", 1), std::vector<double>(5, 1.0)};
  const measured failed{fib_on("work-sharing", 1), {1, 2}, "crashed"};
  const auto enough = [](const std::vector<measured>& all) {
    return is_enough(within_budget, 6, {.spent = seconds(1)}, cells_of(all));
  };
  EXPECT_TRUE(enough({narrow, failed}));
  EXPECT_FALSE(enough({narrow, wide}));
  EXPECT_FALSE(enough({wide, narrow}));
  EXPECT_FALSE(enough({wide, narrow, failed}));
  EXPECT_FALSE(enough({narrow, young})) << "the range of five is no interval";
}

// Half of the width of the interval is compared with the target, as a part of the median.
TEST(Enough, ComparesHalfTheWidthWithTheTarget) {
  const auto cells = cells_of({{fib_on("serial", 1), unsteady}});
  const double half = analysis::relative_half_width(analysis::estimate_median(unsteady));
  ASSERT_NEAR(half, 0.1 / 1.1, 0.01);
  stopping_rule until = within_budget;
  until.target_percent = half * 99;
  EXPECT_FALSE(is_enough(until, 6, {}, cells));
  until.target_percent = half * 101;
  EXPECT_TRUE(is_enough(until, 6, {}, cells));
}

TEST(Enough, IsWhenLessThanHalfOfARoundWouldFit) {
  const auto cells = cells_of({{fib_on("serial", 1), unsteady}});
  const auto enough = [&](unsigned spent, unsigned last_round) {
    return is_enough(within_budget, 6, {.spent = seconds(spent), .last_round = seconds(last_round)},
                     cells);
  };
  EXPECT_FALSE(enough(90, 20)) << "half of it fits";
  EXPECT_TRUE(enough(91, 20));
  EXPECT_FALSE(enough(99, 0)) << "just resumed";
  EXPECT_TRUE(enough(101, 0)) << "spent before it was resumed";
  EXPECT_TRUE(is_enough(within_budget, most_rounds, {}, cells));
  EXPECT_FALSE(is_enough(within_budget, most_rounds - 1, {}, cells));
}

TEST(Enough, IsNotARoundThatIsBegunWhateverTheBudget) {
  const measured ahead{fib_on("serial", 1), std::vector<double>(7, 1.0)};
  const measured behind{fib_on("openmp", 1), steady};
  const effort all_spent{.spent = seconds(1000)};
  EXPECT_FALSE(is_enough(within_budget, 6, all_spent, cells_of({ahead, behind})));
  EXPECT_TRUE(is_enough(within_budget, 7, all_spent, cells_of({ahead})));
  const measured failed{fib_on("serial", 1), std::vector<double>(7, 1.0), "crashed"};
  EXPECT_TRUE(is_enough(within_budget, 6, all_spent, cells_of({failed, behind})));
}

TEST(OrderOfARound, HasEveryCellOnceShuffledAnewEachRound) {
  const auto cells = fresh(20);
  std::mt19937_64 random(7);
  std::set<std::vector<std::size_t>> orders;
  for (unsigned round = 1; round <= 5; ++round) {
    auto order = order_of_round(round, cells, random);
    EXPECT_FALSE(std::ranges::is_sorted(order));
    orders.insert(order);
    std::ranges::sort(order);
    for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(order.at(i), i);
  }
  EXPECT_EQ(orders.size(), 5U);
  std::mt19937_64 other(8);
  EXPECT_FALSE(orders.contains(order_of_round(1, cells, other)));
}

TEST(OrderOfARound, LeavesOutWhatFailedAndWhatHasTheRound) {
  const auto cells = cells_of({{fib_on("serial", 1), {1, 1}},
                               {fib_on("openmp", 1), {1}, "crashed"},
                               {fib_on("onetbb", 1), {1}}});
  std::mt19937_64 random(1);
  EXPECT_EQ(order_of_round(2, cells, random), std::vector<std::size_t>{2});
  EXPECT_EQ(order_of_round(3, cells, random).size(), 2U);
}

TEST(OrderOfARound, IsTheSameAfterAResumption) {
  auto cells = fresh(20);
  std::mt19937_64 whole(7);
  static_cast<void>(order_of_round(1, cells, whole));
  const auto second = order_of_round(2, cells, whole);
  for (measured_cell& each : cells) each.samples.emplace_back();
  std::mt19937_64 resumed(7);
  EXPECT_TRUE(order_of_round(1, cells, resumed).empty());
  EXPECT_EQ(order_of_round(2, cells, resumed), second);
}

TEST(IsToCount, EachCellOnceUnlessItsSchedulerHasNoCounters) {
  auto cells = fresh(3);
  cells[1].which.scheduler = "openmp";
  EXPECT_TRUE(is_to_count(0, cells) && is_to_count(1, cells) && is_to_count(2, cells));
  cells[0].was_counted = true;
  cells[0].counters = {{"steals", 1}};
  EXPECT_FALSE(is_to_count(0, cells));
  EXPECT_TRUE(is_to_count(2, cells)) << "of the same scheduler, which has counters";
  cells[0].counters = nullptr;
  EXPECT_FALSE(is_to_count(2, cells));
  EXPECT_TRUE(is_to_count(1, cells)) << "another scheduler";
  cells[1].failure = "crashed";
  EXPECT_FALSE(is_to_count(1, cells));
}

TEST(IsToCount, UnlessAnotherOfItsSchedulerHasShownThatThereAreNoCounters) {
  auto cells = fresh(2);
  cells[0].was_counted = true;
  cells[0].counters = nullptr;
  EXPECT_FALSE(is_to_count(1, cells));
  cells[0].failure = "crashed";
  EXPECT_TRUE(is_to_count(1, cells)) << "what failed has shown nothing";
}

TEST(Outlook, HasNoCountingRunAheadOfASchedulerWithoutCounters) {
  auto cells = fresh(2);
  cells[0].was_counted = true;
  cells[0].counters = nullptr;
  const outlook ahead = outlook_on({.rounds = 1}, true, {.per_process = seconds(5)}, cells);
  EXPECT_DOUBLE_EQ(ahead.done, 2.0 / 4);
  EXPECT_DOUBLE_EQ(ahead.seconds_left.value(), 10);
}

TEST(Outlook, OfABudgetIsByProcessesBeforeTheFirst) {
  const outlook ahead = outlook_on(within_budget, false, {}, fresh(2));
  EXPECT_DOUBLE_EQ(ahead.done, 0);
  EXPECT_FALSE(ahead.seconds_left);
}

TEST(Outlook, OfAKnownNumberOfRoundsIsByProcesses) {
  auto cells = cells_of({{fib_on("serial", 1), {1, 1}}, {fib_on("openmp", 1), {1}, "crashed"}});
  const stopping_rule until{.rounds = 3};
  // Of 8 processes one cell has 2 and its counting run; the other one needs no more.
  cells[0].counters = {{"steals", 1}};
  outlook ahead = outlook_on(until, true, {.per_process = seconds(5)}, cells);
  EXPECT_DOUBLE_EQ(ahead.done, 7.0 / 8);
  EXPECT_DOUBLE_EQ(ahead.seconds_left.value(), 5);
  ahead = outlook_on(until, false, {.per_process = seconds(5)}, cells);
  EXPECT_DOUBLE_EQ(ahead.done, 5.0 / 6);
  EXPECT_FALSE(outlook_on(until, true, {}, cells).seconds_left) << "before the first process";
}

TEST(Outlook, CountsTheRoundInHandAfterTheBudgetIsSpent) {
  const auto cells = cells_of({{fib_on("serial", 1), std::vector<double>(7, 1.0)},
                               {fib_on("openmp", 1), std::vector<double>(6, 1.0)}});
  effort so_far{.spent = seconds(110), .per_process = seconds(10), .round = 7};
  EXPECT_DOUBLE_EQ(outlook_on(within_budget, false, so_far, cells).seconds_left.value(), 10);
  EXPECT_DOUBLE_EQ(outlook_on(within_budget, false, so_far, cells).done, 110.0 / 120);
  so_far.round = 6;
  EXPECT_DOUBLE_EQ(outlook_on(within_budget, false, so_far, cells).seconds_left.value(), 0);
}

TEST(Outlook, CountsTheReport) {
  const auto cells = cells_of({{fib_on("serial", 1), std::vector<double>(6, 1.0)}});
  const effort so_far{
      .spent = seconds(120), .per_process = seconds(10), .report = report_time(cells.size())};
  EXPECT_GT(report_time(0), seconds(0));
  EXPECT_GT(report_time(1000), 2 * report_time(1)) << "more to estimate and to draw";
  for (const unsigned rounds : {0U, 6U}) {
    stopping_rule until = within_budget;
    until.rounds = rounds;
    EXPECT_DOUBLE_EQ(outlook_on(until, false, so_far, cells).seconds_left.value(),
                     so_far.report.count());
  }
  EXPECT_LT(outlook_on(within_budget, false, so_far, cells).done, 1);
}

TEST(Outlook, OfABudgetIsNeverMoreThanTheWhole) {
  const auto cells = cells_of({{fib_on("serial", 1), std::vector<double>(7, 1.0)}});
  EXPECT_DOUBLE_EQ(outlook_on(within_budget, false, {}, cells).done, 1) << "just resumed";
}

TEST(Outlook, OfABudgetIsTheBudgetOrTheSixRoundsThatAreLonger) {
  const auto cells = cells_of({{fib_on("serial", 1), {1, 1}}});  // Counted, by the fixture.
  outlook ahead =
      outlook_on(within_budget, true, {.spent = seconds(60), .per_process = seconds(5)}, cells);
  EXPECT_DOUBLE_EQ(ahead.seconds_left.value(), 40);
  EXPECT_DOUBLE_EQ(ahead.done, 0.6);
  ahead =
      outlook_on(within_budget, true, {.spent = seconds(60), .per_process = seconds(20)}, cells);
  EXPECT_DOUBLE_EQ(ahead.seconds_left.value(), 80) << "four rounds more";
  EXPECT_DOUBLE_EQ(ahead.done, 60.0 / 140);
  ahead = outlook_on(within_budget, true, {.spent = seconds(120), .per_process = seconds(20)},
                     cells_of({{fib_on("serial", 1), unsteady}}));
  EXPECT_DOUBLE_EQ(ahead.seconds_left.value(), 0);
  EXPECT_DOUBLE_EQ(ahead.done, 1);
}

}  // namespace
}  // namespace stealbench::rounds
