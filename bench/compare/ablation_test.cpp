#include "bench/compare/ablation.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace stealbench::compare {
namespace {

using row = std::vector<std::string>;

cell_result measured(const std::string& scheduler, unsigned workers,
                     const std::vector<double>& seconds) {
  cell_result made;
  made.which = {scheduler, "x", {"fib", {{"n", "20"}}}, workers};
  for (const double each : seconds) made.samples.push_back({.seconds = each});
  return made;
}

TEST(Ablation, HasTheBaselineTheDefaultAndEachVariantThatDiffersInOneSetting) {
  EXPECT_EQ(ablation_schedulers(),
            (row{"serial", "work-stealing", "work-stealing:deque=chase-lev",
                 "work-stealing:deque=asymmetric", "work-stealing:deque=locked",
                 "work-stealing:victim=last", "work-stealing:victim=round-robin",
                 "work-stealing:victim=nearest", "work-stealing:idle=yield",
                 "work-stealing:idle=spin", "work-stealing:join=leapfrog"}));
}

TEST(Ablation, ACellIsTheRatioOfMediansWithTheRangeOfTheRounds) {
  const auto made = ablation_table(
      {measured("serial", 1, {1, 1, 1}), measured("work-stealing", 1, {2, 4, 3}),
       measured("work-stealing:idle=spin", 1, {4, 4, 9}), measured("work-stealing", 2, {1, 1, 1}),
       measured("work-stealing:idle=spin", 2, {2, 2, 2})});
  EXPECT_EQ(made.title, "ablation: median time ÷ that of work-stealing [range]");
  ASSERT_EQ(made.columns.size(), 3U);
  EXPECT_EQ(made.columns[1].header, "fib n=20, 1 worker");
  EXPECT_EQ(made.columns[2].header, "fib n=20, 2 workers");
  ASSERT_EQ(made.rows.size(), 2U);
  EXPECT_EQ(made.rows[0], (row{"work-stealing", "1.00 × [1.00, 1.00]", "1.00 × [1.00, 1.00]"}));
  EXPECT_EQ(made.rows[1],
            (row{"work-stealing:idle=spin", "1.33 × [1.00, 3.00]", "2.00 × [2.00, 2.00]"}));
}

TEST(Ablation, SixRoundsGiveAnInterval) {
  const auto made = ablation_table({measured("work-stealing", 1, {1, 1, 1, 1, 1, 1})});
  EXPECT_EQ(made.title, "ablation: median time ÷ that of work-stealing [95 %]");
}

TEST(Ablation, WhatDidNotFinishIsSaidAndIsNoMeasure) {
  std::vector<cell_result> cells{
      measured("work-stealing", 1, {1}), measured("work-stealing:idle=spin", 1, {2}),
      measured("work-stealing", 2, {1}), measured("work-stealing:idle=spin", 2, {2})};
  cells[1].failure = "wrong answer";
  cells[2].failure = "timed out";
  const auto made = ablation_table(cells);
  EXPECT_EQ(made.rows[0], (row{"work-stealing", "1.00 × [1.00, 1.00]", "DNF"}));
  EXPECT_EQ(made.rows[1], (row{"work-stealing:idle=spin", "DNF", "—"}));
}

}  // namespace
}  // namespace stealbench::compare
