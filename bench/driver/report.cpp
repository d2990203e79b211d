#include "bench/driver/experiments/report.hpp"

#include <iostream>
#include <memory>
#include <system_error>

#include "bench/driver/commands.hpp"

namespace stealbench::driver {

namespace fs = std::filesystem;

void declare_report(CLI::App& program, int& status) {
  struct request {
    fs::path folder;
    fs::path output;
    bool plots = false;
    bool summary = false;
  };
  const auto chosen = std::make_shared<request>();
  CLI::App* const command = program.add_subcommand(
      "report", "Write a page, tables and CSV files from what experiments have measured");
  command
      ->add_option("FOLDER", chosen->folder, "The --output of one or more experiments, or a file")
      ->required();
  command->add_option("--output", chosen->output,
                      "Folder for report.html and the .md and .csv files (default: FOLDER)");
  command->add_flag("--plots", chosen->plots,
                    "Write each plot also as a file of its own, plots/NAME.svg");
  command->add_flag("--summary", chosen->summary,
                    "Print verdicts and ranks as Markdown, and write nothing");
  command->callback([chosen, &status] {
    if (chosen->summary) {
      std::cout << summary_in_markdown(
          experiments::report_on(experiments::read_datasets(chosen->folder)));
    } else {
      std::error_code error;
      const bool is_folder = fs::is_directory(chosen->folder, error);
      const fs::path beside =
          is_folder ? chosen->folder : fs::absolute(chosen->folder).parent_path();
      experiments::write_report(chosen->folder, chosen->output.empty() ? beside : chosen->output,
                                chosen->plots);
    }
    status = 0;
  });
  command->footer(
      "Examples:\n"
      "  stealbench report build/compare/comparison\n"
      "  stealbench report --summary results/reference/2026-11-22\n"
      "The page is one file that loads nothing. gnuplot draws its plots. Exit status: 0 if all was "
      "written, 1 if a file could not be written or a plot not be drawn, 2 for bad input.");
}

}  // namespace stealbench::driver
