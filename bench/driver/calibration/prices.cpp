#include "bench/driver/calibration/prices.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <stdexcept>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <unistd.h>

#include "bench/cell/program.hpp"
#include "bench/driver/rounds/cell_process.hpp"
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

/// What the charges of a run come to at these prices.
double priced_ns(const simulated_run& ran, const virtual_machine::strategy_prices& prices) {
  return prices.fork * ran.forks + prices.call * ran.calls + prices.spawn * ran.spawns +
         prices.piece * ran.pieces;
}

/// A longer task does not feel the nanoseconds by which its price differs from that of others; and
/// what its run is measured too long or too short would be a great part of that price.
constexpr double longest_priced_task_ns = 100;

/// The price of one of `count` charges that take `ns` beyond all other ones.
double price_of_one(double ns, double count) { return count > 0 ? ns / count : 0; }

/// Its parameters in the order of the workload, as in the names of benchmarks.
dataset::instance instance_of(const virtual_machine::unit_price& priced) {
  dataset::instance what{priced.workload, {priced.parameters.begin(), priced.parameters.end()}};
  const kit::description workload = rounds::find_workload(what.workload);
  std::ranges::stable_sort(what.parameters, {}, [&](const auto& each) {
    return std::ranges::find(workload.parameters, each.first, &kit::parameter::key) -
           workload.parameters.begin();
  });
  return what;
}

/// What tells its program from that of another instance: its choices among words.
dataset::instance program_of(dataset::instance what) {
  const kit::description workload = rounds::find_workload(what.workload);
  const auto is_choice = [&](const auto& each) {
    return std::ranges::any_of(workload.parameters, [&](const kit::parameter& declared) {
      return declared.key == each.first &&
             std::holds_alternative<kit::choice_domain>(declared.domain);
    });
  };
  std::erase_if(what.parameters, std::not_fn(is_choice));
  return what;
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
  // A deque without prices of its own would take those of its scheduler.
  for (virtual_machine::unit_price& each : unpriced.work) each.schedulers.clear();
  return simulate(one_worker(which.simulated, which.scheduler, what), json_of(unpriced), runner_);
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

double pricing_runs::excess_of(const simulated_run& simulated, const strategy& which,
                               const dataset::instance& what) {
  const double seconds =
      measure_seconds(one_worker(which.measured, which.scheduler, what), runner_);
  return (seconds - simulated.seconds) * 1e9;
}

std::optional<pricing_runs::prices> pricing_runs::prices_of_tasks(const strategy& which,
                                                                  const dataset::instance& what,
                                                                  const prices& general) {
  const simulated_run ran = run_unpriced_simulation(which, what);
  const double forks = ran.forks + ran.calls;
  const double most = std::max({forks, ran.spawns, ran.pieces});
  const double all = forks + ran.spawns + ran.pieces;
  if (all <= 0 || ran.seconds * 1e9 > longest_priced_task_ns * all) return {};
  // Of the kind that was charged most often; the other kinds keep the scheduler's prices.
  prices own = general;
  if (forks == most) {
    own.fork = own.call = 0;
  } else {
    (ran.spawns == most ? own.spawn : own.piece) = 0;
  }
  const double price = price_of_one(excess_of(ran, which, what) - priced_ns(ran, own), most);
  if (forks == most) {
    own.fork = own.call = price;
  } else {
    (ran.spawns == most ? own.spawn : own.piece) = price;
  }
  return own;
}

void pricing_runs::add_strategy(const strategy& which, const priced_by& runs) {
  prices general;
  const auto price = [&](const dataset::instance& by, auto count_of) {
    const simulated_run ran = run_unpriced_simulation(which, by);
    return price_of_one(excess_of(ran, which, by) - priced_ns(ran, general), count_of(ran));
  };
  // One worker forks, or it runs both branches in order, as a team of one does: the other price
  // then has no charge to be measured by.
  general.fork = price(runs.forks, [](const simulated_run& ran) { return ran.forks + ran.calls; });
  general.call = general.fork;
  general.spawn = price(runs.spawns, [](const simulated_run& ran) { return ran.spawns; });
  general.piece = price(runs.pieces, [](const simulated_run& ran) { return ran.pieces; });
  profile_.strategies[which.scheduler] = general;
  const std::set<std::string> general_by{runs.forks.workload, runs.spawns.workload,
                                         runs.pieces.workload};
  std::vector<dataset::instance> done;
  for (virtual_machine::unit_price& each : profile_.work) {
    const dataset::instance what = instance_of(each);
    if (general_by.contains(what.workload)) continue;
    if (std::ranges::count(done, program_of(what)) > 0) continue;
    done.push_back(program_of(what));
    if (const auto own = prices_of_tasks(which, what, general)) {
      each.schedulers[which.scheduler] = *own;
    }
  }
}

}  // namespace stealbench::calibration
