#include "bench/compare/micro.hpp"

#include <memory>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/cell/program.hpp"
#include "bench/compare/micro_table.hpp"
#include "bench/compare/record.hpp"
#include "bench/costs/catalogue.hpp"

namespace stealbench::compare {
namespace {

using costs::figure_description;

std::vector<figure_description> chosen_figures(const std::string& text) {
  std::vector<std::string> names;
  if (text.empty()) {
    for (const figure_description& each : costs::figures()) names.emplace_back(each.name);
  } else {
    names = without_repetitions(split_list(text));
  }
  std::vector<figure_description> chosen;
  chosen.reserve(names.size());
  for (const std::string& each : names) chosen.push_back(costs::find_figure(each));
  return chosen;
}

/// Without its settings.
std::string_view base_of(std::string_view scheduler) {
  return scheduler.substr(0, scheduler.find(':'));
}

int measure_micro(const micro_request& asked) {
  micro_plan made = plan_for(asked, installation::of_this_program());
  record kept(asked.series.output, earlier::replace, "micro");
  kept.describe("schedulers", fmt::format("{}", fmt::join(made.axes.schedulers, ",")));
  kept.describe("figures", fmt::format("{}", fmt::join(made.axes.figures, ",")));
  return measure_series(
      std::move(made.what), asked.series, kept,
      [&](const std::vector<cell_result>& results, const nlohmann::ordered_json& /*context*/) {
        return series_account{.title = "Micro-figures",
                              .tables = {micro_table(results, made.axes)},
                              .verdicts = {},
                              .guide = micro_guide(results, made.axes)};
      });
}

}  // namespace

micro_plan plan_for(const micro_request& asked, const installation& here) {
  const std::vector<figure_description> figures = chosen_figures(asked.figures);
  micro_plan made{.what = plan_without_cells(asked.series), .axes = {}};
  for (const figure_description& each : figures) made.axes.figures.emplace_back(each.name);
  for (const runnable& each : chosen_schedulers(asked.schedulers, here)) {
    if (each.name == stealbench::cell::reference_name) {
      throw workloads::bad_input(fmt::format("{} is plain code that has no figures; valid: {}",
                                             each.name, fmt::join(here.built(), ", ")));
    }
    made.axes.schedulers.push_back(each.name);
    for (const figure_description& of : figures) {
      if (!costs::why_not_applicable(of, base_of(each.name)).empty()) continue;
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
                    costs::why_not_applicable(figures.front(), base_of(made.axes.schedulers[0]))));
  }
  return made;
}

void declare_micro(CLI::App& program, const std::vector<std::string>& arguments, int& status) {
  const auto asked = std::make_shared<micro_request>();
  CLI::App* const command = program.add_subcommand(
      "micro", "Measure what a fork, a spawn, a steal, a wake-up and so on cost");
  std::vector<std::string_view> names;
  for (const figure_description& each : costs::figures()) names.push_back(each.name);
  command->add_option(
      "--schedulers", asked->schedulers,
      "Separated by commas, with settings as in `run` (default: all that are built)");
  command->add_option(
      "--figures", asked->figures,
      fmt::format("Separated by commas (default: all): {}", fmt::join(names, ", ")));
  declare_series_options(*command, "micro", asked->series);
  command->callback([asked, arguments, &status] {
    asked->series.command = fmt::format("stealbench {}", fmt::join(arguments, " "));
    status = measure_micro(*asked);
  });
  command->footer(
      "A process takes less than a second, and some seconds where the machine has other work to "
      "do. Exit status: 0 if all finished, 1 if one did not or a file could not be written, 2 for "
      "bad input, found before any ran.");
}

}  // namespace stealbench::compare
