// `stealbench merge`: runs of several machines or commits beside each other.
#include <filesystem>
#include <iostream>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "bench/driver/commands.hpp"
#include "bench/driver/experiments/report.hpp"
#include "results/sections/sections.hpp"
#include "results/system/whole_file.hpp"
#include "workloads/kit/parameters.hpp"

namespace stealbench::driver {
namespace {

struct merge_request {
  std::vector<std::filesystem::path> runs;
  std::filesystem::path output = "stealbench-merged";
  double threshold_percent = 3;
};

int merge(const merge_request& chosen) {
  std::vector<dataset::measurements> runs;
  for (const std::filesystem::path& each : chosen.runs) {
    std::ranges::move(experiments::read_datasets(each), std::back_inserter(runs));
  }
  if (runs.size() < 2) {
    throw kit::bad_input(fmt::format("'{}' alone has nothing beside it; valid: two runs or more",
                                     chosen.runs.front().string()));
  }
  const report::document whole{
      "Runs side by side",
      sections::merged_sections(std::move(runs), chosen.threshold_percent / 100)};
  experiments::make_folder(chosen.output);
  system::write_atomically(chosen.output / "report.html", to_html(whole));
  system::write_atomically(chosen.output / "report.md", to_markdown(whole));
  std::cout << to_text(whole, report::standard_output())
            << fmt::format("Written: {0}/report.html\n         {0}/report.md\n",
                           chosen.output.string());
  return 0;
}

}  // namespace

void declare_merge(CLI::App& program, int& status) {
  const auto [command, chosen] = add_command(
      program, "merge",
      "Set runs of several machines or commits side by side in one report, and show what changed "
      "between runs on the same machine",
      merge, status);
  // Any number of them.
  add_dataset(command, "RUN", chosen.runs, "Experiments, two or more; of each")->expected(-1);
  cell::add_option(command, "--output", chosen.output, cell::takes::folder,
                   "Folder for report.html and report.md");
  cell::add_option(command, "--threshold", chosen.threshold_percent, cell::takes::percentage(),
                   "Smallest change of a median time that is reported [%]");
  cell::add_footer(
      command,
      "Values of two runs are never pooled: a rank is of one run, and a change is of two runs on "
      "the same machine, as `stealbench diff` finds it.\n\n"
      "Exit status: 0, 1 if a file could not be written, 2 for bad input.",
      {"laptop server", "monday/compare.jsonl tuesday/compare.jsonl --output week"});
}

}  // namespace stealbench::driver
