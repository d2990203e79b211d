#include "bench/compare/sweep.hpp"

#include <algorithm>
#include <iostream>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "bench/compare/comparison.hpp"
#include "bench/compare/host.hpp"
#include "bench/compare/process.hpp"

namespace stealbench::compare {
namespace {

using nlohmann::ordered_json;

std::string as_markdown(const sweep_account& account, const ordered_json& context) {
  std::string text = fmt::format("# {}\n\n", account.title);
  for (const std::string& each : account.verdicts) text += each + "\n\n";
  for (const results::table& each : account.tables) text += results::to_markdown(each) + "\n";
  text += "## How to read it\n\n";
  std::istringstream lines(account.guide);
  for (std::string line; std::getline(lines, line);) text += "- " + line + "\n";
  return text + "\n## Provenance\n\n" + results::to_markdown(provenance_of(context));
}

void describe(const plan& what, const sweep_request& asked, record& into) {
  into.describe("command", asked.command);
  if (what.until.rounds) {
    into.describe("rounds", *what.until.rounds);
  } else {
    into.describe("budget_seconds", what.until.budget.count());
    into.describe("target_percent", 100 * what.until.target);
  }
  into.describe("timeout_seconds", what.timeout.count());
  into.describe("seed", what.seed);
  into.describe("finished", false);
}

int finish(const std::vector<cell_result>& results, record& kept, const account_of& account) {
  const sweep_account made = account(results, kept.document()["context"]);
  kept.save_tables(as_markdown(made, kept.document()["context"]));
  kept.describe("finished", true);
  kept.save();
  for (const results::table& each : made.tables) std::cout << results::to_text(each) << '\n';
  for (const std::string& each : made.verdicts) std::cout << each << "\n\n";
  std::cout << made.guide
            << fmt::format("\nWritten: {}\n         {}\n", kept.json_file().string(),
                           kept.markdown_file().string());
  const auto failed = std::count_if(results.begin(), results.end(),
                                    [](const cell_result& each) { return !each.failure.empty(); });
  if (failed == 0) return 0;
  std::cout.flush();
  std::cerr << fmt::format("stealbench: {} of {} cells did not finish\n", failed, results.size());
  return 1;
}

}  // namespace

void declare_sweep_options(CLI::App& command, std::string_view kind, sweep_request& asked) {
  command
      .add_option("--budget", asked.budget_seconds,
                  fmt::format("Time for all rounds, 1 to {} s; one round is measured in any case",
                              most_budget_seconds))
      ->capture_default_str();
  command
      .add_option("--target", asked.target_percent,
                  "Stop before that when every median is known to within so many percent")
      ->capture_default_str();
  command.add_option(
      "--rounds", asked.rounds,
      fmt::format("Times that each point is measured, 1 to {}, whatever the budget", most_rounds));
  command
      .add_option("--timeout", asked.timeout_seconds,
                  fmt::format("Longest time for one process, 1 to {} s", most_timeout_seconds))
      ->capture_default_str();
  command
      .add_option("--output", asked.output,
                  fmt::format("Folder for {0}.json and {0}.md; earlier ones are replaced", kind))
      ->capture_default_str();
  command.add_option("--seed", asked.seed, "Of the order within the rounds (default: random)");
}

plan plan_without_cells(const sweep_request& asked) {
  return {.cells = {},
          .until = parse_stopping_rule(asked.rounds, asked.target_percent, asked.budget_seconds),
          .timeout = parse_timeout(asked.timeout_seconds),
          .seed = parse_seed(asked.seed),
          .counts = false};
}

int measure_sweep(plan what, const sweep_request& asked, record& kept, const account_of& account) {
  describe(what, asked, kept);
  std::cerr << fmt::format("{} cells, seed {}\n", what.cells.size(), what.seed);
  unsigned most_workers = 1;
  for (const cell& each : what.cells) most_workers = std::max(most_workers, each.workers);
  std::vector<host_check> checks = checks_before(most_workers);
  std::cerr << text_of(checks);
  kept.describe("host_checks", json_of(checks));
  kept.describe("energy", energy_of());
  const auto processors_before = processor_time_of();
  try {
    comparison under_way(std::move(what), kept);
    under_way.run();
    checks.push_back(steal_time_between(processors_before, processor_time_of()));
    kept.describe("host_checks", json_of(checks));
    return finish(under_way.results(), kept, account);
  } catch (const interrupted&) {
    std::cerr << "Interrupted. "
              << (kept.is_saved()
                      ? fmt::format("What was measured is in {}.\n", kept.json_file().string())
                      : "Nothing was measured.\n");
    throw;
  }
}

}  // namespace stealbench::compare
