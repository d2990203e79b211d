#include "bench/driver/calibration/profile.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "results/report/format.hpp"
#include "results/report/table.hpp"

namespace stealbench::calibration {
namespace {

using nlohmann::ordered_json;
using report::alignment;
using virtual_machine::profile;

/// Four digits: the rest is noise, and people read the file.
// NOLINTNEXTLINE(misc-no-recursion): as deep as the file.
void round_numbers(ordered_json& part) {
  if (part.is_number_float()) {
    part = std::stod(fmt::format("{:.4g}", part.get<double>()));
  }
  if (!part.is_structured()) return;
  for (ordered_json& each : part) round_numbers(each);
}

std::string nanoseconds(double ns) { return report::seconds(ns * 1e-9); }

}  // namespace

void round(profile& measured) {
  ordered_json file = json_of(measured);
  round_numbers(file);
  measured = virtual_machine::profile_of(file);
}

std::string to_text(const profile& what) {
  report::table costs{
      fmt::format("Costs of {}", what.processor), {{"cost", alignment::left}, {"value"}}, {}};
  const ordered_json all_costs = json_of(what.costs);
  for (const auto& [key, value] : all_costs.items()) {
    const auto cost = value.get<double>();  // One without a unit is a part of each charge.
    costs.rows.push_back({key.substr(0, key.find("_ns")),
                          key.ends_with("_ns") ? nanoseconds(cost) : fmt::format("{:.3g}", cost)});
  }
  report::table strategies{
      "Prices of strategies",
      {{"scheduler", alignment::left}, {"fork"}, {"call"}, {"spawn"}, {"piece of a loop"}},
      {}};
  for (const auto& [name, each] : what.strategies) {
    strategies.rows.push_back({name, nanoseconds(each.fork), nanoseconds(each.call),
                               nanoseconds(each.spawn), nanoseconds(each.piece)});
  }
  report::table units{
      "Prices of units of work",
      {{"instance", alignment::left}, {"price of a unit"}, {"unit", alignment::left}},
      {}};
  for (const virtual_machine::unit_price& each : what.work) {
    units.rows.push_back(
        {dataset::label_of({each.workload, {each.parameters.begin(), each.parameters.end()}}),
         nanoseconds(each.ns), rounds::find_workload(each.workload).about.unit});
  }
  return fmt::format("{}\n{}\n{}", to_text(costs), to_text(strategies), to_text(units));
}

std::vector<dataset::instance> instances_to_check(
    const std::vector<std::string>& names, const std::vector<dataset::instance>& calibrated) {
  // Forks and spawns, of short tasks and of longer ones, and a loop.
  constexpr std::array checked{"fib", "integrate", "nqueens", "skynet", "uts", "primes"};
  std::vector<dataset::instance> found;
  for (const char* const name : checked) {
    if (std::ranges::count(names, name) == 0) continue;
    const auto small = rounds::instances_of(rounds::find_workload(name), "small", {});
    const auto first = std::ranges::find_if(
        small, [&](const auto& each) { return std::ranges::count(calibrated, each) == 0; });
    if (first != small.end()) found.push_back(*first);
  }
  return found;
}

std::vector<check> run_checks(const profile& doubtful, const strategy& which,
                              const std::vector<dataset::instance>& instances,
                              system::process_runner& runner) {
  std::vector<check> all;
  for (const dataset::instance& each : instances) {
    for (const unsigned workers : {1U, 2U}) {
      const dataset::cell cell{.what = each, .scheduler = which.scheduler, .workers = workers};
      const double measured =
          measure_seconds({.which = cell, .executable = which.measured}, runner);
      const simulated_run simulated =
          simulate({.which = cell, .executable = which.simulated}, doubtful, runner);
      all.push_back({.which = cell, .measured = measured, .simulated = simulated.seconds});
    }
  }
  return all;
}

std::string to_text(const check& one) {
  return fmt::format("{} on {} with {}: simulated {}, measured {} ({:+.1f} %)",
                     label_of(one.which.what), one.which.scheduler,
                     report::counted(one.which.workers, "worker"), report::seconds(one.simulated),
                     report::seconds(one.measured), 100 * one.error());
}

std::string doubt_of(const std::vector<check>& all) {
  std::vector<std::string> misses;
  for (const check& each : all) {
    // Written so that an error that is no number misses too.
    if (!(std::abs(each.error()) <= worst_accepted_error)) misses.push_back(to_text(each));
  }
  if (misses.empty()) return {};
  return fmt::format("benchmarks that it was not calibrated on miss the bound of {:g} %: {}.",
                     100 * worst_accepted_error, fmt::join(misses, "; "));
}

}  // namespace stealbench::calibration
