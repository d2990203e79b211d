#include "results/analysis/validation.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "results/analysis/evidence.hpp"
#include "results/analysis/simulation.hpp"
#include "schedulers/input.hpp"

namespace stealbench::analysis {
namespace {

using dataset::measured_cell;
using dataset::measurements;
using dataset::metric;
using dataset::text_at;
using schedulers::bad_input;

void expect_kind(const measurements& data, std::string_view place, std::string_view experiment) {
  if (data.experiment() == experiment) return;
  throw bad_input(fmt::format("{} is of the experiment {}; valid: a dataset of `stealbench {}`",
                              place, data.experiment(), experiment));
}

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

/// The instance whose price of a unit was taken; empty for the cell's own.
std::string foreign_unit_of(const measured_cell& simulated) {
  constexpr std::string_view own = "this instance";
  const std::string whose = simulated.simulations.front().value("unit_from", std::string(own));
  return whose == own ? "" : whose;
}

/// By time, the least first.
std::vector<std::size_t> ordered(std::vector<std::size_t> cells,
                                 const std::vector<validated_cell>& all,
                                 estimate validated_cell::*time) {
  std::ranges::stable_sort(cells, {}, [&](std::size_t at) { return (all[at].*time).median; });
  return cells;
}

/// `place` is that of these cells in `known`.
scheduler_order order_of(const std::vector<std::size_t>& cells,
                         const std::vector<validated_cell>& all, const separation& known,
                         std::size_t place) {
  scheduler_order made{.measured = ordered(cells, all, &validated_cell::measured),
                       .simulated = ordered(cells, all, &validated_cell::simulated),
                       .pairs = {}};
  const auto row_of = [&](std::size_t at) {
    return static_cast<std::size_t>(std::ranges::find(cells, at) - cells.begin());
  };
  for (std::size_t i = 0; i < made.measured.size(); ++i) {
    const validated_cell& faster = all[made.measured[i]];
    for (std::size_t j = i + 1; j < made.measured.size(); ++j) {
      const validated_cell& slower = all[made.measured[j]];
      if (!known.is_slower(place, row_of(made.measured[j]), row_of(made.measured[i]))) continue;
      made.pairs.push_back({.faster = made.measured[i],
                            .slower = made.measured[j],
                            .is_right = faster.simulated.median < slower.simulated.median,
                            .is_contended = faster.is_contended() || slower.is_contended()});
    }
  }
  return made;
}

std::vector<scheduler_order> orders_of(const std::vector<validated_cell>& all,
                                       const measurements& measured) {
  const std::vector<std::size_t> no_cells;
  std::vector<std::pair<dataset::cell, std::vector<std::size_t>>> groups;
  for (std::size_t at = 0; at < all.size(); ++at) {
    dataset::cell group = all[at].which;
    group.scheduler.clear();
    auto place = std::ranges::find(groups, group, [](const auto& each) { return each.first; });
    if (place == groups.end()) place = groups.emplace(place, std::move(group), no_cells);
    place->second.push_back(at);
  }
  std::erase_if(groups, [](const auto& each) { return each.second.size() < 2; });
  std::map<std::string, const measured_cell*> cells;
  for (const measured_cell& each : measured.cells()) cells.emplace(name_of(each.which), &each);
  std::vector<separation::table> times;
  for (const auto& each : groups) {
    separation::table& rows = times.emplace_back();
    for (const std::size_t at : each.second) {
      rows.push_back(values_of(*cells.at(name_of(all[at].which)), metric::seconds));
    }
  }
  const separation known(std::move(times));
  std::vector<scheduler_order> orders;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    orders.push_back(order_of(groups[i].second, all, known, i));
  }
  return orders;
}

/// Why the two are not compared; empty if they are.
std::string reasons_against(const measured_cell& measured, const measured_cell& simulated) {
  std::string reasons;
  if (!has_finished(measured)) reasons = "measurement: " + reason_of(measured);
  if (has_finished(simulated)) return reasons;
  return reasons + (reasons.empty() ? "" : "; ") + "simulation: " + reason_of(simulated);
}

/// Every benchmark of the two, without orders and warnings.
validation matched(const measurements& measured, const measurements& simulated) {
  std::map<std::string, const measured_cell*> left_over;
  for (const measured_cell& each : simulated.cells()) {
    if (each.which.varied.empty()) left_over.emplace(name_of(each.which), &each);
  }
  validation found;
  for (const measured_cell& each : measured.cells()) {
    const std::string name = name_of(each.which);
    const auto same = left_over.find(name);
    if (same == left_over.end()) {
      found.unpaired.push_back({name, "not simulated"});
      continue;
    }
    const measured_cell& other = *same->second;
    left_over.erase(same);
    if (std::string reasons = reasons_against(each, other); !reasons.empty()) {
      found.unpaired.push_back({name, std::move(reasons)});
      continue;
    }
    found.cells.push_back({.which = each.which,
                           .measured = estimate_median(values_of(each, metric::seconds)),
                           .simulated = estimate_median(values_of(other, metric::seconds)),
                           .waiting = waiting_share(other),
                           .unit_from = foreign_unit_of(other)});
  }
  for (const measured_cell& each : simulated.cells()) {
    if (left_over.contains(name_of(each.which))) {
      found.unpaired.push_back({name_of(each.which), "not measured"});
    }
  }
  return found;
}

}  // namespace

double waiting_share(const measured_cell& simulated) {
  constexpr std::size_t lines =
      static_cast<std::size_t>(metric::lines_share) - static_cast<std::size_t>(metric::work_share);
  const double for_lines = share_of(simulated, lines);
  const auto workers = simulated.counters.find("per_worker");
  if (workers == simulated.counters.end()) return for_lines;
  double busy_seconds = 0;
  for (const dataset::json& each : *workers) {
    busy_seconds += 1e-9 * each.at("busy_ns").get<double>();
  }
  // The counters are those of the first seed.
  const auto first = [&](metric which) { return simulated.samples.front()[which].value(); };
  const double busy = busy_seconds / (first(metric::seconds) * first(metric::worker_count));
  return std::max(for_lines, busy - first(metric::work_share) - first(metric::overhead_share));
}

bool is_same_machine(const measurements& measured, const measurements& simulated) {
  return text_at(simulated.header().at("about").at("profile"), "processor")
      .starts_with(text_at(measured.context(), "processor"));
}

validation validate(const measurements& measured, const measurements& simulated) {
  expect_kind(measured, "MEASURED", "compare");
  expect_kind(simulated, "SIMULATED", "simulate");
  validation found = matched(measured, simulated);
  if (found.cells.empty()) {
    throw bad_input(
        "MEASURED and SIMULATED have no benchmark in common that finished in both; valid: two that "
        "ran some of the same schedulers, workloads and worker counts");
  }
  found.orders = orders_of(found.cells, measured);
  found.warnings = doubts_about(measured, simulated);
  return found;
}

}  // namespace stealbench::analysis
