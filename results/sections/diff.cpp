#include "results/sections/diff.hpp"

#include <array>
#include <initializer_list>
#include <iterator>

#include "results/sections/parts.hpp"
#include "schedulers/input.hpp"

namespace stealbench::sections {
namespace {

using analysis::estimate_median;
using analysis::separation;
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
  // Nothing is known of one of which no process has finished yet.
  if (before.context().empty() || after.context().empty()) return;
  // Times of two machines say nothing of a change.
  const auto machine = changes_of(machine_keys, before.context(), after.context());
  if (machine.empty()) return;
  throw bad_input(fmt::format(
      "the machines differ: {}; valid: two that were measured on one machine", machine.front()));
}

/// What may be just what is compared, and may be an oversight.
std::vector<std::string> warnings_about(const measurements& before, const measurements& after) {
  std::vector<std::string> warnings =
      changes_of({"compiler", "flags", "build_type", "kernel", "governor", "environment"},
                 before.context(), after.context());
  std::ranges::move(
      changes_of({"size", "pin"}, before.header().at("settings"), after.header().at("settings")),
      std::back_inserter(warnings));
  if (before.is_simulated() && after.is_simulated()) {
    const json old_profile = costs_of(before.header().at("about"));
    const json new_profile = costs_of(after.header().at("about"));
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
  cell_change seen{.cell = benchmark_in(before),
                   .found = change::none,
                   .before = time_of(before),
                   .after = time_of(after),
                   .ratio = {},
                   .failure = has_finished(after) ? "" : reason_of(after)};
  const auto is_measured = [](const measured_cell& cell) {
    return has_finished(cell) || !cell.failure.empty();
  };
  if (!is_measured(before) || !is_measured(after)) {
    seen.found = change::unknown;
  } else if (seen.before.has_value() != seen.after.has_value()) {
    seen.found = seen.before ? change::slower : change::faster;
  }
  return seen;
}

/// In the order of the enumerators.
constexpr std::array change_words{"", "not told apart yet", "slower", "faster"};

/// What the two are called.
std::array<std::string, 2> names_of(const difference& found) {
  if (found.rounds == rounds_are::shared) return {"A", "B"};
  return {"old", "new"};
}

}  // namespace

json costs_of(const json& about) {
  json profile = about.at("profile");
  profile.erase("accuracy");
  return profile;
}

difference difference_between(const measurements& before, const measurements& after,
                              double threshold, rounds_are rounds) {
  expect_comparable(before, after);
  difference found;
  std::vector<separation::table> times;  // Old and new ones of each cell; none if one failed.
  for (const measured_cell& each : before.cells()) {
    const auto place = after.place_of(each.which);
    if (!place) {
      found.only_before.push_back(name_of(each.which));
      continue;
    }
    const measured_cell& same = after.cells()[*place];
    cell_change& seen = found.cells.emplace_back(change_of(each, same));
    separation::table& both = times.emplace_back();
    if (!seen.before || !seen.after) continue;
    both = {values_of(each, metric::seconds), values_of(same, metric::seconds)};
    seen.ratio = rounds == rounds_are::shared
                     ? analysis::paired_ratio(&same, &each, diff_confidence)
                     : analysis::estimate_unpaired_ratio(both[1], both[0], diff_confidence);
  }
  for (const measured_cell& each : after.cells()) {
    if (!before.place_of(each.which)) found.only_after.push_back(name_of(each.which));
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
  found.rounds = rounds;
  return found;
}

report::table table_of(const difference& found, bool all) {
  const auto [before, after] = names_of(found);
  const bool has_ranges = all && std::ranges::any_of(found.cells, [](const cell_change& each) {
                            return each.found == change::unknown && each.ratio;
                          });
  const std::string kind =
      has_ranges ? fmt::format("99 %, below {} rounds the range", analysis::fewest_for_interval)
                 : "99 %";
  report::table table{"",
                      {{"benchmark", alignment::left},
                       {before, alignment::left},
                       {after, alignment::left},
                       {fmt::format("{} ÷ {} [{}]", after, before, kind), alignment::left},
                       {"change", alignment::left}}};
  for (const cell_change& each : found.cells) {
    if (!all && (each.found == change::none || each.found == change::unknown)) continue;
    std::string word = change_words.at(static_cast<std::size_t>(each.found));
    if (!each.failure.empty()) word += fmt::format("{}({})", word.empty() ? "" : " ", each.failure);
    const auto time = [](const auto& seconds) {
      return seconds ? report::seconds_with_interval(seconds) : "DNF";
    };
    table.rows.push_back({each.cell, time(each.before), time(each.after),
                          report::ratio_with_interval(each.ratio), word});
  }
  return table;
}

std::string summary_of(const difference& found, double threshold) {
  const auto count = [&](change which) {
    return std::ranges::count(found.cells, which, &cell_change::found);
  };
  std::string text = fmt::format(
      "{}: {} slower, {} faster, {} without a significant change of more than {:g} %.\n",
      report::counted(found.cells.size(), "benchmark"), count(change::slower),
      count(change::faster), count(change::none), 100 * threshold);
  if (const auto unknown = count(change::unknown); unknown > 0) {
    text += fmt::format(
        "{} not told apart yet: that needs {} rounds on either side (--rounds {}), and a change of "
        "theirs counts as none.\n",
        report::counted(static_cast<std::size_t>(unknown), "benchmark"),
        analysis::fewest_for_interval, analysis::fewest_for_interval);
  }
  std::vector<double> ratios;
  std::size_t undecided = 0;
  for (const cell_change& each : found.cells) {
    if (!each.ratio) continue;
    const double ratio = ratios.emplace_back(each.ratio->median);
    const bool is_far = std::max(ratio, 1 / ratio) > 1 + threshold;
    undecided += each.found == change::none && is_far ? 1U : 0U;
  }
  if (undecided > 0) {
    text += fmt::format(
        "{} of these {} by more than that, but the rounds are too few or too far apart to tell: "
        "unchanged is not shown.\n",
        undecided, undecided == 1 ? "differs" : "differ");
  }
  if (ratios.empty()) return text;
  const auto [before, after] = names_of(found);
  return text + fmt::format("Geometric mean of {} ÷ {} ({} that finished in both): {}\n", after,
                            before, report::counted(ratios.size(), "benchmark"),
                            report::ratio(analysis::geometric_mean(ratios)));
}

}  // namespace stealbench::sections
