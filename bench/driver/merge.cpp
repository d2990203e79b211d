// `stealbench merge`: runs of several machines or commits beside each other.
#include <filesystem>
#include <iostream>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "bench/driver/commands.hpp"
#include "bench/driver/experiments/report.hpp"
#include "bench/driver/experiments/shares.hpp"
#include "results/sections/sections.hpp"
#include "results/system/whole_file.hpp"
#include "workloads/kit/parameters.hpp"

namespace stealbench::driver {
namespace {

int join(const merge_request& chosen) {
  experiments::join_shares(chosen.runs, chosen.output);
  experiments::write_report(chosen.output, chosen.output);
  const auto failed = [](const dataset::measurements& data) {
    return !std::ranges::all_of(data.cells(), dataset::has_finished);
  };
  return std::ranges::any_of(experiments::read_datasets(chosen.output), failed) ? 1 : 0;
}

}  // namespace

int merge(const merge_request& chosen) {
  std::vector<dataset::measurements> runs;
  for (const std::filesystem::path& each : chosen.runs) {
    std::ranges::move(experiments::read_datasets(each), std::back_inserter(runs));
  }
  if (std::ranges::any_of(runs, experiments::is_share)) return join(chosen);
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

void declare_merge(CLI::App& program, int& status) {
  const auto [command, chosen] = add_command(
      program, "merge",
      "Set runs of several machines or commits side by side in one report, and show what changed "
      "between runs on the same machine; or join the shares of a sweep",
      merge, status);
  // Any number of them; a comma is part of a path.
  add_dataset(command, "RUN", chosen.runs, "Experiments, two or more; of each")
      ->expected(-1)
      ->delimiter('\0');
  cell::add_option(command, "--output", chosen.output, cell::takes::folder,
                   "Folder for report.html and report.md");
  cell::add_option(command, "--threshold", chosen.threshold_percent, cell::takes::percentage(),
                   "Smallest change of a median time that is reported [%]");
  cell::add_footer(
      command,
      "Values of two runs are never pooled: a rank is of one run, and a change is of two runs on "
      "the same machine, as `stealbench diff` finds it. The shares of a sweep (`mpirun stealbench "
      "simulate`, a folder rank-N for each) become the raw file and the report of the whole.\n\n"
      "Exit status: 0, 1 if a benchmark of a sweep failed or a file could not be written, 2 for "
      "bad "
      "input.",
      {"laptop server", "monday/compare.jsonl tuesday/compare.jsonl --output week"});
}

}  // namespace stealbench::driver
