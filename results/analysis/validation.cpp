#include "results/analysis/validation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "results/analysis/simulation.hpp"
#include "schedulers/input.hpp"

namespace stealbench::analysis {
namespace {

using dataset::text_at;
using schedulers::bad_input;

std::vector<std::string> doubts_about(const measurements& measured, const measurements& simulated) {
  std::vector<std::string> warnings;
  if (!is_same_machine(measured, simulated)) {
    warnings.push_back(
        fmt::format("the processor that was measured is {}, and the profile is of {}",
                    text_at(measured.context(), "processor"),
                    text_at(simulated.header().at("about").at("profile"), "processor")));
  }
  const std::string of_measured = text_at(measured.context(), "commit");
  const std::string of_simulated = text_at(simulated.context(), "commit");
  if (of_measured != of_simulated) {
    warnings.push_back(
        fmt::format("commit {} was measured, and {} simulated", of_measured, of_simulated));
  }
  if (!measured.is_finished()) warnings.emplace_back("the measurement is not finished");
  if (!simulated.is_finished()) warnings.emplace_back("the simulation is not finished");
  return warnings;
}

std::vector<scheduler_pair> pairs_in(const std::vector<validated_cell>& all) {
  std::vector<std::vector<std::size_t>> groups;  // Of one instance and worker count each.
  for (std::size_t at = 0; at < all.size(); ++at) {
    const auto place = std::ranges::find_if(groups, [&](const std::vector<std::size_t>& each) {
      const dataset::cell& first = all[each.front()].which;
      return first.what == all[at].which.what && first.workers == all[at].which.workers;
    });
    (place == groups.end() ? groups.emplace_back() : *place).push_back(at);
  }
  std::vector<separation::table> times;
  for (const auto& group : groups) {
    separation::table& rows = times.emplace_back();
    for (const std::size_t at : group) rows.push_back(all[at].rounds);
  }
  const separation known(std::move(times));
  std::vector<scheduler_pair> pairs;
  for (std::size_t place = 0; place < groups.size(); ++place) {
    const std::vector<std::size_t>& group = groups[place];
    for (std::size_t i = 0; i < group.size(); ++i) {
      for (std::size_t j = 0; j < group.size(); ++j) {
        if (known.is_slower(place, j, i)) pairs.push_back({group[i], group[j]});
      }
    }
  }
  return pairs;
}

/// Why the two are not compared; empty if they are.
std::string reasons_against(const measured_cell& measured, const measured_cell& simulated) {
  std::string reasons;
  if (!has_finished(measured)) reasons = "measurement: " + reason_of(measured);
  if (has_finished(simulated)) return reasons;
  return reasons + (reasons.empty() ? "" : "; ") + "simulation: " + reason_of(simulated);
}

double waiting_share(const measured_cell& simulated) {
  constexpr std::size_t lines =
      static_cast<std::size_t>(metric::lines_share) - static_cast<std::size_t>(metric::work_share);
  const double for_lines = share_of(simulated, lines);
  const auto workers = simulated.counters.find("per_worker");
  if (workers == simulated.counters.end()) return for_lines;
  double busy_seconds = 0;
  for (const json& each : *workers) {
    busy_seconds += 1e-9 * each.at("busy_ns").get<double>();
  }
  // The counters are those of the first seed.
  const auto first = [&](metric which) { return simulated.samples.front()[which].value(); };
  const double busy = busy_seconds / (first(metric::seconds) * first(metric::worker_count));
  return std::max(for_lines, busy - first(metric::work_share) - first(metric::overhead_share));
}

/// Every benchmark of the two, without pairs and warnings.
validation matched(const measurements& measured, const measurements& simulated) {
  validation found;
  for (const measured_cell& each : measured.cells()) {
    const auto place = simulated.place_of(each.which);
    const measured_cell* const other = place ? &simulated.cells()[*place] : nullptr;
    std::string reasons = other == nullptr ? "not simulated" : reasons_against(each, *other);
    if (!reasons.empty()) {
      found.unpaired.push_back({name_of(each.which), std::move(reasons)});
      continue;
    }
    const std::vector<double> rounds = values_of(each, metric::seconds);
    found.cells.push_back({.which = each.which,
                           .rounds = rounds,
                           .measured = estimate_median(rounds),
                           .simulated = estimate_median(values_of(*other, metric::seconds)),
                           .waiting = waiting_share(*other),
                           .unit_from = foreign_unit_of(*other)});
  }
  for (const measured_cell& each : simulated.cells()) {
    if (each.which.varied.empty() && !measured.place_of(each.which)) {
      found.unpaired.push_back({name_of(each.which), "not measured"});
    }
  }
  return found;
}

/// Nine in ten do not exceed it. Requires: there is a value.
double ninth_decile_of(std::vector<double> values) {
  const std::size_t rank = (9 * values.size() + 9) / 10;  // Rounded up.
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(rank - 1);
  std::ranges::nth_element(values, place);
  return *place;
}

double rounded(double value) { return std::round(1e4 * value) / 1e4; }

}  // namespace

bool is_same_machine(const measurements& measured, const measurements& simulated) {
  return text_at(simulated.header().at("about").at("profile"), "processor")
      .starts_with(text_at(measured.context(), "processor"));
}

validation validate(const measurements& measured, const measurements& simulated) {
  validation found = matched(measured, simulated);
  if (found.cells.empty()) {
    throw bad_input(
        "MEASURED and SIMULATED have no benchmark in common that finished in both; valid: two that "
        "ran some of the same schedulers, workloads and worker counts");
  }
  found.pairs = pairs_in(found.cells);
  found.warnings = doubts_about(measured, simulated);
  return found;
}

std::optional<error_summary> summary_of(
    const validation& found, const std::function<bool(const validated_cell&)>& is_meant) {
  std::vector<double> errors;
  std::vector<double> sizes;
  std::vector<double> factors;
  std::size_t contended = 0;
  for (const validated_cell& each : found.cells) {
    if (!is_meant(each)) continue;
    errors.push_back(each.error());
    sizes.push_back(std::abs(each.error()));
    factors.push_back(each.factor());
    if (each.is_contended()) ++contended;
  }
  if (errors.empty()) return {};
  return error_summary{.cells = errors.size(),
                       .contended_cells = contended,
                       .median = median(sizes),
                       .ninth_decile = ninth_decile_of(sizes),
                       .greatest = *std::ranges::max_element(sizes),
                       .bias = median(errors),
                       .ninth_decile_factor = ninth_decile_of(factors),
                       .greatest_factor = *std::ranges::max_element(factors)};
}

std::optional<error_summary> held_out_summary(const validation& found, bool is_contended) {
  return summary_of(found, [=](const validated_cell& each) {
    return each.is_held_out() && each.is_contended() == is_contended;
  });
}

json accuracy_of(const validation& found) {
  const auto held_out = [&](bool is_contended) {
    if (const auto errors = held_out_summary(found, is_contended)) return *errors;
    throw bad_input(
        fmt::format("no benchmark held out is {}contended, so the accuracy of a profile cannot be "
                    "known; valid: datasets of more workloads and worker counts",
                    is_contended ? "" : "un"));
  };
  const error_summary uncontended = held_out(false);
  const error_summary contended = held_out(true);
  return {{"median_error", rounded(uncontended.median)},
          {"ninth_decile_error", rounded(uncontended.ninth_decile)},
          {"contended_factor", rounded(contended.ninth_decile_factor)},
          {"cells", uncontended.cells + contended.cells}};
}

}  // namespace stealbench::analysis
