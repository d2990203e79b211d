#include "bench/driver/calibration/prices.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "bench/cell/program.hpp"
#include "bench/driver/rounds/simulated_process.hpp"
#include "schedulers/variant.hpp"

namespace stealbench::calibration {
namespace {

rounds::target one_worker(const std::filesystem::path& executable, const std::string& scheduler,
                          const dataset::instance& what) {
  return {.which = {.what = what, .scheduler = scheduler, .workers = 1}, .executable = executable};
}

std::map<std::string, std::string> parameters_of(const dataset::instance& what) {
  return {what.parameters.begin(), what.parameters.end()};
}

/// What the charges of a run come to that have a price already.
double priced_ns(const simulated_run& ran, const virtual_machine::strategy_prices& prices) {
  return prices.fork * ran.forks + prices.call * ran.calls + prices.spawn * ran.spawns +
         prices.piece * ran.pieces;
}

}  // namespace

std::vector<strategy> strategies_in(const rounds::installation& installed) {
  std::vector<strategy> found;
  const auto add = [&](const std::string& scheduler, const std::string& deque) {
    try {
      strategy made{.scheduler = scheduler,
                    .measured = installed.choose(scheduler).executable,
                    .simulated = installed.choose_simulated(scheduler).executable};
      // The scheduler's executable starts that of another deque.
      if (deque.empty() || access((made.measured.string() + "." + deque).c_str(), X_OK) == 0) {
        found.push_back(std::move(made));
      }
    } catch (const kit::bad_input&) {  // It is not built.
    }
  };
  const std::vector<std::string> built = installed.built();
  for (const std::string& name : rounds::simulated_schedulers()) {
    if (std::ranges::count(built, name) == 0) continue;
    add(name, {});
    for (const schedulers::setting& each : installed.description_of(name).settings) {
      if (each.name != "deque") continue;
      for (auto value = each.values.begin() + 1; value != each.values.end(); ++value) {
        add(fmt::format("{}:deque={}", name, value->word), value->word);
      }
    }
  }
  return found;
}

pricing_runs::pricing_runs(virtual_machine::profile& profile, std::filesystem::path sequential,
                           strategy units_by, system::process_runner& runner)
    : profile_(profile),
      sequential_(std::move(sequential)),
      units_by_(std::move(units_by)),
      runner_(runner) {}

simulated_run pricing_runs::run_unpriced_simulation(const strategy& which,
                                                    const dataset::instance& what) const {
  virtual_machine::profile unpriced = profile_;
  unpriced.strategies.clear();
  const std::filesystem::path path = scratch_.file("profile.json");
  const rounds::profile_file file(path, json_of(unpriced));
  return simulate(one_worker(which.simulated, which.scheduler, what), path, runner_);
}

void pricing_runs::add_unit(const dataset::instance& what) {
  const double seconds =
      measure_seconds(one_worker(sequential_, std::string(cell::sequential_name), what), runner_);
  // The simulation takes no workload without a price, and how many units there are does not depend
  // on it.
  virtual_machine::unit_price added{
      .workload = what.workload, .parameters = parameters_of(what), .ns = 1};
  profile_.work.push_back(added);
  const simulated_run counted = run_unpriced_simulation(units_by_, what);
  if (counted.work_units < 1) {
    throw std::runtime_error(fmt::format("{}: no unit of work was counted", label_of(what)));
  }
  profile_.work.back().ns = seconds * 1e9 / counted.work_units;
}

pricing_runs::unpriced_run pricing_runs::run_unpriced(const strategy& which,
                                                      const dataset::instance& what) {
  const simulated_run simulated = run_unpriced_simulation(which, what);
  const double seconds =
      measure_seconds(one_worker(which.measured, which.scheduler, what), runner_);
  return {.simulated = simulated, .excess_ns = (seconds - simulated.seconds) * 1e9};
}

std::vector<std::string> pricing_runs::add_strategy(const strategy& which, const priced_by& runs) {
  std::vector<std::string> notes;
  virtual_machine::strategy_prices prices;
  const auto price_of_one = [&](const unpriced_run& ran, double count, const char* what) {
    if (count <= 0) return 0.0;
    const double ns = (ran.excess_ns - priced_ns(ran.simulated, prices)) / count;
    if (ns >= 0) return ns;
    notes.push_back(
        fmt::format("{}, price of a {}: the simulation takes {:.2g} ns longer than the measured "
                    "run for each; the price is 0",
                    which.scheduler, what, -ns));
    return 0.0;
  };
  // One worker forks, or it runs both branches in order, as a team of one does: the other price
  // then has no charge to be measured by.
  const unpriced_run forking = run_unpriced(which, runs.forks);
  prices.fork = price_of_one(forking, forking.simulated.forks + forking.simulated.calls, "fork");
  prices.call = prices.fork;
  const unpriced_run spawning = run_unpriced(which, runs.spawns);
  prices.spawn = price_of_one(spawning, spawning.simulated.spawns, "spawn");
  const unpriced_run looping = run_unpriced(which, runs.pieces);
  prices.piece = price_of_one(looping, looping.simulated.pieces, "piece of a loop");
  profile_.strategies[which.scheduler] = prices;
  return notes;
}

}  // namespace stealbench::calibration
