#include "results/sections/diff.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/driver/commands.hpp"
#include "bench/driver/experiments/report.hpp"
#include "results/sections/sections.hpp"
#include "workloads/kit/parameters.hpp"

namespace stealbench::driver {
namespace {

using dataset::measurements;

struct diff_request {
  std::filesystem::path before;
  std::filesystem::path after;
  double threshold_percent = 3;
  bool all = false;
};

void print_missing(const char* what, const char* where, const std::vector<std::string>& names) {
  if (names.empty()) return;
  constexpr std::size_t most_named = 4;
  std::cerr << fmt::format("{} only in the {} dataset: {}\n", report::counted(names.size(), what),
                           where, report::on_one_line(report::joined(names, most_named)));
}

/// The experiments that the other one lacks.
std::vector<std::string> missing_in(const std::vector<measurements>& other,
                                    const std::vector<measurements>& all) {
  std::vector<std::string> names;
  for (const measurements& each : all) {
    if (std::ranges::count(other, each.experiment(), &measurements::experiment) == 0) {
      names.push_back(each.experiment());
    }
  }
  return names;
}

/// Whether a cell has become slower.
bool print(const sections::difference& found, const std::string& machine,
           const diff_request& chosen) {
  for (const std::string& each : found.warnings)
    std::cerr << fmt::format("Warning: {}\n", report::on_one_line(each));
  print_missing("benchmark", "old", found.only_before);
  print_missing("benchmark", "new", found.only_after);
  report::table shown = sections::table_of(found, chosen.all);
  shown.origin = machine;
  if (!shown.rows.empty()) std::cout << to_text(shown, report::standard_output()) << '\n';
  std::cout << sections::summary_of(found, chosen.threshold_percent / 100);
  return std::ranges::count(found.cells, sections::change::slower, &sections::cell_change::found) >
         0;
}

int diff(const diff_request& chosen) {
  const std::vector<measurements> before = experiments::read_datasets(chosen.before);
  const std::vector<measurements> after = experiments::read_datasets(chosen.after);
  bool is_slower = false;
  bool has_pair = false;
  for (const measurements& each : before) {
    const auto same = std::ranges::find(after, each.experiment(), &measurements::experiment);
    if (same == after.end()) continue;
    has_pair = true;
    if (before.size() > 1) std::cout << report::on_one_line(each.experiment()) << '\n';
    if (each.is_simulated())
      std::cout << report::on_one_line(sections::simulation_note(each)) << '\n';
    const double threshold = chosen.threshold_percent / 100;
    is_slower |= print(sections::difference_between(each, *same, threshold),
                       sections::machine_note(each), chosen);
  }
  if (!has_pair) {
    throw kit::bad_input(fmt::format(
        "'{}' and '{}' have no experiment in common; valid: two datasets of the same experiment",
        chosen.before.string(), chosen.after.string()));
  }
  print_missing("experiment", "old", missing_in(after, before));
  print_missing("experiment", "new", missing_in(before, after));
  return is_slower ? 1 : 0;
}

}  // namespace

void declare_diff(CLI::App& program, int& status) {
  const auto [command, chosen] =
      add_command(program, "diff",
                  "Compare two runs of an experiment on the same machine and show what has changed",
                  diff, status);
  add_dataset(command, "OLD", chosen.before, "The earlier experiment");
  add_dataset(command, "NEW", chosen.after, "The later experiment");
  cell::add_option(command, "--threshold", chosen.threshold_percent, cell::takes::percentage(),
                   "Smallest change of a median time that is reported [%]");
  command.add_flag("--all", chosen.all, "Show unchanged benchmarks too");
  cell::add_footer(
      command,
      "A benchmark has changed if its median time differs by more than the threshold and a test "
      "shows that its times differ: where nothing has changed, at most 5 % of pairs of runs have "
      "one. "
      "With fewer than six rounds in a run, a benchmark is not told apart yet. One that no longer "
      "finishes counts as slower.\n\n"
      "Exit status: 0 if no benchmark is shown to be slower, also where they are not told apart "
      "yet, "
      "1 if one is, 2 for bad input.",
      {"old new", "old/micro.jsonl new/micro.jsonl --threshold 10"});
}

}  // namespace stealbench::driver
