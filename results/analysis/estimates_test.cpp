#include "results/analysis/estimates.hpp"

#include <gtest/gtest.h>

#include "results/dataset/fixture.hpp"
#include "results/sections/parts.hpp"
#include "results/sections/sections.hpp"

namespace stealbench::analysis {
namespace {

using dataset::data_of;
using dataset::edit_cell;
using dataset::fib_on;
using dataset::json;
using dataset::made_comparison;
using dataset::measured;
using dataset::measured_cell;
using dataset::measurements;
using dataset::metric;
using dataset::raw_lines;
using dataset::read_lines;
using dataset::sample;
using dataset::six;

TEST(Estimates, FollowTheirDefinitions) {
  const measurements data = data_of({{fib_on("serial", 1), {2, 2, 2}},
                                     {fib_on("work-stealing", 1), {3, 3, 3}},
                                     {fib_on("work-stealing", 2), {1, 1, 4}}});
  const estimates known(data);
  const standing& wide = known.standing_of(2);
  EXPECT_EQ(wide.seconds->median, 1);
  EXPECT_EQ(wide.seconds->around.low, 1);
  EXPECT_EQ(wide.seconds->around.high, 4);
  EXPECT_EQ(wide.speedup->median, 2) << "Ts / Tp";
  EXPECT_EQ(wide.overhead->median, 1.5) << "T1 / Ts, which a row of two workers has too";
  EXPECT_DOUBLE_EQ(wide.per_fork->median, 2e-6) << "Tp × workers / tasks";
  EXPECT_EQ(wide.slowdown->median, 1);
  EXPECT_NEAR(known.standing_of(1).speedup->median, 2.0 / 3, 1e-12);
  EXPECT_EQ(known.standing_of(1).overhead->median, 1.5);
  EXPECT_EQ(known.standing_of(1).slowdown->median, 1.5);
  EXPECT_EQ(known.standing_of(0).speedup->median, 1);
  EXPECT_EQ(known.standing_of(0).overhead->median, 1);
  EXPECT_EQ(known.of(dataset::metric::cpu_seconds, 2)->median, 2);
  EXPECT_FALSE(known.of(dataset::metric::bytes_per_worker, 2));
}

TEST(Estimates, GiveEveryCellOfASchedulerItsOverhead) {
  const measurements data = read_lines(made_comparison());
  const estimates known(data);
  for (std::size_t i = 0; i < 5; ++i) {
    ASSERT_TRUE(known.standing_of(i).overhead) << name_of(known.cell(i).which);
    EXPECT_NEAR(known.standing_of(i).overhead->median, 1, 1e-9);
  }
  EXPECT_FALSE(known.standing_of(5).overhead) << "it has failed";
}

TEST(Estimates, HaveNoOverheadWithoutACellOfOneWorker) {
  const measurements data = data_of({{fib_on("serial", 1), {1, 1}}, {fib_on("openmp", 2), {1, 1}}});
  EXPECT_FALSE(estimates(data).standing_of(1).overhead);
  EXPECT_TRUE(estimates(data).standing_of(1).speedup);
}

TEST(Estimates, HaveNeitherSpeedupNorOverheadWithoutTheBaseline) {
  const measurements data = data_of({{fib_on("onetbb", 1), {1}}});
  const estimates known(data);
  EXPECT_FALSE(known.standing_of(0).speedup);
  EXPECT_FALSE(known.standing_of(0).overhead);
  EXPECT_TRUE(known.standing_of(0).seconds);
}

TEST(Estimates, TakeTheBaselineAtTheFewestWorkersThatItFinishedWith) {
  const measurements data = data_of({{fib_on("serial", 1), {}, "timed out"},
                                     {fib_on("serial", 2), {6, 6}},
                                     {fib_on("serial", 4), {9, 9}},
                                     {fib_on("openmp", 4), {3, 3}}});
  EXPECT_EQ(estimates(data).standing_of(3).speedup->median, 2);
}

TEST(Estimates, LetCellsThatCannotBeToldApartShareARank) {
  const measurements data = data_of({{fib_on("serial", 1), {5, 6, 7, 5, 6, 7}},
                                     {fib_on("onetbb", 1), {1, 2, 3, 1, 2, 3}},
                                     {fib_on("openmp", 1), {2, 3, 2, 2, 2, 2}}});
  const estimates known(data);
  EXPECT_EQ(known.standing_of(0).rank, 3U);
  EXPECT_EQ(known.standing_of(1).rank, 1U);
  EXPECT_EQ(known.standing_of(2).rank, 1U);
  EXPECT_TRUE(known.standing_of(0).is_behind);
  EXPECT_FALSE(known.standing_of(1).is_behind || known.standing_of(2).is_behind);
}

TEST(Estimates, RankByWorkerCountAndInstance) {
  const measurements data = data_of({{fib_on("serial", 1), six(1)},
                                     {fib_on("onetbb", 1), six(2)},
                                     {fib_on("onetbb", 2), six(3)},
                                     {{{"uts", {{"tree", "T1"}}}, "onetbb", 2}, six(4)}});
  const estimates known(data);
  EXPECT_EQ(known.instances().size(), 2U);
  EXPECT_EQ(known.worker_counts(), (std::vector<unsigned>{1, 2}));
  EXPECT_EQ(known.most_workers(), 2U);
  EXPECT_EQ(known.standing_of(1).rank, 2U);
  EXPECT_EQ(known.standing_of(2).rank, 1U);
  EXPECT_EQ(known.standing_of(3).rank, 1U);
  EXPECT_FALSE(known.cell_at(1, 0, 1)) << "it was not asked for";
}

TEST(Estimates, GiveNoRankBeforeEveryCellHasSixRounds) {
  for (const std::size_t rounds : {1U, 2U, 5U}) {
    const measurements data = data_of({{fib_on("serial", 1), std::vector<double>(rounds, 1.0)},
                                       {fib_on("onetbb", 1), six(2)},
                                       {fib_on("serial", 2), six(1)}});
    const estimates known(data);
    EXPECT_FALSE(known.standing_of(0).rank || known.standing_of(1).rank) << rounds;
    EXPECT_FALSE(known.standing_of(1).is_behind) << rounds;
    EXPECT_TRUE(known.standing_of(1).slowdown);
    EXPECT_TRUE(known.standing_of(2).rank) << "that with two workers is complete";
  }
}

TEST(Estimates, SayHowLongItTakesUntilThereIsEvidence) {
  dataset::raw_lines lines = dataset::lines_of("compare", {{fib_on("serial", 1), {1, 1}},
                                                           {fib_on("openmp", 1), {1, 1, 1}},
                                                           {fib_on("onetbb", 1), {1}, "crashed"}});
  lines.back()["spent_seconds"] = 60;
  const measurements data = read_lines(lines);
  const estimates known(data);
  EXPECT_EQ(known.fewest_rounds(), 2U);
  EXPECT_DOUBLE_EQ(known.seconds_until_evidence(), 70) << "six processes took 60 s, 7 are missing";
}

TEST(Estimates, AreNoneOfACellThatDidNotFinish) {
  const measurements data =
      data_of({{fib_on("serial", 1), {1, 1}}, {fib_on("openmp", 1), {1, 1}, "wrong answer"}});
  const estimates known(data);
  const standing& failed = known.standing_of(1);
  EXPECT_FALSE(failed.seconds || failed.per_fork || failed.speedup || failed.overhead ||
               failed.slowdown || failed.rank);
  EXPECT_FALSE(known.of(dataset::metric::seconds, 1));
  EXPECT_FALSE(paired_ratio(&known.cell(1), &known.cell(0)));
  EXPECT_FALSE(paired_ratio(nullptr, &known.cell(0)));
}

TEST(Estimates, HaveIntervalsFromSixRoundsOnOfEveryCellThatFinished) {
  const auto have = [](std::size_t rounds, const std::string& failure) {
    const measurements data =
        data_of({{fib_on("serial", 1), std::vector<double>(6, 1.0)},
                 {fib_on("openmp", 1), std::vector<double>(rounds, 1.0), failure}});
    return estimates(data).have_intervals();
  };
  EXPECT_TRUE(have(6, ""));
  EXPECT_FALSE(have(5, ""));
  EXPECT_TRUE(have(5, "wrong answer"));
}

TEST(Estimates, PairTheRoundsThatBothCellsHave) {
  const measurements data =
      data_of({{fib_on("serial", 1), {1, 2, 3, 9}}, {fib_on("openmp", 1), {2, 4, 6}}});
  const auto ratio = paired_ratio(&data.cells()[1], &data.cells()[0]);
  EXPECT_EQ(ratio->median, 2);
  EXPECT_EQ(ratio->around.low, 2) << "what slows a round slows both";
  EXPECT_EQ(ratio->around.high, 2);
  EXPECT_EQ(common_rounds({&data.cells()[0], &data.cells()[1]}), 3U);
  EXPECT_EQ(common_rounds({}), 0U);
}

// The last round was interrupted between the two: one has a round that the other lacks.
TEST(Estimates, HaveOneSpeedupWhereverItIsShownAlsoAfterAnInterruption) {
  const measurements data =
      data_of({{fib_on("serial", 1), {2, 2, 2}}, {fib_on("openmp", 1), {1, 1, 1, 3, 3, 3}}});
  const estimates known(data);
  ASSERT_EQ(known.standing_of(1).seconds->median, 2) << "of all rounds it would be 1.00 ×";
  EXPECT_EQ(known.standing_of(1).speedup->median, 2);

  const auto csv = sections::csv_table(data);
  for (std::size_t i = 0; i < csv.columns.size(); ++i) {
    if (csv.columns[i].header == "speedup") {
      EXPECT_EQ(csv.rows[1][i], "2");
    }
  }
  unsigned shown = 0;
  for (const report::section& each : sections::compare_sections(data)) {
    for (const report::block& block : each.blocks) {
      const auto* const table = std::get_if<report::table>(&block);
      if (table != nullptr && each.title == "All values") {
        EXPECT_EQ(table->columns[4].header, "speedup");
        EXPECT_EQ(table->rows[1][4], "2.00 ×");
        ++shown;
      }
      const auto* const plots = std::get_if<report::plot_group>(&block);
      if (plots != nullptr && each.title == "Speedup") {
        const auto& plot = plots->plots[0];
        EXPECT_EQ(plot.curves[0].points[0].y.median, 2);
        ++shown;
      }
    }
  }
  EXPECT_EQ(shown, 2U);
}

TEST(OverallStanding, LeadsByTheGeometricMean) {
  const measurements data = data_of({{fib_on("serial", 2), six(2)},
                                     {fib_on("openmp", 2), six(1)},
                                     {fib_on("serial", 2, "30"), six(8)},
                                     {fib_on("openmp", 2, "30"), six(1)}});
  const estimates known(data);
  EXPECT_EQ(known.leader(), 1U);
  EXPECT_DOUBLE_EQ(*known.overall()[0].mean_slowdown, 4) << "of 2 and 8";
  EXPECT_DOUBLE_EQ(*known.overall()[1].mean_slowdown, 1);
  EXPECT_FALSE(known.overall()[0].leads);
  EXPECT_TRUE(known.overall()[1].leads);
}

TEST(Estimates, RankEachInstanceByItsOwnTimes) {
  const measurements data = data_of({{fib_on("serial", 2), six(1)},
                                     {fib_on("openmp", 2), six(2)},
                                     {fib_on("serial", 2, "30"), six(4)},
                                     {fib_on("openmp", 2, "30"), six(3)}});
  const estimates known(data);
  const std::vector<unsigned> ranks{1, 2, 2, 1};
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    EXPECT_EQ(known.standing_of(i).rank, ranks[i]) << i;
    EXPECT_EQ(known.standing_of(i).is_behind, ranks[i] == 2) << i;
  }
}

TEST(Estimates, HaveATimePerForkWhereThereIsOneTask) {
  measured one{fib_on("openmp", 2), six(3)};
  one.fork_count = 1;
  measured none{fib_on("onetbb", 2), six(3)};
  none.fork_count = 0;
  const measurements data = data_of({one, none});
  EXPECT_DOUBLE_EQ(estimates(data).standing_of(0).per_fork->median, 6);
  EXPECT_FALSE(estimates(data).standing_of(1).per_fork);
}

TEST(Estimates, TakeTheLeastMedianForTheBestAndNotTheLeastTime) {
  const measurements data =
      data_of({{fib_on("serial", 2), {1, 4, 4}}, {fib_on("openmp", 2), {2, 2, 2}}});
  EXPECT_DOUBLE_EQ(estimates(data).standing_of(0).slowdown->median, 2);
  EXPECT_DOUBLE_EQ(estimates(data).standing_of(1).slowdown->median, 1);
}

TEST(Estimates, HaveTheOverheadOfOneWorkerInARowOfTwo) {
  const measurements data = data_of({{fib_on("serial", 1), six(2)},
                                     {fib_on("openmp", 1), six(3)},
                                     {fib_on("openmp", 2), six(8)}});
  EXPECT_DOUBLE_EQ(estimates(data).standing_of(2).overhead->median, 1.5);
}

// The means of times of each round are geometric: a long instance does not outweigh a short one.
TEST(OverallStanding, LeadsNotByTheLongestInstance) {
  const measurements data = data_of({{fib_on("serial", 2), six(1000)},
                                     {fib_on("openmp", 2), six(1010)},
                                     {fib_on("serial", 2, "30"), six(2)},
                                     {fib_on("openmp", 2, "30"), six(1)}});
  const estimates known(data);
  EXPECT_EQ(known.leader(), 1U);
  EXPECT_FALSE(known.overall()[0].leads);
  EXPECT_TRUE(known.overall()[1].leads);
}

TEST(OverallStanding, LeavesOutWhoFinishedSomeInstancesOnly) {
  const measurements data = data_of({{fib_on("serial", 2), six(1)},
                                     {fib_on("openmp", 2), six(3)},
                                     {fib_on("onetbb", 2), six(2)},
                                     {fib_on("serial", 2, "30"), {}, "crashed"},
                                     {fib_on("openmp", 2, "30"), six(3)},
                                     {fib_on("onetbb", 2, "30"), six(2)}});
  const estimates known(data);
  EXPECT_FALSE(known.overall()[0].mean_slowdown) << "though it is the best of the other instance";
  EXPECT_EQ(known.overall()[0].failed_cells, 1U);
  EXPECT_EQ(known.leader(), 2U);
  EXPECT_FALSE(known.overall()[0].leads || known.overall()[1].leads);
  EXPECT_TRUE(known.overall()[2].leads);
}

TEST(OverallStanding, IsSharedIfItIsNotShownThatTheLeaderIsFaster) {
  const measurements data = data_of(
      {{fib_on("serial", 2), {0.9, 1.1, 1.2, 0.9, 1.1, 1.2}}, {fib_on("openmp", 2), six(1)}});
  const estimates known(data);
  EXPECT_EQ(known.leader(), 1U);
  EXPECT_TRUE(known.overall()[0].leads);
  EXPECT_TRUE(known.overall()[1].leads);
}

TEST(OverallStanding, IsNotALeadBeforeSixRounds) {
  const measurements data =
      data_of({{fib_on("serial", 2), std::vector<double>(5, 9.0)}, {fib_on("openmp", 2), six(1)}});
  const estimates known(data);
  EXPECT_EQ(known.leader(), 1U) << "of the least mean";
  EXPECT_FALSE(known.overall()[0].leads || known.overall()[1].leads);
}

TEST(OverallStanding, HasNoMeanWithoutEveryInstance) {
  const measurements data =
      data_of({{fib_on("serial", 2), {1, 1}}, {fib_on("openmp", 2), {}, "wrong answer"}});
  const estimates known(data);
  EXPECT_FALSE(known.overall()[1].mean_slowdown);
  EXPECT_EQ(known.overall()[1].failed_cells, 1U);
  const measurements none = data_of({{fib_on("serial", 2), {}, "wrong answer"}});
  EXPECT_FALSE(estimates(none).leader());
}

sample sample_with(double workers, double switches, std::optional<double> waiting) {
  sample result;
  result.set(metric::seconds, 0.5);
  result.set(metric::worker_count, workers);
  result.set(metric::forced_switches, switches);
  if (waiting) result.set(metric::waiting_threads, *waiting);
  return result;
}

TEST(LostProcessor, IsAProcessWhoseThreadsWaitedForATenthOfTheWorkersTime) {
  EXPECT_FALSE(lost_processor(sample_with(1, 0, 0.099)));
  EXPECT_TRUE(lost_processor(sample_with(1, 0, 0.101)));
  EXPECT_FALSE(lost_processor(sample_with(2, 0, 0.199)));
  EXPECT_TRUE(lost_processor(sample_with(2, 0, 0.201)));
  EXPECT_FALSE(lost_processor(sample_with(2, 10'000, 0))) << "they gave way to each other";
}

TEST(LostProcessor, IsNotGuessedWhereTheKernelDoesNotSayHowLongThreadsWaited) {
  EXPECT_FALSE(lost_processor(sample_with(2, 10'000, {})));
  EXPECT_FALSE(lost_processor(sample())) << "simulated";
  raw_lines lines = made_comparison();
  EXPECT_FALSE(cells_without_processor(read_lines(lines)));
  edit_cell(lines, "fib/serial/n:20/workers:1",
            [](json& benchmark) { benchmark["waiting_threads"] = 0; });
  EXPECT_TRUE(cells_without_processor(read_lines(lines)));
}

/// Three rounds of one benchmark, of which the given number waited.
measurements rounds_that_waited(unsigned count) {
  raw_lines lines = made_comparison();
  edit_cell(lines, "fib/serial/n:20/workers:1", [&](json& benchmark) {
    benchmark["waiting_threads"] = count > 0 ? 0.5 : 0.0;
    if (count > 0) --count;
  });
  return read_lines(lines);
}

TEST(LostProcessor, IsABenchmarkOfWhichAThirdOfTheRoundsDid) {
  using names = std::optional<std::vector<std::string>>;
  EXPECT_EQ(cells_without_processor(rounds_that_waited(0)), names(std::in_place));
  for (const unsigned count : {1U, 2U, 3U}) {
    EXPECT_EQ(cells_without_processor(rounds_that_waited(count)),
              names({"fib/serial/n:20/workers:1"}));
  }
  measured_cell seven{.which = {}, .samples = {}, .failure = {}};
  EXPECT_FALSE(lost_processor(seven)) << "nothing was measured";
  for (unsigned i = 0; i < 7; ++i) seven.samples.push_back(sample_with(1, 0, i < 2 ? 1.0 : 0.0));
  EXPECT_FALSE(lost_processor(seven)) << "two of seven";
  seven.samples.back() = sample_with(1, 0, 1.0);
  EXPECT_TRUE(lost_processor(seven)) << "three of seven";
}

TEST(LostProcessor, IsNoBenchmarkThatDidNotFinish) {
  raw_lines lines = dataset::lines_of(
      "compare", {{fib_on("serial", 1), {1, 1}}, {fib_on("openmp", 1), {1, 1}, "crashed"}});
  edit_cell(lines, name_of(fib_on("openmp", 1)),
            [](json& benchmark) { benchmark["waiting_threads"] = 0.9; });
  EXPECT_EQ(cells_without_processor(read_lines(lines)),
            std::optional<std::vector<std::string>>(std::in_place));
}

}  // namespace
}  // namespace stealbench::analysis
