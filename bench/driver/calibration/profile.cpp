#include "bench/driver/calibration/profile.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "results/report/format.hpp"

namespace stealbench::calibration {
namespace {

using nlohmann::ordered_json;
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

}  // namespace

void round(profile& measured) {
  ordered_json file = json_of(measured);
  round_numbers(file);
  measured = virtual_machine::profile_of(file);
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

std::string doubt_about(const profile& doubtful, const strategy& which,
                        const std::vector<dataset::instance>& instances,
                        system::process_runner& runner,
                        const std::function<void(const std::string&)>& note) {
  constexpr double worst_accepted_error = 0.15;
  std::vector<std::string> misses;
  for (const dataset::instance& each : instances) {
    for (const unsigned workers : {1U, 2U}) {
      const dataset::cell cell{.what = each, .scheduler = which.scheduler, .workers = workers};
      const double measured =
          measure_seconds({.which = cell, .executable = which.measured}, runner);
      const double simulated =
          simulate({.which = cell, .executable = which.simulated}, doubtful, runner).seconds;
      const double error = simulated / measured - 1;
      const std::string line =
          fmt::format("{} on {} with {}: simulated {}, measured {} ({:+.1f} %)", label_of(each),
                      which.scheduler, report::counted(workers, "worker"),
                      report::seconds(simulated), report::seconds(measured), 100 * error);
      note(line);
      if (std::abs(error) > worst_accepted_error) misses.push_back(line);
    }
  }
  if (misses.empty()) return {};
  return fmt::format("benchmarks that it was not calibrated on miss the bound of {:g} %: {}.",
                     100 * worst_accepted_error, fmt::join(misses, "; "));
}

}  // namespace stealbench::calibration
