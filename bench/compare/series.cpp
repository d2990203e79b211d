#include "bench/compare/series.hpp"

#include <iostream>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "bench/compare/session.hpp"

namespace stealbench::compare {
namespace {

using nlohmann::ordered_json;

std::string as_markdown(const series_account& account, const ordered_json& context) {
  std::string text = fmt::format("# {}\n\n", account.title);
  for (const std::string& each : account.verdicts) text += each + "\n\n";
  for (const report::table& each : account.tables) text += report::to_markdown(each) + "\n";
  text += "## How to read it\n\n";
  std::istringstream lines(account.guide);
  for (std::string line; std::getline(lines, line);) text += "- " + line + "\n";
  return text + "\n## Provenance\n\n" + report::to_markdown(provenance_of(context));
}

void describe(const plan& what, const series_request& asked, record& into) {
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
  const series_account made = account(results, kept.document()["context"]);
  kept.save_tables(as_markdown(made, kept.document()["context"]));
  kept.describe("finished", true);
  kept.save();
  for (const report::table& each : made.tables) std::cout << report::to_text(each) << '\n';
  for (const std::string& each : made.verdicts) std::cout << each << "\n\n";
  std::cout << made.guide
            << fmt::format("\nWritten: {}\n         {}\n", kept.json_file().string(),
                           kept.markdown_file().string());
  return status_of(results);
}

}  // namespace

void declare_series_options(CLI::App& command, std::string_view kind, series_request& asked) {
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

plan plan_without_cells(const series_request& asked) {
  return {.cells = {},
          .until = parse_stopping_rule(asked.rounds, asked.target_percent, asked.budget_seconds),
          .timeout = parse_timeout(asked.timeout_seconds),
          .seed = parse_seed(asked.seed),
          .counts = false};
}

int measure_series(plan what, const series_request& asked, record& kept,
                   const account_of& account) {
  describe(what, asked, kept);
  const std::vector<cell_result> results = measure_all(std::move(what), kept);
  return finish(results, kept, account);
}

}  // namespace stealbench::compare
