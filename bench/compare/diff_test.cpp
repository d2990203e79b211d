#include "bench/compare/diff.hpp"

#include <algorithm>
#include <fstream>
#include <functional>

#include <gtest/gtest.h>

#include "bench/compare/document_fixture.hpp"
#include "results/system/scratch_folder.hpp"
#include "workloads/parameters.hpp"

namespace stealbench::compare {
namespace {

using nlohmann::ordered_json;

constexpr double three_percent = 0.03;
const std::string work_stealing = "fib/work-stealing/n:20/workers:2";

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Diff : public system::scratch_folder {
 protected:
  using edit = std::function<void(ordered_json&)>;

  [[nodiscard]] document made(const edit& change = {}) const {
    ordered_json whole = made_comparison();
    if (change) change(whole);
    std::ofstream(folder() / "made.json") << whole;
    return read_document(folder() / "made.json", "comparison");
  }

  /// Every round of the cell takes so much longer.
  static edit slowed(const std::string& cell, double factor) {
    return [=](ordered_json& whole) {
      for (ordered_json& entry : whole["benchmarks"]) {
        if (entry["cell"] != cell) continue;
        entry["real_time"] = entry["real_time"].get<double>() * factor;
      }
    };
  }

  static edit failed(const std::string& cell) {
    return [=](ordered_json& whole) {
      for (ordered_json& each : whole["context"]["cells"]) {
        if (each["name"] == cell) each["failure"] = "wrong answer";
      }
      ordered_json kept = ordered_json::array();
      for (const ordered_json& entry : whole["benchmarks"]) {
        if (entry["cell"] != cell) kept.push_back(entry);
      }
      kept.push_back({{"name", cell},
                      {"cell", cell},
                      {"round", 1},
                      {"error_occurred", true},
                      {"error_message", "wrong answer"}});
      whole["benchmarks"] = kept;
    };
  }

  static change change_of(const difference& found, const std::string& cell) {
    const auto place = std::find_if(found.cells.begin(), found.cells.end(),
                                    [&](const cell_change& each) { return each.cell == cell; });
    EXPECT_NE(place, found.cells.end()) << cell;
    return place == found.cells.end() ? change::none : place->found;
  }

  static std::ptrdiff_t changed(const difference& found) {
    return std::count_if(found.cells.begin(), found.cells.end(),
                         [](const cell_change& each) { return each.found != change::none; });
  }
};

TEST_F(Diff, OfEqualComparisonsIsNone) {
  const difference found = difference_between(made(), made(), three_percent);
  EXPECT_EQ(found.cells.size(), 6U);
  EXPECT_EQ(changed(found), 0);
  EXPECT_TRUE(found.warnings.empty());
  EXPECT_TRUE(table_of(found, false).rows.empty());
  EXPECT_EQ(table_of(found, true).rows.size(), 6U);
  EXPECT_NE(summary_of(found, three_percent).find("5 that finished in both: 1.00"),
            std::string::npos);
}

TEST_F(Diff, FindsTheCellThatHasBecomeSlowerAndNoOther) {
  const difference found =
      difference_between(made(), made(slowed(work_stealing, 1.1)), three_percent);
  EXPECT_EQ(change_of(found, work_stealing), change::slower);
  EXPECT_EQ(changed(found), 1);
  const report::table shown = table_of(found, false);
  ASSERT_EQ(shown.rows.size(), 1U);
  EXPECT_EQ(shown.rows[0].front(), work_stealing);
  EXPECT_EQ(shown.rows[0].back(), "slower");
}

TEST_F(Diff, FindsTheOneThatHasBecomeFaster) {
  const difference found =
      difference_between(made(), made(slowed(work_stealing, 0.9)), three_percent);
  EXPECT_EQ(change_of(found, work_stealing), change::faster);
}

TEST_F(Diff, DoesNotCallAChangeBelowTheThresholdOne) {
  const document slower = made(slowed(work_stealing, 1.05));
  EXPECT_EQ(changed(difference_between(made(), slower, three_percent)), 1);
  EXPECT_EQ(changed(difference_between(made(), slower, 0.1)), 0);
}

// The rounds of the fixture are 1 % apart, so ranges that are 1 % apart have a value in common.
TEST_F(Diff, DoesNotCallWhatLiesWithinTheSpreadAChange) {
  constexpr double tiny = 1e-6;
  EXPECT_EQ(changed(difference_between(made(), made(slowed(work_stealing, 1.01)), tiny)), 0);
}

TEST_F(Diff, ACellThatHasComeNotToFinishIsSlower) {
  const difference found = difference_between(made(), made(failed(work_stealing)), three_percent);
  EXPECT_EQ(change_of(found, work_stealing), change::slower);
  EXPECT_EQ(table_of(found, false).rows[0].back(), "slower (wrong answer)");
  const difference back = difference_between(made(failed(work_stealing)), made(), three_percent);
  EXPECT_EQ(change_of(back, work_stealing), change::faster);
}

TEST_F(Diff, NamesTheCellsThatOneOfThemLacks) {
  const auto renamed = [](ordered_json& whole) {
    std::string text = whole.dump();
    for (std::size_t at = 0; (at = text.find("openmp", at)) != std::string::npos;) {
      text.replace(at, 6, "onetbb");
    }
    whole = ordered_json::parse(text);
  };
  const difference found = difference_between(made(), made(renamed), three_percent);
  EXPECT_EQ(found.cells.size(), 4U);
  EXPECT_EQ(found.only_before.size(), 2U);
  ASSERT_EQ(found.only_after.size(), 2U);
  EXPECT_NE(found.only_after[0].find("onetbb"), std::string::npos);
}

TEST_F(Diff, OfTwoMachinesIsRefusedAndOfTwoCompilersWarnedOf) {
  const auto with = [](const char* key, const ordered_json& value) {
    return [=](ordered_json& whole) { whole["context"][key] = value; };
  };
  EXPECT_THROW(
      static_cast<void>(difference_between(made(), made(with("processor", "B")), three_percent)),
      workloads::bad_input);
  EXPECT_THROW(
      static_cast<void>(difference_between(made(), made(with("num_cpus", 3)), three_percent)),
      workloads::bad_input);
  const difference found =
      difference_between(made(), made(with("compiler", "Clang 14")), three_percent);
  ASSERT_EQ(found.warnings.size(), 1U);
  EXPECT_EQ(found.warnings[0], "compiler was unknown, and is Clang 14");
}

}  // namespace
}  // namespace stealbench::compare
