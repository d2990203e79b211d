#include "results/sections/diff.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include <gtest/gtest.h>

#include "results/dataset/fixture.hpp"
#include "results/dataset/simulation_fixture.hpp"
#include "results/sections/sections.hpp"
#include "schedulers/input.hpp"

namespace stealbench::sections {
namespace {

using dataset::contains;
using dataset::json;
using dataset::lines_of;
using dataset::measurements;
using dataset::raw_lines;
using dataset::read_lines;
using dataset::six;
using dataset::slow_down;

constexpr double three_percent = 0.03;
const std::string work_stealing = "fib/work-stealing/n:20/workers:2";

using edit = std::function<void(raw_lines&)>;

measurements comparison(const edit& change = {}) {
  raw_lines lines = dataset::made_comparison(6);
  if (change) change(lines);
  return read_lines(lines);
}

edit slowed(const std::string& cell, double factor) {
  return [=](raw_lines& lines) { slow_down(lines, cell, factor); };
}

edit failed(const std::string& cell) {
  return [=](raw_lines& lines) {
    std::erase_if(lines, [&](const json& line) { return line.value("cell", "") == cell; });
    lines.insert(lines.end() - 1, json{{"type", "process"},
                                       {"cell", cell},
                                       {"round", 1},
                                       {"spent_seconds", 1},
                                       {"failure", "wrong answer"}});
  };
}

/// A cell for each, of `serial` with one worker and more; one without a time has crashed.
measurements serial_in(const std::vector<std::vector<double>>& times) {
  std::vector<dataset::measured> all;
  all.reserve(times.size());
  for (const std::vector<double>& each : times) {
    all.push_back({dataset::fib_on("serial", static_cast<unsigned>(all.size() + 1)), each,
                   each.empty() ? "crashed" : ""});
  }
  return dataset::data_of(all);
}

difference difference_of(const edit& after, double threshold = three_percent) {
  return difference_between(comparison(), comparison(after), threshold);
}

change change_of(const difference& found, const std::string& cell) {
  const auto place = std::find_if(found.cells.begin(), found.cells.end(),
                                  [&](const cell_change& each) { return each.cell == cell; });
  EXPECT_NE(place, found.cells.end()) << cell;
  return place == found.cells.end() ? change::none : place->found;
}

std::ptrdiff_t changed(const difference& found) {
  return std::count_if(found.cells.begin(), found.cells.end(), [](const cell_change& each) {
    return each.found == change::slower || each.found == change::faster;
  });
}

std::string refusal_of(const edit& after) {
  try {
    static_cast<void>(difference_of(after));
  } catch (const schedulers::bad_input& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Diff, OfEqualComparisonsIsNone) {
  const difference found = difference_between(comparison(), comparison(), three_percent);
  EXPECT_EQ(found.cells.size(), 6U);
  EXPECT_EQ(changed(found), 0);
  EXPECT_TRUE(found.warnings.empty());
  EXPECT_TRUE(table_of(found, false).rows.empty());
  const report::table all = table_of(found, true);
  EXPECT_EQ(all.rows.size(), 6U);
  EXPECT_EQ(all.rows[5][1], "DNF") << "in both";
  EXPECT_EQ(all.rows[5].back(), "(timed out after 120 s)");
  EXPECT_TRUE(
      contains(summary_of(found, three_percent),
               "6 benchmarks: 0 slower, 0 faster, 6 without a significant change of more than "
               "3 %.\nGeometric mean of new ÷ old (5 benchmarks that finished in both): 1.00"));
}

TEST(Diff, FindsTheCellThatHasBecomeSlowerAndNoOther) {
  const difference found = difference_of(slowed(work_stealing, 1.1));
  EXPECT_EQ(change_of(found, work_stealing), change::slower);
  EXPECT_EQ(changed(found), 1);
  const report::table shown = table_of(found, false);
  ASSERT_EQ(shown.rows.size(), 1U);
  EXPECT_EQ(shown.rows[0].front(), work_stealing);
  EXPECT_EQ(shown.rows[0][3].substr(0, 9), "1.10 × [");
  EXPECT_EQ(shown.rows[0].back(), "slower");
}

TEST(Diff, ShowsTheOldAndTheNewTimeAndTheMeanOfTheirRatios) {
  const difference found = difference_between(serial_in({six(1), six(1), six(1)}),
                                              serial_in({six(4), six(0.5), six(2)}), three_percent);
  const report::table shown = table_of(found, false);
  ASSERT_EQ(shown.rows.size(), 3U);
  EXPECT_EQ(shown.rows[0][1], "1.00 s [1.00, 1.00]");
  EXPECT_EQ(shown.rows[0][2], "4.00 s [4.00, 4.00]");
  EXPECT_EQ(shown.rows[1][2], "500 ms [500, 500]");
  EXPECT_EQ(shown.rows[1][3], "0.500 × [0.500, 0.500]");
  EXPECT_EQ(summary_of(found, three_percent),
            "3 benchmarks: 2 slower, 1 faster, 0 without a significant change of more than 3 %.\n"
            "Geometric mean of new ÷ old (3 benchmarks that finished in both): 1.59 ×\n");
}

// A ratio of 0.8 is as far as one of 1.25.
TEST(Diff, CountsWhatIsFarEitherWayAndNotShown) {
  const std::vector<double> scattered{0.3, 2, 0.5, 1.7, 0.4, 1.9};
  std::vector<double> less = scattered;
  for (double& each : less) each *= 0.8;
  const difference found =
      difference_between(serial_in({scattered}), serial_in({less}), three_percent);
  EXPECT_TRUE(contains(summary_of(found, three_percent), "1 of these differs by more than that"));
}

TEST(Diff, FindsTheOneThatHasBecomeFaster) {
  const difference found = difference_of(slowed(work_stealing, 0.9));
  EXPECT_EQ(change_of(found, work_stealing), change::faster);
  EXPECT_EQ(table_of(found, false).rows[0].back(), "faster");
}

TEST(Diff, DoesNotCallAChangeBelowTheThresholdOne) {
  const measurements slower = comparison(slowed(work_stealing, 1.05));
  EXPECT_EQ(changed(difference_between(comparison(), slower, three_percent)), 1);
  EXPECT_EQ(changed(difference_between(comparison(), slower, 0.1)), 0);
}

// The rounds of the fixture are 1 % apart.
TEST(Diff, DoesNotCallWhatIsWithinTheNoiseAChange) {
  constexpr double tiny = 1e-6;
  EXPECT_EQ(changed(difference_of(slowed(work_stealing, 1.01), tiny)), 0);
}

TEST(Diff, TellsNothingApartBelowSixRoundsOnEitherSide) {
  const measurements three = read_lines(dataset::made_comparison());
  raw_lines lines = dataset::made_comparison();
  slow_down(lines, work_stealing, 9);
  const measurements three_slower = read_lines(lines);
  lines = dataset::made_comparison(6);
  slow_down(lines, work_stealing, 9);
  const measurements six_slower = read_lines(lines);
  for (const auto& [before, after] :
       {std::pair(&three, &three_slower), std::pair(&three, &six_slower)}) {
    const difference found = difference_between(*before, *after, three_percent);
    EXPECT_EQ(change_of(found, work_stealing), change::unknown);
    EXPECT_TRUE(table_of(found, false).rows.empty());
    EXPECT_EQ(table_of(found, false).columns[3].header, "new ÷ old [99 %]");
    EXPECT_EQ(table_of(found, true).columns[3].header,
              "new ÷ old [99 %, below 6 rounds the range]");
    EXPECT_EQ(table_of(found, true).rows[4].back(), "not told apart yet");
    const std::string summary = summary_of(found, three_percent);
    EXPECT_TRUE(contains(summary, "6 benchmarks: 0 slower, 0 faster, 1 without")) << summary;
    EXPECT_TRUE(contains(summary, "5 benchmarks not told apart yet: that needs 6 rounds"))
        << summary;
  }
  EXPECT_EQ(change_of(difference_between(comparison(), six_slower, three_percent), work_stealing),
            change::slower);
  const difference gone =
      difference_between(three, comparison(failed(work_stealing)), three_percent);
  EXPECT_EQ(change_of(gone, work_stealing), change::slower) << "a failure needs no rounds";
}

// A change with p = 0.02 is one alone, and none among forty benchmarks that have not changed.
TEST(Diff, CorrectsForTheNumberOfBenchmarks) {
  const std::vector<double> low{1, 1.4, 1.1, 1.3, 1.2, 1.0};
  const std::vector<double> high{1.3, 1.8, 1.4, 1.7, 1.5, 1.35};
  std::vector<std::vector<double>> before{low};
  std::vector<std::vector<double>> after{high};
  EXPECT_EQ(changed(difference_between(serial_in(before), serial_in(after), three_percent)), 1);
  before.resize(40, low);
  after.resize(40, low);
  EXPECT_EQ(changed(difference_between(serial_in(before), serial_in(after), three_percent)), 0);
}

// Half as much again, or the inverse: two thirds.
TEST(Diff, HasTheSameThresholdEitherWay) {
  const auto found = [](double factor) {
    return change_of(difference_of(slowed(work_stealing, factor), 0.5), work_stealing);
  };
  EXPECT_EQ(found(1.55), change::slower);
  EXPECT_EQ(found(1.45), change::none);
  EXPECT_EQ(found(0.7), change::none);
  EXPECT_EQ(found(0.6), change::faster);
}

TEST(Diff, KeepsChangesApartFromCellsThatFailed) {
  const difference found = difference_between(serial_in({{}, six(1), six(1)}),
                                              serial_in({{}, six(1), six(2)}), three_percent);
  ASSERT_EQ(found.cells.size(), 3U);
  EXPECT_EQ(found.cells[0].found, change::none);
  EXPECT_EQ(found.cells[1].found, change::none);
  EXPECT_EQ(found.cells[2].found, change::slower);
}

TEST(Diff, ShowsTheRatioWithANinetyNinePercentInterval) {
  const std::vector<double> before{1, 1.4, 1.1, 1.3, 1.2, 1.0, 1.25, 1.15};
  const std::vector<double> after{1.3, 1.8, 1.4, 1.7, 1.5, 1.35, 1.6, 1.55};
  const measurements old_one = serial_in({before});
  const measurements new_one = serial_in({after});
  const auto ratio = difference_between(old_one, new_one, three_percent).cells[0].ratio;
  const auto read = [](const measurements& data) {
    return values_of(data.cells()[0], dataset::metric::seconds);
  };
  const estimate expected = analysis::estimate_unpaired_ratio(read(new_one), read(old_one), 0.99);
  EXPECT_DOUBLE_EQ(ratio->median, expected.median);
  EXPECT_DOUBLE_EQ(ratio->around.low, expected.around.low);
  EXPECT_DOUBLE_EQ(ratio->around.high, expected.around.high);
}

// Rounds that slow both alike: in the same rounds their ratio is known well, in two runs it is not.
TEST(Diff, DrawsRoundsThatAreSharedAsAWhole) {
  const measurements before = serial_in({{1, 2, 3, 4, 5, 6}});
  const measurements after = serial_in({{1.1, 2.2, 3.3, 4.4, 5.5, 6.6}});
  const auto ratio_of = [&](rounds_are rounds) {
    return difference_between(before, after, three_percent, rounds).cells[0].ratio.value();
  };
  const estimate shared = ratio_of(rounds_are::shared);
  EXPECT_NEAR(shared.around.low, 1.1, 1e-9);
  EXPECT_NEAR(shared.around.high, 1.1, 1e-9);
  EXPECT_LT(ratio_of(rounds_are::apart).around.low, 0.9);
  const std::vector<double> uneven{1.2, 2.0, 3.5, 4.1, 5.0, 6.9};
  const double high =
      difference_between(before, serial_in({uneven}), three_percent, rounds_are::shared)
          .cells[0]
          .ratio->around.high;
  const auto at = [&](double confidence) {
    return analysis::paired_ratio(&serial_in({uneven}).cells()[0], &before.cells()[0], confidence)
        ->around.high;
  };
  EXPECT_DOUBLE_EQ(high, at(0.99));
  EXPECT_GT(high, at(0.5));
}

TEST(Diff, NamesWhatWasMeasuredInTheSameRoundsAAndB) {
  const difference found =
      difference_between(comparison(), comparison(), three_percent, rounds_are::shared);
  std::vector<std::string> headers;
  for (const auto& each : table_of(found, true).columns) headers.push_back(each.header);
  EXPECT_EQ(headers, (std::vector<std::string>{"benchmark", "A", "B", "B ÷ A [99 %]", "change"}));
  EXPECT_TRUE(contains(summary_of(found, three_percent), "Geometric mean of B ÷ A (5 "));
  EXPECT_EQ(table_of(difference_between(comparison(), comparison(), three_percent), true)
                .columns[3]
                .header,
            "new ÷ old [99 %]");
}

TEST(Diff, CallsACellThatNoLongerFinishesSlower) {
  const difference found = difference_of(failed(work_stealing));
  EXPECT_EQ(change_of(found, work_stealing), change::slower);
  EXPECT_EQ(table_of(found, false).rows[0].back(), "slower (wrong answer)");
  EXPECT_EQ(table_of(found, false).rows[0][2], "DNF");
  const difference back =
      difference_between(comparison(failed(work_stealing)), comparison(), three_percent);
  EXPECT_EQ(change_of(back, work_stealing), change::faster);
}

TEST(Diff, SaysThatACellHasNotBeenMeasuredYet) {
  const auto stopped_early = [](raw_lines& lines) { lines.resize(6); };
  const difference found = difference_of(stopped_early);
  EXPECT_EQ(change_of(found, work_stealing), change::unknown);
  EXPECT_EQ(changed(found), 0);
  EXPECT_EQ(table_of(found, true).rows[4].back(),
            "not told apart yet (not measured, the experiment is unfinished)");
  raw_lines lines = dataset::made_comparison(6);
  stopped_early(lines);
  const measurements unfinished = read_lines(lines);
  EXPECT_EQ(change_of(difference_between(unfinished, comparison(), three_percent), work_stealing),
            change::unknown);
  EXPECT_EQ(
      change_of(difference_between(unfinished, comparison(failed(work_stealing)), three_percent),
                work_stealing),
      change::unknown);
}

TEST(Diff, NamesTheCellsThatOneOfThemLacks) {
  const difference found =
      difference_of([](raw_lines& lines) { lines = dataset::renamed(lines, "openmp", "onetbb"); });
  EXPECT_EQ(found.cells.size(), 4U);
  EXPECT_EQ(found.only_before.size(), 2U);
  ASSERT_EQ(found.only_after.size(), 2U);
  EXPECT_TRUE(contains(found.only_after[0], "onetbb"));
}

TEST(Diff, OfTwoThatCannotBeComparedIsRefused) {
  const auto in_context = [](const char* key, const json& value) {
    return [=](raw_lines& lines) { lines[1]["context"][key] = value; };
  };
  EXPECT_TRUE(contains(refusal_of(in_context("processor", "B")),
                       "processor was A <processor>, and is B; valid: "));
  EXPECT_TRUE(contains(refusal_of(in_context("num_cpus", 3)), "num_cpus was 2, and is 3; valid: "));
  EXPECT_TRUE(contains(refusal_of([](raw_lines& lines) { lines[0]["experiment"] = "other"; }),
                       "one is of the experiment compare, the other of other; valid: "));
  EXPECT_TRUE(contains(refusal_of([](raw_lines& lines) {
                         lines = lines_of("compare", {{dataset::fib_on("onetbb", 9), {1}}});
                       }),
                       "no benchmark in common; valid: "));
}

TEST(Diff, WarnsOfWhatElseIsNotTheSame) {
  const auto warnings = [](const edit& before, const edit& after) {
    return difference_between(comparison(before), comparison(after), three_percent).warnings;
  };
  using texts = std::vector<std::string>;
  EXPECT_EQ(warnings({}, [](raw_lines& lines) { lines[1]["context"]["compiler"] = "Clang 14"; }),
            texts{"compiler was unknown, and is Clang 14"});
  for (const std::string key : {"flags", "build_type", "kernel", "governor", "environment"}) {
    EXPECT_EQ(warnings({}, [&](raw_lines& lines) { lines[1]["context"][key] = "new"; }),
              texts{key + " was unknown, and is new"});
  }
  raw_lines other = dataset::made_simulation();
  other[0]["about"]["profile"]["costs"]["transfer_ns"] = 91.0;
  const auto of_profiles =
      difference_between(read_lines(dataset::made_simulation()), read_lines(other), three_percent);
  EXPECT_EQ(of_profiles.warnings.at(0),
            "the profile was reference, and is reference, with other values");
  other = dataset::made_simulation();
  other[0]["about"]["profile"]["accuracy"] = {
      {"cells", 9}, {"median_error", 0.1}, {"ninth_decile_error", 0.2}, {"contended_factor", 2.0}};
  for (const std::string& each :
       difference_between(read_lines(dataset::made_simulation()), read_lines(other), three_percent)
           .warnings) {
    EXPECT_FALSE(contains(each, "profile")) << each << ": it was validated, which changes no time";
  }
  EXPECT_EQ(warnings({}, [](raw_lines& lines) { lines[0]["settings"]["size"] = "small"; }),
            texts{"size was test, and is small"});
  EXPECT_EQ(warnings([](raw_lines& lines) { lines[0]["settings"]["pin"] = false; },
                     [](raw_lines& lines) { lines[0]["settings"]["pin"] = true; }),
            texts{"pin was false, and is true"});
  const auto unfinished = [](raw_lines& lines) { lines.pop_back(); };
  EXPECT_EQ(warnings(unfinished, unfinished),
            (texts{"the old one is not finished", "the new one is not finished"}));
  EXPECT_EQ(warnings(unfinished, {}), texts{"the old one is not finished"});
  EXPECT_EQ(warnings({}, unfinished), texts{"the new one is not finished"});
}

}  // namespace
}  // namespace stealbench::sections
