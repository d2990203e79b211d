#include "bench/compare/micro.hpp"

#include <algorithm>
#include <iostream>
#include <memory>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/compare/comparison.hpp"
#include "bench/compare/host.hpp"
#include "bench/compare/micro_table.hpp"
#include "bench/compare/process.hpp"
#include "bench/compare/record.hpp"
#include "bench/compare/tables.hpp"
#include "bench/figures/catalogue.hpp"
#include "bench/program.hpp"

namespace stealbench::compare {
namespace {

using bench::figure_description;

std::vector<figure_description> chosen_figures(const std::string& text) {
  std::vector<std::string> names;
  if (text.empty()) {
    for (const figure_description& each : bench::figures()) names.emplace_back(each.name);
  } else {
    names = without_repetitions(split_list(text));
  }
  std::vector<figure_description> chosen;
  chosen.reserve(names.size());
  for (const std::string& each : names) chosen.push_back(bench::find_figure(each));
  return chosen;
}

/// Without its settings.
std::string_view base_of(std::string_view scheduler) {
  return scheduler.substr(0, scheduler.find(':'));
}

void describe(const micro_plan& made, const std::string& command, record& into) {
  into.describe("command", command);
  into.describe("schedulers", fmt::format("{}", fmt::join(made.axes.schedulers, ",")));
  into.describe("figures", fmt::format("{}", fmt::join(made.axes.figures, ",")));
  into.describe("rounds", made.what.until.rounds.value_or(0));
  into.describe("timeout_seconds", made.what.timeout.count());
  into.describe("seed", made.what.seed);
  into.describe("energy", "not measured: the runs are too short");
  into.describe("finished", false);
}

std::string markdown_of(const results::table& made, std::string_view guide,
                        const nlohmann::ordered_json& context) {
  std::string text = "# Micro-figures\n\n" + results::to_markdown(made) + "\n";
  std::istringstream lines{std::string(guide)};
  for (std::string line; std::getline(lines, line);) text += "- " + line + "\n";
  return text + "\n## Provenance\n\n" + results::to_markdown(provenance_of(context));
}

int finish(const std::vector<cell_result>& results, const micro_axes& axes, record& kept) {
  const results::table made = micro_table(results, axes);
  const std::string guide = micro_guide(results, axes);
  kept.save_tables(markdown_of(made, guide, kept.document()["context"]));
  kept.describe("finished", true);
  kept.save();
  std::cout << results::to_text(made) << '\n'
            << guide
            << fmt::format("\nWritten: {}\n         {}\n", kept.json_file().string(),
                           kept.markdown_file().string());
  const auto failed = std::count_if(results.begin(), results.end(),
                                    [](const cell_result& each) { return !each.failure.empty(); });
  if (failed == 0) return 0;
  std::cout.flush();
  std::cerr << fmt::format("stealbench: {} of {} cells did not finish\n", failed, results.size());
  return 1;
}

int measure(const micro_request& asked, const std::string& command) {
  micro_plan made = plan_for(asked, installation::of_this_program());
  plan& what = made.what;
  unsigned most_workers = 0;
  for (const cell& each : what.cells) most_workers = std::max(most_workers, each.workers);
  record kept(asked.output, earlier::replace, "micro");
  describe(made, command, kept);
  std::vector<host_check> checks = checks_before(most_workers);
  kept.describe("host_checks", json_of(checks));
  std::cerr << fmt::format("{} cells, {} rounds, seed {}\n", what.cells.size(),
                           what.until.rounds.value_or(0), what.seed)
            << text_of(checks);
  const auto processors_before = processor_time_of();
  try {
    comparison under_way(std::move(what), kept);
    under_way.run();
    checks.push_back(steal_time_between(processors_before, processor_time_of()));
    kept.describe("host_checks", json_of(checks));
    return finish(under_way.results(), made.axes, kept);
  } catch (const interrupted&) {
    std::cerr << "Interrupted. "
              << (kept.is_saved()
                      ? fmt::format("What was measured is in {}.\n", kept.json_file().string())
                      : "Nothing was measured.\n");
    throw;
  }
}

}  // namespace

micro_plan plan_for(const micro_request& asked, const installation& here) {
  const std::vector<figure_description> figures = chosen_figures(asked.figures);
  micro_plan made{
      .what = {.cells = {},
               .until = {.rounds = parse_whole_number("rounds", asked.rounds, 1, most_rounds)},
               .timeout = parse_timeout(asked.timeout_seconds),
               .seed = parse_seed(asked.seed),
               .counts = false},
      .axes = {}};
  for (const figure_description& each : figures) made.axes.figures.emplace_back(each.name);
  for (const runnable& each : chosen_schedulers(asked.schedulers, here)) {
    if (each.name == bench::reference_name) {
      throw workloads::bad_input(fmt::format("{} is plain code that has no figures; valid: {}",
                                             each.name, fmt::join(here.built(), ", ")));
    }
    made.axes.schedulers.push_back(each.name);
    for (const figure_description& of : figures) {
      if (!bench::why_not_applicable(of, base_of(each.name)).empty()) continue;
      made.what.cells.push_back({each.name,
                                 each.executable,
                                 {std::string(of.name), {}},
                                 of.workers,
                                 /*is_figure=*/true});
    }
  }
  if (made.what.cells.empty()) {
    throw workloads::bad_input(
        fmt::format("{} has no {}: {}; valid: other schedulers or other figures",
                    fmt::join(made.axes.schedulers, ", "), fmt::join(made.axes.figures, ", "),
                    bench::why_not_applicable(figures.front(), base_of(made.axes.schedulers[0]))));
  }
  return made;
}

void declare_micro(CLI::App& program, const std::vector<std::string>& arguments, int& status) {
  const auto asked = std::make_shared<micro_request>();
  CLI::App* const command = program.add_subcommand(
      "micro", "Measure what a fork, a spawn, a steal, a wake-up and so on cost");
  std::vector<std::string_view> names;
  for (const figure_description& each : bench::figures()) names.push_back(each.name);
  command->add_option(
      "--schedulers", asked->schedulers,
      "Separated by commas, with settings as in `run` (default: all that are built)");
  command->add_option(
      "--figures", asked->figures,
      fmt::format("Separated by commas (default: all): {}", fmt::join(names, ", ")));
  command
      ->add_option("--rounds", asked->rounds,
                   fmt::format("Processes for each scheduler and figure, 1 to {}", most_rounds))
      ->capture_default_str();
  command
      ->add_option("--timeout", asked->timeout_seconds,
                   fmt::format("Longest time for one process, 1 to {} s", most_timeout_seconds))
      ->capture_default_str();
  command
      ->add_option("--output", asked->output,
                   "Folder for micro.json and micro.md; earlier ones are replaced")
      ->capture_default_str();
  command->add_option("--seed", asked->seed, "Of the order within the rounds (default: random)");
  command->callback([asked, arguments, &status] {
    status = measure(*asked, fmt::format("stealbench {}", fmt::join(arguments, " ")));
  });
  command->footer(
      "A process takes less than a second, and some seconds where the machine has other work to "
      "do. Exit status: 0 if all finished, 1 if one did not or a file could not be written, 2 for "
      "bad input, found before any ran.");
}

}  // namespace stealbench::compare
