#include "bench/compare/micro.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bench/compare/micro_table.hpp"
#include "results/system/scratch_folder.hpp"

namespace stealbench::compare {
namespace {

cell_result result_of(const std::string& scheduler, const std::string& figure,
                      const std::vector<double>& seconds) {
  cell_result made;
  made.which = {scheduler, {}, {figure, {}}, 1, /*is_figure=*/true};
  for (const double each : seconds) made.samples.emplace_back().seconds = each;
  return made;
}

TEST(MicroTable, HasARowForEachSchedulerAndAColumnForEachFigure) {
  const std::vector<cell_result> cells{
      result_of("work-stealing", "fork", {2e-9, 2e-9, 2e-9, 2e-9, 2e-9, 2e-9}),
      result_of("work-stealing", "wake", {5e-5, 5e-5, 5e-5, 5e-5, 5e-5, 5e-5}),
      result_of("serial", "fork", {1e-9, 1e-9, 1e-9, 1e-9, 1e-9, 1e-9})};
  const report::table made =
      micro_table(cells, {.schedulers = {"serial", "work-stealing"}, .figures = {"fork", "wake"}});
  EXPECT_EQ(made.title, "micro-figures: median time of one operation [95 %]");
  ASSERT_EQ(made.columns.size(), 3U);
  EXPECT_EQ(made.columns[1].header, "fork");
  EXPECT_EQ(made.columns[2].header, "wake");
  const std::vector<std::vector<std::string>> rows{
      {"serial", "1.00 ns [1.00, 1.00]", "—"},
      {"work-stealing", "2.00 ns [2.00, 2.00]", "50.0 µs [50.0, 50.0]"}};
  EXPECT_EQ(made.rows, rows);
}

TEST(MicroTable, SaysRangeWhereThereAreTooFewRoundsForAnInterval) {
  const report::table made = micro_table({result_of("openmp", "fork", {1e-9, 3e-9})},
                                         {.schedulers = {"openmp"}, .figures = {"fork"}});
  EXPECT_EQ(made.title, "micro-figures: median time of one operation [range]");
  EXPECT_EQ(made.rows.front().back(), "2.00 ns [1.00, 3.00]");
}

TEST(MicroTable, TellsWhatIsNotApplicableFromWhatFailed) {
  cell_result failed = result_of("openmp", "steal", {});
  failed.failure = "3 of 50 rounds count";
  const micro_axes axes{.schedulers = {"serial", "openmp"}, .figures = {"steal"}};
  const report::table made = micro_table({failed}, axes);
  EXPECT_EQ(made.rows[0][1], "—");
  EXPECT_EQ(made.rows[1][1], "DNF");
  const std::string guide = micro_guide({failed}, axes);
  EXPECT_NE(guide.find("— steal of serial: not applicable, its one worker"), std::string::npos)
      << guide;
  EXPECT_NE(guide.find("DNF steal of openmp: 3 of 50 rounds count\n"), std::string::npos) << guide;
}

class MicroPlan : public system::scratch_folder {
 protected:
  MicroPlan() {
    for (const char* const each : {"stealbench-serial", "stealbench-work-stealing"}) {
      plant(each, "exit 0");
    }
  }
};

TEST_F(MicroPlan, HasNoCellForAFigureThatASchedulerCannotHave) {
  const micro_plan made = plan_for({.figures = "fork,steal"}, installation(folder()));
  std::vector<std::string> names;
  for (const cell& each : made.what.cells) names.push_back(name_of(each));
  EXPECT_EQ(names,
            (std::vector<std::string>{"fork/serial/workers:1", "fork/work-stealing/workers:1",
                                      "steal/work-stealing/workers:2"}));
  EXPECT_EQ(made.axes.schedulers, (std::vector<std::string>{"serial", "work-stealing"}));
}

TEST_F(MicroPlan, GivesTheExecutableTheFigureAndTheSettings) {
  const micro_plan made = plan_for({.schedulers = "work-stealing:deque=locked", .figures = "spawn"},
                                   installation(folder()));
  const std::vector<std::string> arguments = arguments_of(made.what.cells.front());
  const auto after = [&](const std::string& option) {
    const auto found = std::find(arguments.begin(), arguments.end(), option);
    return found == arguments.end() ? std::string("nothing") : *(found + 1);
  };
  EXPECT_EQ(after("--figure"), "spawn");
  EXPECT_EQ(after("--workers"), "1");
  EXPECT_EQ(after("--variant"), "deque=locked");
  EXPECT_EQ(after("--workload"), "nothing");
}

}  // namespace
}  // namespace stealbench::compare
