#include "bench/compare/diff.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/compare/names.hpp"
#include "results/report/format.hpp"
#include "workloads/parameters.hpp"

namespace stealbench::compare {
namespace {

using analysis::estimate;
using nlohmann::ordered_json;
using report::alignment;

std::string text_at(const ordered_json& context, const char* key) {
  const auto found = context.find(key);
  if (found == context.end()) return "unknown";
  return found->is_string() ? found->get<std::string>() : found->dump();
}

/// Times of two machines say nothing of a change.
void expect_same_machine(const document& before, const document& after) {
  for (const char* const key : {"processor", "num_cpus"}) {
    const std::string old_value = text_at(before.context, key);
    const std::string new_value = text_at(after.context, key);
    if (old_value == new_value) continue;
    throw workloads::bad_input(
        fmt::format("the machines differ: {} was {}, and is {}; valid: two comparisons that were "
                    "made on one machine",
                    key, old_value, new_value));
  }
}

/// What may be just what is compared, and may be an oversight.
std::vector<std::string> warnings_about(const document& before, const document& after) {
  constexpr std::array keys{"compiler", "flags", "build_type", "kernel", "governor", "size"};
  std::vector<std::string> warnings;
  for (const char* const key : keys) {
    const std::string old_value = text_at(before.context, key);
    const std::string new_value = text_at(after.context, key);
    if (old_value == new_value) continue;
    warnings.push_back(fmt::format("{} was {}, and is {}", key, old_value, new_value));
  }
  for (const document* each : {&before, &after}) {
    if (each->context.value("finished", true)) continue;
    warnings.push_back(fmt::format("{} is not finished", each->file.filename().string()));
  }
  return warnings;
}

std::optional<estimate> time_of(const cell_result& of) {
  if (!has_finished(of)) return {};
  return analysis::estimate_median(values_of(of, &sample::seconds));
}

change judge(const cell_change& of, double threshold) {
  if (!of.ratio) {
    if (of.before && !of.after) return change::slower;
    return of.after && !of.before ? change::faster : change::none;
  }
  const auto& [ratio, around] = *of.ratio;
  if (around.low > 1 && ratio > 1 + threshold) return change::slower;
  if (around.high < 1 && ratio < 1 / (1 + threshold)) return change::faster;
  return change::none;
}

cell_change change_of(const cell_result& before, const cell_result& after, double threshold) {
  cell_change made{.cell = name_of(before.which),
                   .found = change::none,
                   .before = time_of(before),
                   .after = time_of(after),
                   .ratio = {},
                   .failure = after.failure};
  if (made.before && made.after) {
    made.ratio = analysis::estimate_unpaired_ratio(
        values_of(after, &sample::seconds), values_of(before, &sample::seconds), diff_confidence);
  }
  made.found = judge(made, threshold);
  return made;
}

const char* word_of(change found) {
  constexpr std::array words{"", "slower", "faster"};
  return words.at(static_cast<std::size_t>(found));
}

std::string time_or_failure(const std::optional<estimate>& time) {
  return time ? report::seconds_with_interval(time) : "DNF";
}

struct diff_request {
  std::filesystem::path before;
  std::filesystem::path after;
  std::string threshold_percent = "3";
  bool all = false;
};

/// Of a file, or of the comparison in a folder.
document comparison_at(const std::filesystem::path& where) {
  std::error_code ignored;
  const bool is_folder = std::filesystem::is_directory(where, ignored);
  return read_document(is_folder ? where / "comparison.json" : where, "comparison");
}

int diff(const diff_request& asked) {
  const double threshold = parse_percent("threshold", asked.threshold_percent) / 100;
  const document before = comparison_at(asked.before);
  const document after = comparison_at(asked.after);
  const difference found = difference_between(before, after, threshold);
  for (const std::string& each : found.warnings) {
    std::cerr << fmt::format("Warning: {}\n", each);
  }
  const auto list_missing = [](const char* where, const std::vector<std::string>& cells) {
    constexpr std::size_t most_named = 4;
    if (cells.empty()) return;
    const std::vector<std::string> named(
        cells.begin(),
        cells.begin() + static_cast<std::ptrdiff_t>(std::min(cells.size(), most_named)));
    std::cerr << fmt::format("{} cells are only in the {} one: {}{}\n", cells.size(), where,
                             fmt::join(named, ", "), named.size() < cells.size() ? ", …" : "");
  };
  list_missing("old", found.only_before);
  list_missing("new", found.only_after);
  const report::table shown = table_of(found, asked.all);
  if (!shown.rows.empty()) std::cout << report::to_text(shown) << '\n';
  std::cout << summary_of(found, threshold);
  return std::any_of(found.cells.begin(), found.cells.end(),
                     [](const cell_change& each) { return each.found == change::slower; })
             ? 1
             : 0;
}

}  // namespace

difference difference_between(const document& before, const document& after, double threshold) {
  expect_same_machine(before, after);
  std::map<std::string, const cell_result*> of_after;
  for (const cell_result& each : after.cells) of_after.emplace(name_of(each.which), &each);
  difference found;
  for (const cell_result& each : before.cells) {
    const auto same = of_after.find(name_of(each.which));
    if (same == of_after.end()) {
      found.only_before.push_back(name_of(each.which));
      continue;
    }
    found.cells.push_back(change_of(each, *same->second, threshold));
    of_after.erase(same);
  }
  for (const cell_result& each : after.cells) {
    if (of_after.contains(name_of(each.which))) found.only_after.push_back(name_of(each.which));
  }
  if (found.cells.empty()) {
    throw workloads::bad_input(
        "the two comparisons have no cell in common; valid: two that measured some of the same "
        "schedulers, workloads and worker counts");
  }
  found.warnings = warnings_about(before, after);
  return found;
}

report::table table_of(const difference& found, bool all) {
  report::table made{"",
                     {{"cell", alignment::left},
                      {"old", alignment::left},
                      {"new", alignment::left},
                      {"new ÷ old [99 %]", alignment::left},
                      {"change", alignment::left}},
                     {}};
  for (const cell_change& each : found.cells) {
    if (!all && each.found == change::none) continue;
    std::string word = word_of(each.found);
    if (!each.failure.empty()) word += fmt::format(" ({})", each.failure);
    made.rows.push_back({each.cell, time_or_failure(each.before), time_or_failure(each.after),
                         report::ratio_with_interval(each.ratio), word});
  }
  return made;
}

std::string summary_of(const difference& found, double threshold) {
  const auto count = [&](change which) {
    return std::count_if(found.cells.begin(), found.cells.end(),
                         [=](const cell_change& each) { return each.found == which; });
  };
  std::string text = fmt::format(
      "{} cells: {} slower, {} faster, {} without a significant change of more than {:g} %.\n",
      found.cells.size(), count(change::slower), count(change::faster), count(change::none),
      100 * threshold);
  std::vector<double> ratios;
  for (const cell_change& each : found.cells) {
    if (each.ratio) ratios.push_back(each.ratio->median);
  }
  if (ratios.empty()) return text;
  return text + fmt::format("Geometric mean of new ÷ old over the {} that finished in both: {}\n",
                            ratios.size(), report::ratio(analysis::geometric_mean(ratios)));
}

void declare_diff(CLI::App& program, int& status) {
  const auto asked = std::make_shared<diff_request>();
  CLI::App* const command =
      program.add_subcommand("diff", "What has changed between two comparisons of one machine");
  command->add_option("OLD", asked->before, "A comparison.json, or the folder that it is in")
      ->required();
  command->add_option("NEW", asked->after, "Likewise")->required();
  command
      ->add_option("--threshold", asked->threshold_percent,
                   "Changes that are not greater are not shown and not counted, percent")
      ->capture_default_str();
  command->add_flag("--all", asked->all, "Show the cells that have not changed, too");
  command->callback([asked, &status] { status = diff(*asked); });
  command->footer(
      "A cell has changed if the 99 % interval of its ratio leaves out 1 and the ratio differs "
      "from "
      "1 by more than the threshold; one that has come not to finish is slower. Exit status: 0 if "
      "none has become slower, 1 if one has, 2 for bad input.");
}

}  // namespace stealbench::compare
