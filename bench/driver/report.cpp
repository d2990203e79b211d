#include "bench/driver/experiments/report.hpp"

#include <iostream>
#include <system_error>

#include <fmt/format.h>

#include "bench/driver/commands.hpp"
#include "results/sections/sections.hpp"
#include "workloads/kit/parameters.hpp"

namespace stealbench::driver {
namespace {

namespace fs = std::filesystem;

struct report_request {
  fs::path folder;
  fs::path output;
  bool plots = false;
  bool summary = false;
  bool regret = false;
};

int make_report(const report_request& chosen) {
  if (chosen.summary) {
    std::cout << summary_in_markdown(
        experiments::report_on(experiments::read_datasets(chosen.folder)));
    return 0;
  }
  if (chosen.regret) {
    const auto all =
        experiments::with_machines(experiments::read_datasets(chosen.folder), chosen.folder);
    const auto found = sections::regret_sections(all);
    if (found.empty()) {
      throw kit::bad_input(fmt::format(
          "--regret: '{}' has fewer than three strategies in common; valid: three or more",
          chosen.folder.string()));
    }
    std::cout << summary_in_markdown(report::document{"", found});
    return 0;
  }
  std::error_code error;
  const bool is_folder = fs::is_directory(chosen.folder, error);
  const fs::path beside =
      is_folder ? chosen.folder : fs::absolute(chosen.folder, error).parent_path();
  experiments::write_report(chosen.folder, chosen.output.empty() ? beside : chosen.output,
                            chosen.plots);
  return 0;
}

}  // namespace

void declare_report(CLI::App& program, int& status) {
  const auto [command, chosen] =
      add_command(program, "report",
                  "Write the report of one or more experiments: a web page, Markdown and CSV",
                  make_report, status);
  add_dataset(command, "FOLDER", chosen.folder, "One experiment, or all of a folder");
  CLI::Option* const output =
      cell::add_option(command, "--output", chosen.output, cell::takes::folder,
                       "Folder for report.html and the .md and .csv files")
          ->default_str("the folder that is read");
  CLI::Option* const plots =
      command.add_flag("--plots", chosen.plots, "Also write each plot to a file, plots/NAME.svg");
  command
      .add_flag("--summary", chosen.summary,
                "Print only the verdicts and ranks, as Markdown. Write no file")
      ->excludes(plots)
      ->excludes(output);
  command
      .add_flag("--regret", chosen.regret,
                "Print only how far each strategy is from the best one, as Markdown. Write no file")
      ->excludes("--summary")
      ->excludes(plots)
      ->excludes(output);
  cell::add_footer(
      command,
      "report.html is self-contained and needs no network.\n\n"
      "Exit status: 0 if everything was written, 1 if a file could not be written, 2 for bad "
      "input.",
      {"build/compare/comparison", "--summary results/reference/2026-11-22/comparison"});
}

}  // namespace stealbench::driver
