#include "bench/driver/calibration/prices.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string_view>
#include <variant>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/cell/program.hpp"
#include "bench/costs/catalogue.hpp"
#include "bench/driver/rounds/cell_process.hpp"
#include "results/dataset/measurements.hpp"

namespace stealbench::calibration {
namespace {

using nlohmann::ordered_json;

constexpr std::chrono::seconds longest{120};
constexpr unsigned least_processes = 2;
constexpr unsigned most_processes = 3;
constexpr std::chrono::milliseconds long_enough{450};  // So that all takes less than 90 s.

/// A longer task does not feel the nanoseconds by which its price differs from that of others; and
/// what its run is measured too long or too short would be a great part of that price.
constexpr double longest_priced_task_ns = 100;

[[noreturn]] void fail(const std::string& process, std::string_view why) {
  throw std::runtime_error(fmt::format("{}: {}", process, why));
}

double number_at(const ordered_json& object, const char* key, const std::string& process) {
  const auto found = object.find(key);
  if (found != object.end() && found->is_number() && *found >= 0) return found->get<double>();
  fail(process, fmt::format("unreadable output: '{}' is not a number from 0", key));
}

/// The median of the steady state of one process.
double measure_once(const rounds::target& subject, system::process_runner& runner) {
  const rounds::cell_run ran = rounds::run_timed(subject, longest, runner);
  if (!ran.failure.empty()) fail(name_of(subject.which), ran.failure);
  return dataset::sample_of(ran.entry).value()[dataset::metric::seconds].value();
}

rounds::target one_worker(const std::filesystem::path& executable, std::string_view scheduler,
                          const dataset::instance& what) {
  return {.which = {.what = what, .scheduler = std::string(scheduler), .workers = 1},
          .executable = executable};
}

virtual_machine::strategy_prices prices_from(const by_charge& ns) {
  return {.fork = ns[0], .call = ns[0], .spawn = ns[1], .piece = ns[2]};
}

/// Its parameters in the order of the workload, as in the names of benchmarks. The choices among
/// words alone tell its program from that of another instance.
dataset::instance instance_of(const virtual_machine::unit_price& priced, bool has_words_alone) {
  dataset::instance what{priced.workload, {}};
  const kit::description workload = rounds::find_workload(priced.workload);
  for (const kit::parameter& each : workload.parameters) {
    const auto value = priced.parameters.find(each.key);
    const bool is_word = std::holds_alternative<kit::choice_domain>(each.domain);
    if (value == priced.parameters.end() || (has_words_alone && !is_word)) continue;
    what.parameters.emplace_back(*value);
  }
  return what;
}

simulated_run run_unpriced(const pricing_runs& by, const strategy& which,
                           const dataset::instance& what) {
  virtual_machine::profile unpriced = by.profile;
  unpriced.strategies.clear();
  // A deque without prices of its own would take those of its scheduler.
  for (virtual_machine::unit_price& each : unpriced.work) each.schedulers.clear();
  return simulate(one_worker(which.simulated, which.scheduler, what), unpriced, by.runner);
}

/// What the measured run takes beyond the simulated one and beyond the charges at these prices, for
/// each charge of one kind [ns].
double price_of(std::size_t charge, const simulated_run& simulated, const by_charge& others,
                const rounds::target& subject, system::process_runner& runner) {
  const by_charge& counts = simulated.counts;
  if (!(counts[charge] > 0)) return 0;
  const double ns = (measure_seconds(subject, runner) - simulated.seconds) * 1e9 -
                    std::inner_product(counts.begin(), counts.end(), others.begin(), 0.0);
  return ns / counts[charge];
}

}  // namespace

virtual_machine::profile measure_machine(const std::filesystem::path& sequential,
                                         system::process_runner& runner) {
  const std::string process = "costs of the machine";
  const system::process_result result = runner.run({sequential, {"--machine-costs"}, longest});
  if (const std::string reason = rounds::why_ended(result, longest); !reason.empty()) {
    fail(process, reason);
  }
  const ordered_json said = ordered_json::parse(result.output, nullptr, false);
  if (!said.is_object()) fail(process, "unreadable output: not a JSON object");
  const auto text = [&](const char* key) { return dataset::text_at(said, key); };
  try {
    return {
        .name = {},
        .processor = fmt::format("{}, {} processors", text("processor"), text("processors")),
        .date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))),
        .source = fmt::format("Measured by `stealbench calibrate` (commit {}, {}). Not measured: "
                              "shared_gap and jitter are constants of the model; "
                              "remote_transfer is transfer.",
                              text("commit"), text("compiler")),
        .is_measured = true,
        .costs = virtual_machine::costs_of(said),
        .strategies = {},
        .work = {},
        .validated = {}};
  } catch (const std::invalid_argument& error) {
    fail(process, error.what());
  }
}

