#include "bench/compare/compare.hpp"

#include <exception>
#include <iostream>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/compare/plan.hpp"
#include "bench/compare/record.hpp"
#include "bench/compare/report.hpp"
#include "bench/compare/session.hpp"
#include "bench/compare/settings.hpp"

namespace stealbench::compare {
namespace {

using nlohmann::ordered_json;

int finish(const std::vector<cell_result>& results, record& kept,
           const std::string& command_to_go_on) {
  const std::filesystem::path folder = kept.json_file().parent_path();
  kept.describe("finished", true);  // Which the report says.
  kept.save();
  try {
    write_report(folder, folder);
  } catch (const std::exception&) {
    kept.describe("finished", false);  // So that a resume makes up for a missing report.
    kept.save();
    std::cerr << remains_of(kept, command_to_go_on);
    throw;
  }
  return status_of(results);
}

/// The plan, checked before the output folder is touched; of a comparison that is resumed, as it
/// was begun.
plan plan_of(compare_request& asked, const ordered_json& begun) {
  const installation here = installation::of_this_program();
  if (begun.is_null()) return plan_for(asked, here);
  asked = completed(asked, begun);
  plan what = plan_for(asked, here);
  expect_same_settings(begun, settings_of(asked, what));
  return what;
}

int compare(compare_request asked, const std::vector<std::string>& arguments) {
  plan what = plan_of(asked, nullptr);
  record kept(asked.output, asked.resume      ? earlier::resume
                            : asked.overwrite ? earlier::replace
                                              : earlier::keep);
  std::string command = fmt::format("stealbench {}", fmt::join(arguments, " "));
  if (asked.resume) {
    try {
      const ordered_json& begun = kept.begun().at("context");
      what = plan_of(asked, begun);
      begun.at("command").get_to(command);
      kept.describe("resumed", begun.value("resumed", 0) + 1);
    } catch (const nlohmann::json::exception& error) {
      refuse_to_resume(error.what());
    }
  }
  kept.describe("command", command);
  const ordered_json settings = settings_of(asked, what);
  for (const auto& [key, value] : settings.items()) kept.describe(key, value);
  kept.describe("finished", false);
  const std::string command_to_go_on =
      fmt::format("stealbench compare --resume --output {}", asked.output.string());
  return finish(measure_all(std::move(what), kept, command_to_go_on), kept, command_to_go_on);
}

}  // namespace

void declare_compare(CLI::App& program, const std::vector<std::string>& arguments, int& status) {
  const auto asked = std::make_shared<compare_request>();
  CLI::App* const command = program.add_subcommand(
      "compare", "Measure every scheduler on every workload, and print a table for each");
  command->add_option("--workloads", asked->workloads, "Separated by commas, or all")
      ->capture_default_str();
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
      ->add_option("--budget", asked->budget_seconds,
                   fmt::format("No round begins that would not fit into so much time by half, "
                               "1 to {} s",
                               most_budget_seconds))
      ->capture_default_str();
  command
      ->add_option("--target", asked->target_percent,
                   "No more rounds once half of every median's 95 % interval is at most so many "
                   "percent of it")
      ->capture_default_str();
  command->add_option("--rounds", asked->rounds,
                      fmt::format("In place of budget and target: measure each cell so many times, "
                                  "1 to {}",
                                  most_rounds));
  command
      ->add_option("--timeout", asked->timeout_seconds,
                   fmt::format("Longest time for one process, 1 to {} s", most_timeout_seconds))
      ->capture_default_str();
  command->add_option("--output", asked->output, "Folder for comparison.json and the report of it")
      ->capture_default_str();
  command->add_option("--seed", asked->seed, "Of the order within the rounds (default: random)");
  CLI::Option* const resume = command->add_flag(
      "--resume", asked->resume,
      "Go on with the unfinished comparison in the output folder, with the settings it began with");
  command
      ->add_flag("--overwrite", asked->overwrite,
                 "Replace an unfinished comparison in the output folder; without it one is kept, "
                 "and the exit status is 2")
      ->excludes(resume);
  command->callback([command, asked, arguments, &status] {
    for (const CLI::Option* each : command->get_options()) {
      if (each->count() > 0) asked->typed.push_back(each->get_name());
    }
    status = compare(*asked, arguments);
  });
  command->footer(
      "Every result is on disk before the next cell starts, so a comparison that is stopped, by "
      "whatever, can be resumed. Exit status: 0 if all cells finished, 1 if one did not or a file "
      "could not be written, 2 for bad input, found before any cell ran.");
}

}  // namespace stealbench::compare
