#include <gtest/gtest.h>

#include "bench/driver/experiments/experiment.hpp"
#include "results/sections/fixture.hpp"
#include "schedulers/input.hpp"

namespace stealbench::experiments::micro {

using namespace sections;
namespace {

using dataset::contains;
using dataset::json;
using dataset::measured;
using row = std::vector<std::string>;

measured figure(const std::string& name, const std::string& scheduler,
                const std::vector<double>& seconds) {
  return {{{name, {}}, scheduler, 1}, seconds};
}

json described_figures(const std::vector<std::string>& figures, const json& gaps = json::array()) {
  json described = json::array();
  for (const std::string& each : figures) {
    described.push_back({{"name", each},
                         {"meaning", "what " + each + " is"},
                         {"raw", "a plain " + each},
                         {"workers", described.size() + 1},
                         {"unit", "seconds"}});
  }
  return {{"figures", described}, {"gaps", gaps}};
}

TEST(MicroSections, HaveARowForEachSchedulerAndAColumnForEachFigure) {
  const auto all =
      sections_of(data_of({figure("fork", "serial", std::vector<double>(6, 1e-9)),
                           figure("fork", "work-stealing", std::vector<double>(6, 2e-9)),
                           figure("wake", "work-stealing", std::vector<double>(6, 5e-5))},
                          described_figures({"fork", "wake"}), "micro"));
  const report::table& table = table_in(all, "Cost of one operation, median [95 %]");
  ASSERT_EQ(table.columns.size(), 3U);
  EXPECT_EQ(table.columns[1].header, "fork");
  EXPECT_EQ(table.columns[2].header, "wake");
  EXPECT_EQ(table.rows,
            (std::vector<row>{{"serial", "1.00 ns [1.00, 1.00]", "—"},
                              {"work-stealing", "2.00 ns [2.00, 2.00]", "50.0 µs [50.0, 50.0]"}}));
  EXPECT_TRUE(contains(
      text_of(section_in(all, "What the costs mean")),
      "- **fork (1 worker)**: what fork is. Raw cost, without a scheduler: a plain fork.\n"
      "- **wake (2 workers)**: what wake is. Raw cost, without a scheduler: a plain wake.\n"));
}

TEST(MicroSections, SayRangeWhereThereAreTooFewRoundsForAnInterval) {
  const auto all = sections_of(
      data_of({figure("fork", "openmp", {1e-9, 3e-9})}, described_figures({"fork"}), "micro"));
  EXPECT_EQ(table_in(all, "Cost of one operation, median [range]").rows.front().back(),
            "2.00 ns [1.00, 3.00]");
}

TEST(MicroSections, TellWhatIsNotApplicableFromWhatFailed) {
  measured failed = figure("steal", "openmp", {});
  failed.failure = "3 of 50 rounds count";
  const json gap{{"figure", "steal"}, {"scheduler", "serial"}, {"reason", "its one worker"}};
  const auto all =
      sections_of(data_of({figure("fork", "serial", {1e-9}), failed},
                          described_figures({"fork", "steal"}, json::array({gap})), "micro"));
  const report::table& table = table_in(all, "Cost of one operation");
  EXPECT_EQ(table.rows[0][2], "—");
  EXPECT_EQ(table.rows[1][2], "DNF");
  ASSERT_EQ(table.marks.size(), 1U);
  EXPECT_EQ(table.marks[0].row, 1U);
  EXPECT_EQ(table.marks[0].column, 2U);
  const std::string guide = text_of(section_in(all, "What the costs mean"));
  EXPECT_TRUE(contains(guide, "— steal of serial: not applicable, its one worker.")) << guide;
}

TEST(MicroSections, ShowMemoryInBytes) {
  json described = described_figures({"fork", "pool"});
  described["figures"][1]["unit"] = "bytes";
  auto lines = lines_of("micro", {figure("fork", "openmp", {1}), figure("pool", "openmp", {1})});
  lines.front()["about"] = described;
  dataset::edit_cell(lines, "pool/openmp/workers:1",
                     [](json& benchmark) { benchmark["bytes_per_worker"] = 2048; });
  EXPECT_EQ(table_in(sections_of(read_lines(lines)), "Cost of").rows[0],
            (row{"openmp", "1.00 s [1.00, 1.00]", "2.00 KiB"}));
}

TEST(MicroSections, NeedTheFiguresOfTheFirstLine) {
  EXPECT_THROW((void)data_of({figure("fork", "serial", {1})}, json::object(), "micro"),
               schedulers::bad_input);
}

}  // namespace
}  // namespace stealbench::experiments::micro
