#include "bench/driver/experiments/experiment.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/cell/command_line.hpp"
#include "bench/driver/experiments/list.hpp"
#include "bench/driver/rounds/host.hpp"
#include "schedulers/input.hpp"

namespace stealbench::experiments {

using schedulers::bad_input;

void experiment::declare_rounds(settings& options) {
  constexpr unsigned a_day = 86'400;
  options.add("--budget", plan_.until.budget_seconds, cell::takes::number(1, a_day),
              "Time budget [s]. Six rounds run in any case, for fewer tell nothing apart; after "
              "them, a new round starts only if at least half of it fits");
  options.add("--target", plan_.until.target_percent, cell::takes::percentage(),
              "Precision [%]. Stop once every median's 95 % confidence interval is within ± N %, "
              "or the budget is spent");
  options
      .add("--rounds", plan_.until.rounds, cell::takes::number(1, rounds::most_rounds),
           "Measure every benchmark N times. Overrides --budget and --target")
      ->default_str("");
  options
      .add("--seed", plan_.seed, cell::takes::number(0, std::numeric_limits<std::uint64_t>::max()),
           "Seed of the random order of the benchmarks")
      ->default_str("random");
}

dataset::json experiment::conditions(unsigned most_workers) const {
  dataset::json checks = dataset::json::array();
  for (const auto& each : rounds::checks_before(most_workers)) checks.push_back(json_of(each));
  return {
      {"baseline", "serial"}, {"host_checks", std::move(checks)}, {"energy", rounds::energy_of()}};
}

rounds::target experiment::target_of(const dataset::cell& which,
                                     const rounds::installation& installed) const {
  return {.which = which, .executable = installed.choose(which.scheduler).executable};
}

std::span<const std::unique_ptr<experiment>> all() {
  static const std::array experiments = made_each();
  return experiments;
}

std::vector<report::section> sections_of(const dataset::measurements& data) {
  const auto found =
      std::ranges::find(all(), data.experiment(), [](const auto& each) { return each->name(); });
  if (found == all().end()) {
    std::vector<std::string> valid;
    for (const auto& each : all()) valid.push_back(each->name());
    throw bad_input(fmt::format("unknown experiment {}; valid: {}",
                                dataset::shown(data.experiment()), fmt::join(valid, ", ")));
  }
  try {
    return (*found)->report(data);
  } catch (const std::invalid_argument& error) {  // Of values that do not belong together.
    throw bad_input(
        fmt::format("a dataset of '{0}' cannot be analysed: {1}; valid: a file written by "
                    "`stealbench {0}`",
                    data.experiment(), error.what()));
  }
}

}  // namespace stealbench::experiments
