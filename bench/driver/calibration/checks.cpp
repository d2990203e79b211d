#include "bench/driver/calibration/checks.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/driver/rounds/cell_process.hpp"
#include "results/report/format.hpp"

namespace stealbench::calibration {

std::vector<dataset::instance> instances_to_check(
    const std::vector<std::string>& names, const std::vector<dataset::instance>& calibrated) {
  // Forks and spawns, of short tasks and of longer ones, and a loop.
  constexpr std::array checked{"fib", "integrate", "nqueens", "skynet", "uts", "primes"};
  std::vector<dataset::instance> found;
  for (const char* const name : checked) {
    if (std::ranges::count(names, name) == 0) continue;
    for (dataset::instance& each : rounds::instances_of(rounds::find_workload(name), "small", {})) {
      if (std::ranges::count(calibrated, each) > 0) continue;
      found.push_back(std::move(each));
      break;
    }
  }
  return found;
}

std::vector<check> run_checks(const virtual_machine::profile& of, const strategy& which,
                              const std::vector<dataset::instance>& instances,
                              system::process_runner& runner) {
  const nlohmann::ordered_json profile = json_of(of);
  std::vector<check> all;
  for (const dataset::instance& each : instances) {
    for (const unsigned workers : {1U, 2U}) {
      const dataset::cell cell{.what = each, .scheduler = which.scheduler, .workers = workers};
      const double measured =
          measure_seconds({.which = cell, .executable = which.measured}, runner);
      const simulated_run simulated =
          simulate({.which = cell, .executable = which.simulated}, profile, runner);
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
  std::string texts;
  for (const check& each : all) {
    // Written so that an error that is no number misses too.
    if (std::abs(each.error()) <= worst_accepted_error) continue;
    texts += (texts.empty() ? "" : "; ") + to_text(each);
  }
  if (texts.empty()) return {};
  return fmt::format("benchmarks that it was not calibrated on miss the bound of {:g} %: {}.",
                     100 * worst_accepted_error, texts);
}

}  // namespace stealbench::calibration
