#include "results/analysis/diff.hpp"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "schedulers/input.hpp"

namespace stealbench::analysis {
namespace {

using dataset::json;
using dataset::measured_cell;
using dataset::measurements;
using dataset::metric;
using dataset::text_at;
using schedulers::bad_input;

/// `KEY was OLD, and is NEW`, for each key whose values differ.
std::vector<std::string> changes_of(std::initializer_list<const char*> keys, const json& before,
                                    const json& after) {
  std::vector<std::string> changes;
  for (const char* const key : keys) {
    const std::string old_value = text_at(before, key);
    const std::string new_value = text_at(after, key);
    if (old_value == new_value) continue;
    changes.push_back(fmt::format("{} was {}, and is {}", key, old_value, new_value));
  }
  return changes;
}

void expect_comparable(const measurements& before, const measurements& after) {
  if (before.experiment() != after.experiment()) {
    throw bad_input(fmt::format("one is of the experiment {}, the other of {}; valid: two of one",
                                before.experiment(), after.experiment()));
  }
  // Times of two machines say nothing of a change.
  const auto machine = changes_of({"processor", "num_cpus"}, before.context(), after.context());
  if (machine.empty()) return;
  throw bad_input(fmt::format(
      "the machines differ: {}; valid: two that were measured on one machine", machine.front()));
}

/// What may be just what is compared, and may be an oversight.
std::vector<std::string> warnings_about(const measurements& before, const measurements& after) {
  std::vector<std::string> warnings = changes_of(
      {"compiler", "flags", "build_type", "kernel", "governor"}, before.context(), after.context());
  std::ranges::move(
      changes_of({"size"}, before.header().at("settings"), after.header().at("settings")),
      std::back_inserter(warnings));
  if (before.is_simulated() && after.is_simulated()) {
    const json& old_profile = before.header().at("about").at("profile");
    const json& new_profile = after.header().at("about").at("profile");
    if (old_profile != new_profile) {
      warnings.push_back(fmt::format("the profile was {}, and is {}, with other values",
                                     text_at(old_profile, "name"), text_at(new_profile, "name")));
    }
  }
  if (!before.is_finished()) warnings.emplace_back("the old one is not finished");
  if (!after.is_finished()) warnings.emplace_back("the new one is not finished");
  return warnings;
}

/// All but what the times of both say together.
cell_change change_of(const measured_cell& before, const measured_cell& after) {
  const auto time_of = [](const measured_cell& cell) -> std::optional<estimate> {
    if (!has_finished(cell)) return {};
    return estimate_median(values_of(cell, metric::seconds));
  };
  cell_change seen{.cell = name_of(before.which),
                   .found = change::none,
                   .before = time_of(before),
                   .after = time_of(after),
                   .ratio = {},
                   .failure = has_finished(after) ? "" : reason_of(after)};
  if (seen.before.has_value() != seen.after.has_value()) {
    seen.found = seen.before ? change::slower : change::faster;
  }
  return seen;
}

}  // namespace

difference difference_between(const measurements& before, const measurements& after,
                              double threshold) {
  expect_comparable(before, after);
  std::map<std::string, const measured_cell*> left_over;
  for (const measured_cell& each : after.cells()) left_over.emplace(name_of(each.which), &each);
  difference found;
  std::vector<separation::table> times;  // Old and new ones of each cell; none if one failed.
  for (const measured_cell& each : before.cells()) {
    const auto same = left_over.extract(name_of(each.which));
    if (same.empty()) {
      found.only_before.push_back(name_of(each.which));
      continue;
    }
    cell_change& seen = found.cells.emplace_back(change_of(each, *same.mapped()));
    separation::table& both = times.emplace_back();
    if (!seen.before || !seen.after) continue;
    both = {values_of(each, metric::seconds), values_of(*same.mapped(), metric::seconds)};
    seen.ratio = estimate_unpaired_ratio(both[1], both[0], diff_confidence);
  }
  for (const measured_cell& each : after.cells()) {
    if (left_over.contains(name_of(each.which))) found.only_after.push_back(name_of(each.which));
  }
  if (found.cells.empty()) {
    throw bad_input(
        "the two have no benchmark in common; valid: two that measured some of the same "
        "schedulers, workloads and worker counts");
  }
  const separation known(std::move(times));
  for (std::size_t i = 0; i < found.cells.size(); ++i) {
    cell_change& seen = found.cells[i];
    if (!seen.ratio) continue;
    const double ratio = seen.ratio->median;
    if (!known.ranks(i)) seen.found = change::unknown;
    if (known.is_slower(i, 1, 0) && ratio > 1 + threshold) seen.found = change::slower;
    if (known.is_slower(i, 0, 1) && ratio < 1 / (1 + threshold)) seen.found = change::faster;
  }
  found.warnings = warnings_about(before, after);
  return found;
}

}  // namespace stealbench::analysis
