#include "results/analysis/diff.hpp"

#include <map>

#include <fmt/format.h>

#include "schedulers/input.hpp"

namespace stealbench::analysis {
namespace {

using dataset::json;
using dataset::measured_cell;
using dataset::measurements;
using schedulers::bad_input;

using dataset::text_at;

void expect_comparable(const measurements& before, const measurements& after) {
  if (before.experiment() != after.experiment()) {
    throw bad_input(fmt::format("one is of the experiment {}, the other of {}; valid: two of one",
                                before.experiment(), after.experiment()));
  }
  // Times of two machines say nothing of a change.
  for (const char* const key : {"processor", "num_cpus"}) {
    const std::string old_value = text_at(before.context(), key);
    const std::string new_value = text_at(after.context(), key);
    if (old_value == new_value) continue;
    throw bad_input(
        fmt::format("the machines differ: {} was {}, and is {}; valid: two that were measured on "
                    "one machine",
                    key, old_value, new_value));
  }
}

/// What may be just what is compared, and may be an oversight.
std::vector<std::string> warnings_about(const measurements& before, const measurements& after) {
  std::vector<std::string> warnings;
  const auto compare = [&](const json& old_object, const json& new_object, const char* key) {
    const std::string old_value = text_at(old_object, key);
    const std::string new_value = text_at(new_object, key);
    if (old_value == new_value) return;
    warnings.push_back(fmt::format("{} was {}, and is {}", key, old_value, new_value));
  };
  for (const char* const key : {"compiler", "flags", "build_type", "kernel", "governor"}) {
    compare(before.context(), after.context(), key);
  }
  compare(before.header().at("settings"), after.header().at("settings"), "size");
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

std::optional<estimate> time_of(const measured_cell& cell) {
  if (!has_finished(cell)) return {};
  return estimate_median(values_of(cell, dataset::metric::seconds));
}

/// Without what the times say.
change judge_ending(const cell_change& seen) {
  if (seen.before && !seen.after) return change::slower;
  return seen.after && !seen.before ? change::faster : change::none;
}

/// All cells that finished in both: what they say together.
void judge_times(const std::vector<separation::table>& times,
                 const std::vector<std::size_t>& places, double threshold, difference& found) {
  const separation known(times);
  for (std::size_t i = 0; i < times.size(); ++i) {
    cell_change& seen = found.cells[places[i]];
    const double ratio = seen.ratio->median;
    if (!known.ranks(i)) {
      seen.found = change::unknown;
    } else if (known.is_slower(i, 1, 0) && ratio > 1 + threshold) {
      seen.found = change::slower;
    } else if (known.is_slower(i, 0, 1) && ratio < 1 / (1 + threshold)) {
      seen.found = change::faster;
    }
  }
}

cell_change change_of(const measured_cell& before, const measured_cell& after) {
  cell_change seen{.cell = name_of(before.which),
                   .found = change::none,
                   .before = time_of(before),
                   .after = time_of(after),
                   .ratio = {},
                   .failure = has_finished(after) ? "" : reason_of(after)};
  if (seen.before && seen.after) {
    seen.ratio =
        estimate_unpaired_ratio(values_of(after, dataset::metric::seconds),
                                values_of(before, dataset::metric::seconds), diff_confidence);
  }
  seen.found = judge_ending(seen);
  return seen;
}

}  // namespace

difference difference_between(const measurements& before, const measurements& after,
                              double threshold) {
  expect_comparable(before, after);
  std::map<std::string, const measured_cell*> left_over;
  for (const measured_cell& each : after.cells()) left_over.emplace(name_of(each.which), &each);
  difference found;
  std::vector<separation::table> times;
  std::vector<std::size_t> places;  // Of the cells that these are of.
  for (const measured_cell& each : before.cells()) {
    const auto same = left_over.find(name_of(each.which));
    if (same == left_over.end()) {
      found.only_before.push_back(name_of(each.which));
      continue;
    }
    if (has_finished(each) && has_finished(*same->second)) {
      places.push_back(found.cells.size());
      times.push_back({values_of(each, dataset::metric::seconds),
                       values_of(*same->second, dataset::metric::seconds)});
    }
    found.cells.push_back(change_of(each, *same->second));
    left_over.erase(same);
  }
  for (const measured_cell& each : after.cells()) {
    if (left_over.contains(name_of(each.which))) found.only_after.push_back(name_of(each.which));
  }
  if (found.cells.empty()) {
    throw bad_input(
        "the two have no benchmark in common; valid: two that measured some of the same "
        "schedulers, "
        "workloads and worker counts");
  }
  judge_times(times, places, threshold, found);
  found.warnings = warnings_about(before, after);
  return found;
}

}  // namespace stealbench::analysis