double measure_transfer(const std::filesystem::path& sequential, system::process_runner& runner) {
  const costs::figure_description& handover = costs::find_figure("steal");
  rounds::target subject =
      one_worker(sequential, cell::sequential_name, {std::string(handover.name), {}});
  subject.which.workers = handover.workers;
  subject.is_figure = true;
  return measure_once(subject, runner) * 1e9 / costs::transfers_per_handover;
}

double measure_seconds(const rounds::target& subject, system::process_runner& runner) {
  using clock = std::chrono::steady_clock;
  const clock::time_point enough = clock::now() + long_enough;
  double least = std::numeric_limits<double>::infinity();
  for (unsigned i = 0; i < most_processes; ++i) {
    if (i >= least_processes && clock::now() >= enough) break;
    least = std::min(least, measure_once(subject, runner));
  }
  return least;
}

simulated_run simulate(const rounds::target& subject, const virtual_machine::profile& profile,
                       system::process_runner& runner) {
  const std::string process = fmt::format("simulation of {}", name_of(subject.which));
  constexpr std::uint64_t seed = 1;
  const system::process_result ended =
      runner.run(rounds::simulation_of(subject, seed, json_of(profile), longest));
  const rounds::cell_run ran = rounds::read_simulation(ended, subject, seed, longest);
  if (!ran.failure.empty()) fail(process, ran.failure);
  const ordered_json charges = ran.entry.value("charges", ordered_json::object());
  const auto count = [&](const char* key) { return number_at(charges, key, process); };
  return {.seconds = ran.entry.at("seconds").get<double>(),
          .work_units = number_at(ran.entry, "work_units", process),
          .counts = {count("fork") + count("call"), count("spawn"), count("piece")}};
}

std::vector<strategy> strategies_in(const rounds::installation& installed) {
  std::vector<strategy> found;
  for (const std::string& name : rounds::simulated_schedulers()) {
    if (!installed.is_built(name)) continue;
    std::vector<std::string> variants{name};
    for (const schedulers::setting& each : installed.description_of(name).settings) {
      if (each.name != "deque") continue;
      for (const std::string& word : each.words()) {
        // The scheduler's executable starts that of another deque than its own.
        if (word == each.standard() || !installed.is_built(fmt::format("{}.{}", name, word)))
          continue;
        variants.push_back(fmt::format("{}:deque={}", name, word));
      }
    }
    for (const std::string& each : variants) {
      try {
        found.push_back(
            {each, installed.executable_of(name), installed.choose_simulated(each).executable});
      } catch (const kit::bad_input&) {  // Its simulation is not built.
      }
    }
  }
  return found;
}

void pricing_runs::add_unit(const dataset::instance& what) const {
  const double seconds =
      measure_seconds(one_worker(sequential, cell::sequential_name, what), runner);
  // The simulation takes no workload without a price, and how many units there are does not depend
  // on it.
  profile.work.push_back({.workload = what.workload,
                          .parameters = {what.parameters.begin(), what.parameters.end()},
                          .ns = 1});
  const simulated_run counted = run_unpriced(*this, units_by, what);
  if (counted.work_units < 1) fail(label_of(what), "no unit of work was counted");
  profile.work.back().ns = seconds * 1e9 / counted.work_units;
}

void pricing_runs::add_strategy(const strategy& which, const priced_by& runs) const {
  const auto price = [&](std::size_t charge, const simulated_run& ran, const by_charge& others,
                         const dataset::instance& what) {
    return price_of(charge, ran, others, one_worker(which.measured, which.scheduler, what), runner);
  };
  by_charge general{};
  for (std::size_t charge = 0; charge < runs.size(); ++charge) {
    const simulated_run ran = run_unpriced(*this, which, runs[charge]);
    general[charge] = price(charge, ran, general, runs[charge]);
  }
  profile.strategies[which.scheduler] = prices_from(general);
  std::vector<dataset::instance> done;
  for (virtual_machine::unit_price& each : profile.work) {
    const dataset::instance program = instance_of(each, true);
    if (std::ranges::count(runs, each.workload, &dataset::instance::workload) > 0) continue;
    if (std::ranges::count(done, program) > 0) continue;
    done.push_back(program);
    const dataset::instance what = instance_of(each, false);
    const simulated_run ran = run_unpriced(*this, which, what);
    const double tasks = std::accumulate(ran.counts.begin(), ran.counts.end(), 0.0);
    if (tasks <= 0 || ran.seconds * 1e9 > longest_priced_task_ns * tasks) continue;
    // Of the kind that was charged most often; the other kinds keep the scheduler's prices.
    const auto most = std::ranges::max_element(ran.counts) - ran.counts.begin();
    by_charge own = general;
    double& price_of_most = own[static_cast<std::size_t>(most)];
    price_of_most = 0;
    price_of_most = price(static_cast<std::size_t>(most), ran, own, what);
    each.schedulers[which.scheduler] = prices_from(own);
  }
}

}  // namespace stealbench::calibration
