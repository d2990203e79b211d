// What a report says of each of several datasets: its own size, machine, build and date.
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "bench/driver/experiments/report.hpp"
#include "results/analysis/strategies/ablation.hpp"
#include "results/dataset/fixture.hpp"
#include "results/dataset/simulation_fixture.hpp"

namespace stealbench::experiments {
namespace {

using dataset::contains;
using dataset::fib_on;

TEST(ReportOn, SaysTheOriginOfEachDataset) {
  auto compared =
      dataset::lines_of("compare", {{fib_on("serial", 1), {1}}, {fib_on("openmp", 1), {2}}});
  auto micro = dataset::lines_of("micro", {{{{"fork", {}}, "serial", 1}, {1e-9}}});
  micro[0]["about"] = {
      {"figures",
       {{{"name", "fork"}, {"meaning", "m"}, {"raw", "r"}, {"workers", 1}, {"unit", "seconds"}}}},
      {"gaps", dataset::json::array()}};
  micro[0]["date"] = "2026-11-22T01:02:03Z";
  micro[1]["context"].update({{"processor", "Z80"}, {"num_cpus", 4}, {"commit", "abc"}});
  auto simulated = dataset::made_simulation();
  simulated[0]["date"] = "2026-11-23T04:05:06Z";
  simulated[1]["context"]["commit"] = "def";
  const std::string text = report::to_markdown(report_on(std::vector{
      dataset::read_lines(compared), dataset::read_lines(micro), dataset::read_lines(simulated)}));
  for (const char* const part :
       {"compare: 2 benchmarks on A \\<processor>, 2 processors; commit 0123456789ab; "
        "2026-11-21T20:41:35Z.\n",
        "micro: 1 benchmark on Z80, 4 processors; commit abc; 2026-11-22T01:02:03Z.\n",
        "This experiment is unfinished: results are missing",
        "simulate: 5 benchmarks, simulated; commit def; 2026-11-23T04:05:06Z.\n"}) {
    EXPECT_TRUE(contains(text, part)) << part << " in\n" << text;
  }
  micro.push_back(dataset::finished_line());
  EXPECT_FALSE(
      contains(to_markdown(report_on(std::vector{dataset::read_lines(micro)})), "is unfinished"));
  for (const auto& [name, date] :
       std::vector<std::pair<std::string, std::string>>{{"compare", "2026-11-21T20:41:35Z"},
                                                        {"micro", "2026-11-22T01:02:03Z"},
                                                        {"simulate", "2026-11-23T04:05:06Z"}}) {
    const std::string section = text.substr(text.find("## Provenance (" + name + ")"));
    EXPECT_TRUE(contains(section.substr(0, section.find("\n## ")), "| " + date + " ")) << section;
  }
}

dataset::raw_lines made_ablation() {
  auto lines = dataset::lines_of("compare", {{fib_on("work-stealing", 2), dataset::six(1)},
                                             {fib_on("static-partition", 2), dataset::six(2)},
                                             {fib_on("openmp", 2), dataset::six(3)}});
  lines[0]["about"]["ablation"] = analysis::json_of({{"scheduler", "openmp", "work-stealing"}});
  return lines;
}

TEST(ReportOn, NamesTheMachineOfEachTable) {
  const report::document whole = report_on(std::vector{
      dataset::read_lines(made_ablation()), dataset::read_lines(dataset::made_comparison()),
      dataset::read_lines(dataset::made_simulation())});
  std::size_t measured = 0;
  std::size_t simulated = 0;
  for (const report::section& section : whole.sections) {
    for (const report::block& block : section.blocks) {
      const auto* const table = std::get_if<report::table>(&block);
      if (table == nullptr) continue;
      const bool is_measured = table->origin.starts_with("Measured on 2 processors: A <processor>");
      const bool is_simulated = contains(table->origin, "profile reference (A processor).");
      EXPECT_TRUE(is_measured || is_simulated) << table->title << ": " << table->origin;
      measured += is_measured ? 1U : 0U;
      simulated += is_simulated ? 1U : 0U;
    }
  }
  EXPECT_GE(measured, 10U);
  EXPECT_GE(simulated, 5U);
}

TEST(ReportOn, SaysOnceThatAnAblationIsUnfinished) {
  const auto lines = made_ablation();
  const std::string text = report::to_markdown(report_on(std::vector{dataset::read_lines(lines)}));
  const std::size_t at = text.find(" is unfinished");
  EXPECT_NE(at, std::string::npos) << text;
  EXPECT_EQ(at, text.rfind(" is unfinished")) << text;
}

}  // namespace
}  // namespace stealbench::experiments
