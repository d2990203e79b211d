#include <gtest/gtest.h>

#include "bench/driver/experiments/experiment.hpp"
#include "bench/driver/experiments/grain/grain.hpp"
#include "results/sections/fixture.hpp"
#include "schedulers/input.hpp"

namespace stealbench::experiments::grain {

using namespace sections;
namespace {

using analysis::analyse;
using analysis::greater_grain;
using analysis::sweep_point;
using dataset::contains;
using dataset::measured;
using dataset::six;

/// Overhead at 1 and 4, good from 16 to 256, imbalance at 1024.
std::vector<sweep_point> bathtub() {
  return {{256, {1.03}, 4}, {1, {2}, 1024},   {64, {1}, 16},
          {4, {1.2}, 256},  {16, {1.04}, 64}, {1024, {1.5}, 1}};
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
      verdict_of(analyse({{1, {1}, 8}, {8, {1.01}, 1}}, 2, greater_grain::is_coarser), "leaf");
  EXPECT_TRUE(contains(said, "No overhead shows down to 1. No imbalance shows up to 8.")) << said;
}

// Of levels that fork the greatest is the finest.
TEST(GrainVerdict, OfLevelsSaysThatAnEndWasNotReached) {
  const auto said = [](double workers) {
    return verdict_of(analyse({{0, {1}, 1}, {14, {1.01}, 64}}, workers, greater_grain::is_finer),
                      "levels");
  };
  EXPECT_TRUE(contains(said(2), "No overhead shows up to 14. No imbalance shows down to 0."))
      << said(2);
  EXPECT_TRUE(contains(said(1), "No cost of coarse pieces shows down to 0.")) << said(1);
}

TEST(GrainVerdict, BlamesNoImbalanceOnOneWorker) {
  const std::string said = verdict_of(analyse(bathtub(), 1, greater_grain::is_coarser), "grain");
  EXPECT_FALSE(contains(said, "Imbalance")) << said;
  EXPECT_TRUE(contains(said, "one worker, at 1,024: 50 % slower")) << said;
}

TEST(GrainVerdict, SaysThatASpotIsSharp) {
  const std::string said = verdict_of(
      analyse({{1, {2.5}, 8}, {4, {1}, 2}, {8, {2}, 1}}, 2, greater_grain::is_coarser), "grain");
  EXPECT_TRUE(contains(said, "It is sharp: no other grain is within 5 %.")) << said;
  EXPECT_TRUE(contains(said, "at 1: 2.5 times as slow")) << said;
}

measured mergesort(const std::string& scheduler, const std::string& grain,
                   const std::vector<double>& seconds, const std::string& failure = {}) {
  return {.which = {{"mergesort", {{"keys", "100"}, {"grain", grain}}}, scheduler, 2},
          .seconds = seconds,
          .failure = failure,
          .fork_count = 8};
}

std::vector<section> sections_of_grain(const std::vector<measured>& all, bool is_size = true) {
  return sections_of(
      data_of(all, json_of(analysis::grain_parameter{"grain", greater_grain::is_coarser, is_size}),
              "grain"));
}

TEST(GrainSections, HaveARowForEachGrainAndAVerdictOnEachScheduler) {
  const auto all = sections_of_grain({mergesort("a", "64", six(1)), mergesort("a", "16", six(2)),
                                      mergesort("b", "16", six(1)), mergesort("b", "64", six(2))});
  const report::table& grains = table_in(all, "mergesort keys=100: grain");
  ASSERT_EQ(grains.rows.size(), 4u);
  EXPECT_EQ(grains.rows[0][2], "16");
  EXPECT_EQ(grains.rows[0].back(), "too fine");
  EXPECT_EQ(grains.rows[1].back(), "best");
  EXPECT_EQ(grains.rows[3].back(), "too coarse");
  const std::string words = text_of(section_in(all, "Granularity"));
  EXPECT_TRUE(contains(words, "mergesort keys=100 on a, 2 workers: The best grain is 64, with"))
      << words;
  EXPECT_TRUE(contains(words, "mergesort keys=100 on b, 2 workers: The best grain is 16, with"));
  EXPECT_TRUE(contains(words, "Overhead sets in at 16")) << words;
  EXPECT_TRUE(contains(words, "Imbalance sets in at 64")) << words;
}

// Two instances, two worker counts, and serial, which has one worker whatever is set.
TEST(GrainSections, ShowTheValuesOfEachSweepInItsOwnTable) {
  const auto at = [](const char* keys, const char* scheduler, unsigned workers, const char* grain,
                     double seconds, double tasks) {
    return measured{
        .which = {{"mergesort", {{"keys", keys}, {"grain", grain}}}, scheduler, workers},
        .seconds = six(seconds),
        .failure = {},
        .fork_count = tasks};
  };
  std::vector<measured> cells{
      at("100", "a", 2, "16", 2, 64),     at("100", "a", 2, "64", 1, 10),
      at("100", "a", 4, "16", 0.5, 64),   at("100", "a", 4, "32", 0.535, 20),
      at("100", "a", 4, "64", 0.8, 10),   at("200", "serial", 2, "16", 4, 128),
      at("200", "serial", 2, "64", 1, 1), at("200", "serial", 2, "256", 1, 1)};
  cells.back().seconds = {};
  cells.back().failure = "timed out after 1 s";
  const auto all = sections_of_grain(cells);
  EXPECT_EQ(
      shown(table_in(all, "mergesort keys=100")),
      "mergesort keys=100: grain\n"
      "scheduler | workers | grain | median time [95 %] | efficiency | tasks | per task | rating\n"
      "a | 2 | 16 | 2.00 s [2.00, 2.00] | 0.500 × [0.500, 0.500] | 64 | 62.5 ms | too fine\n"
      "a | 2 | 64 | 1.00 s [1.00, 1.00] | 1.00 × [1.00, 1.00] | 10 | 200 ms | best\n"
      "a | 4 | 16 | 500 ms [500, 500] | 1.00 × [1.00, 1.00] | 64 | 31.2 ms | best\n"
      "a | 4 | 32 | 535 ms [535, 535] | 0.935 × [0.935, 0.935] | 20 | 107 ms | too coarse\n"
      "a | 4 | 64 | 800 ms [800, 800] | 0.625 × [0.625, 0.625] | 10 | 320 ms | too coarse");
  EXPECT_EQ(
      shown(table_in(all, "mergesort keys=200")),
      "mergesort keys=200: grain\n"
      "scheduler | workers | grain | median time [95 %] | efficiency | tasks | per task | rating\n"
      "serial | 1 of 2 | 16 | 4.00 s [4.00, 4.00] | 0.250 × [0.250, 0.250] | 128 | 31.2 ms | too "
      "fine\n"
      "serial | 1 of 2 | 64 | 1.00 s [1.00, 1.00] | 1.00 × [1.00, 1.00] | 1 | 1.00 s | best\n"
      "serial | 1 of 2 | 256 | DNF: timed out after 1 s | — | — | — | —");
  EXPECT_EQ(
      plots_shown(section_in(all, "Efficiency and grain")),
      "mergesort keys=100: efficiency over grain\n"
      "mergesort keys=100: efficiency over grain: efficiency over grain. a, 2 workers: at 16 0.500 "
      "× (0.500 × to 0.500 ×); at 64 1.00 × (1.00 × to 1.00 ×). a, 4 workers on 2 processors: at "
      "16 1.00 × (1.00 × "
      "to 1.00 ×); at 32 0.935 × (0.935 × to 0.935 ×); at 64 0.625 × (0.625 × to 0.625 ×).\n"
      "mergesort keys=200: efficiency over grain\n"
      "mergesort keys=200: efficiency over grain: efficiency over grain. serial (1 worker), 2 "
      "workers: at 16 "
      "0.250 × (0.250 × to 0.250 ×); at 64 1.00 × (1.00 × to 1.00 ×).\n");
  EXPECT_EQ(
      text_of(section_in(all, "Granularity")),
      "## Granularity\n"
      "\n"
      "mergesort keys=100 on a, 2 workers: The best grain is 64, with 10 branches of 200 ms each: "
      "1.00 s [1.00, 1.00]. It is sharp: no other grain is within 5 %. Overhead sets in at 16: 2.0 "
      "times as slow, with 64 branches of 62.5 ms each. No imbalance shows up to 64.\n"
      "\n"
      "mergesort keys=100 on a, 4 workers on 2 processors: The best grain is 16, with 64 branches "
      "of 31.2 ms each: "
      "500 ms [500, 500]. It is sharp: no other grain is within 5 %. No overhead shows down to 16. "
      "Imbalance sets in at 32: 7 % slower, with 20 branches of 107 ms each.\n"
      "\n"
      "mergesort keys=200 on serial (1 worker), 2 workers: The best grain is 64, with one branch: "
      "1.00 s "
      "[1.00, 1.00]. It is sharp: no other grain is within 5 %. Overhead sets in at 16: 4.0 times "
      "as slow, with 128 branches of 31.2 ms each. No cost of coarse pieces shows up to 64.\n"
      "\n");
}

TEST(GrainSections, RateNothingBelowSixRounds) {
  const std::vector<double> five(5, 1.0);
  const auto all = sections_of_grain({mergesort("a", "64", five), mergesort("a", "16", {2, 2})});
  for (const auto& each : table_in(all, "mergesort keys=100: grain").rows) {
    EXPECT_EQ(each.back(), "—");
  }
  const std::string words = text_of(section_in(all, "Granularity"));
  EXPECT_TRUE(contains(words, "The grains are not told apart yet (2 of 6 rounds).")) << words;
  EXPECT_FALSE(contains(words, "best")) << words;
}

/// T = (2 + 0.001 · tasks) ÷ 2 + 8 ÷ tasks ÷ 2 at 1000 / tasks elements.
std::vector<measured> bathtub_cells(double tasks_made = 1) {
  std::vector<measured> all;
  for (const double tasks : {1.0, 10.0, 100.0, 1000.0}) {
    measured& added = all.emplace_back(
        mergesort("a", fmt::format("{:.0f}", 1000 / tasks), six(1 + 0.0005 * tasks + 4 / tasks)));
    added.fork_count = tasks * tasks_made;
  }
  return all;
}

TEST(GrainSections, PredictTheSpotByAModelOfWorkTasksAndSpan) {
  const auto all = sections_of_grain(bathtub_cells());
  EXPECT_TRUE(contains(
      text_of(section_in(all, "Granularity")),
      "A model within 0 % of each time has 1.00 ms for a task, and predicts 10 as the best. By it, "
      "the grains within 5 % of the best are 10 alone with 2 workers; 1 alone with 64 workers."))
      << text_of(section_in(all, "Granularity"));
}

TEST(GrainSections, PredictNothingByAModelThatDoesNotFit) {
  std::vector<measured> cells = bathtub_cells();
  cells[1].seconds = six(1.5 * cells[1].seconds.front());
  const std::string words = text_of(section_in(sections_of_grain(cells), "Granularity"));
  EXPECT_TRUE(contains(words,
                       "No model of work, tasks and span fits these times: the best one is off "
                       "by 25 %."))
      << words;
  EXPECT_FALSE(contains(words, "predicts")) << words;
}

TEST(GrainSections, ConcludeNothingFromARunWithoutTasksOrWithOneProcessor) {
  const auto concluded = [](const std::vector<measured>& cells, const char* processors) {
    raw_lines lines = lines_of("grain", cells);
    lines[0]["about"] =
        json_of(analysis::grain_parameter{"grain", greater_grain::is_coarser, true});
    lines[1]["context"]["processors"] = processors;
    const auto all = sections_of(read_lines(lines));
    const bool is_rated = table_in(all, "mergesort keys=100: grain").rows[0].back() != "—";
    return std::pair(text_of(section_in(all, "Granularity")), is_rated);
  };
  const auto [words, is_rated] = concluded(bathtub_cells(), "2");
  EXPECT_TRUE(contains(words, "The best grain is") && is_rated) << words;
  const auto [one, rated_one] = concluded(bathtub_cells(), "1");
  EXPECT_TRUE(contains(one, "had one processor, so the times say nothing")) << one;
  EXPECT_FALSE(contains(one, "best") || rated_one);
  const auto [none, rated_none] = concluded(bathtub_cells(0), "2");
  EXPECT_TRUE(contains(none, "No task was made at any grain")) << none;
  EXPECT_FALSE(contains(none, "best") || rated_none);
}

TEST(GrainSections, KeepAGrainThatDidNotFinishAsARow) {
  std::vector<measured> all{mergesort("a", "64", {1}),
                            mergesort("a", "16", {}, "timed out after 1 s")};
  const auto some = sections_of_grain(all);
  const report::table& grains = table_in(some, "mergesort keys=100: grain");
  ASSERT_EQ(grains.rows.size(), 2u);
  EXPECT_EQ(grains.rows[1][3], "DNF: timed out after 1 s");
  all.erase(all.begin());
  const auto none = sections_of_grain(all);
  EXPECT_TRUE(contains(text_of(section_in(none, "Granularity")), "No grain has finished."));
}

TEST(GrainSections, DrawTheEfficiencyOfEachScheduler) {
  for (const bool is_size : {true, false}) {
    const auto all =
        sections_of_grain({mergesort("a", "64", {1}), mergesort("a", "16", {2})}, is_size);
    const auto plots = plots_in(section_in(all, "Efficiency and grain"));
    ASSERT_EQ(plots.size(), 1u);
    const auto& plot = plots[0];
    EXPECT_EQ(plot.x.is_logarithmic, is_size) << "levels may be 0";
    ASSERT_EQ(plot.curves.size(), 1u);
    EXPECT_EQ(plot.curves[0].name, "a, 2 workers");
    EXPECT_EQ(plot.curves[0].points[0].x, 16);
    EXPECT_EQ(plot.curves[0].points[0].y.median, 0.5);
  }
}

TEST(GrainSections, NeedWhatTheFirstLineSaysOfTheParameter) {
  EXPECT_THROW((void)data_of({mergesort("a", "64", {1})}, dataset::json::object(), "grain"),
               schedulers::bad_input);
}

}  // namespace
}  // namespace stealbench::experiments::grain
