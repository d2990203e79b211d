#include "bench/compare/compare.hpp"

#include <algorithm>
#include <iostream>
#include <memory>
#include <string_view>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/compare/ablation.hpp"
#include "bench/compare/comparison.hpp"
#include "bench/compare/plan.hpp"
#include "bench/compare/process.hpp"
#include "bench/compare/record.hpp"
#include "bench/compare/tables.hpp"

namespace stealbench::compare {
namespace {

bool contains(const std::vector<cell_result>& results, std::string_view scheduler) {
  return std::any_of(results.begin(), results.end(),
                     [&](const cell_result& each) { return each.which.scheduler == scheduler; });
}

/// Remarks that a reader needs before the figures.
std::vector<std::string> remarks_on(const std::vector<cell_result>& results) {
  std::vector<std::string> remarks;
  unsigned most_workers = 0;
  for (const cell_result& each : results) most_workers = std::max(most_workers, each.which.workers);
  const unsigned processors = std::thread::hardware_concurrency();
  if (processors > 0 && most_workers > processors) {
    remarks.push_back(
        fmt::format("Warning: {} workers on {} processors; they take turns, and times vary.",
                    most_workers, processors));
  }
  if (!contains(results, "serial")) {
    remarks.emplace_back(
        "Note: serial is not in this comparison, so there is no speedup and no overhead.");
  }
  return remarks;
}

int finish(const std::vector<cell_result>& results, bool is_ablation, const record& kept) {
  std::vector<results::table> tables = tables_of(results);
  if (is_ablation) tables.push_back(ablation_table(results));
  kept.save_tables(markdown_of(tables, kept.document()["context"]));
  for (const results::table& each : tables) std::cout << results::to_text(each) << '\n';
  std::cout << reading_guide()
            << fmt::format("\nWritten: {}\n         {}\n", kept.json_file().string(),
                           kept.markdown_file().string());
  const auto failed = std::count_if(results.begin(), results.end(),
                                    [](const cell_result& each) { return !each.failure.empty(); });
  if (failed == 0) return 0;
  std::cout.flush();
  std::cerr << fmt::format("stealbench: {} of {} cells did not finish\n", failed, results.size());
  return 1;
}

int compare(const compare_request& asked, const std::vector<std::string>& arguments) {
  plan what = plan_for(asked, installation::of_this_program());
  record kept(asked.output);
  kept.describe("command", fmt::format("stealbench {}", fmt::join(arguments, " ")));
  kept.describe("size", asked.size);
  kept.describe("seed", what.seed);
  kept.describe("rounds", what.rounds);
  kept.describe("timeout_seconds", what.timeout.count());
  std::cerr << fmt::format("{} cells, {} round{}, seed {}\n", what.cells.size(), what.rounds,
                           what.rounds == 1 ? "" : "s", what.seed);
  try {
    comparison under_way(std::move(what), kept);
    for (const std::string& each : remarks_on(under_way.results())) std::cerr << each << '\n';
    under_way.run();
    return finish(under_way.results(), asked.ablation, kept);
  } catch (const interrupted&) {
    std::cerr << (kept.is_saved() ? fmt::format("Interrupted. What was measured is in {}\n",
                                                kept.json_file().string())
                                  : "Interrupted before anything was measured.\n");
    throw;
  }
}

}  // namespace

void declare_compare(CLI::App& program, const std::vector<std::string>& arguments, int& status) {
  const auto asked = std::make_shared<compare_request>();
  CLI::App* const command = program.add_subcommand(
      "compare", "Measure every scheduler on every workload, and print a table for each");
  command->add_option("--workloads", asked->workloads, "Separated by commas (default: all)");
  command->add_option(
      "--schedulers", asked->schedulers,
      "Separated by commas, with settings as in `run` (default: all that are built)");
  command->add_flag("--ablation", asked->ablation,
                    "serial, work-stealing, and each variant of it that differs in one setting; "
                    "adds a table of their times over its own; takes no --schedulers");
  command->add_option("--workers", asked->workers, "Numbers of workers, separated by commas")
      ->capture_default_str();
  command->add_option("--size", asked->size, "test, small, standard or large")
      ->capture_default_str();
  command
      ->add_option("--rounds", asked->rounds,
                   fmt::format("Times that each cell is measured, 1 to {}", most_rounds))
      ->capture_default_str();
  command
      ->add_option("--timeout", asked->timeout_seconds,
                   fmt::format("Longest time for one process, 1 to {} s", most_timeout_seconds))
      ->capture_default_str();
  command->add_option("--output", asked->output, "Folder for comparison.json and comparison.md")
      ->capture_default_str();
  command->add_option("--seed", asked->seed, "Of the order within the rounds (default: random)");
  command->callback([asked, arguments, &status] { status = compare(*asked, arguments); });
}

}  // namespace stealbench::compare
