// `stealbench simulate`: how a scheduler scales on more processors than there are.
#include "bench/driver/experiments/simulate/simulate.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/cell/command_line.hpp"
#include "bench/driver/experiments/experiment.hpp"
#include "bench/driver/experiments/options.hpp"
#include "results/analysis/simulation.hpp"
#include "schedulers/virtual_machine/profile.hpp"

namespace stealbench::experiments::simulate {
namespace {

using dataset::json;
using kit::bad_input;

/// With which the greatest worker count is simulated too.
constexpr std::array varied_costs{"transfer=0.5", "transfer=2", "wake=0.5",
                                  "wake=2",       "jitter=0",   "jitter=2"};

/// An object for each curve.
std::vector<json> curves(const dataset::measurements& data) {
  const analysis::estimates known(data);
  std::vector<json> values;
  for (const analysis::simulated_curve& each : analysis::curves_of(known)) {
    values.push_back(json_of(each, known));
  }
  return values;
}

class simulation_experiment final : public experiment {
 public:
  simulation_experiment()
      : experiment(
            {.name = "simulate",
             .summary = "Simulate schedulers on up to 4096 processors: speedup, where the workers' "
                        "time goes, and the cache lines that they wait for",
             .notes = "The simulation runs the source of the scheduler and of the workload in "
                      "simulated time. A profile says what a processor, a cache line and a wake-up "
                      "cost; `stealbench calibrate` measures that of this machine. The greatest "
                      "worker count is simulated again with the costs of a line transfer, of a "
                      "wake-up and the jitter changed, each alone. If a size has several presets, "
                      "one workload alone is simulated with the first of them.\n\n",
             .method = "A benchmark is one scheduler, one workload with all its parameters and one "
                       "worker count. Every benchmark is simulated once with each seed, in its own "
                       "process. The same seed gives the same result.",
             .examples = {"uts --set tree=T1 --scheduler work-stealing",
                          "fib --scheduler central-queue --workers 1,64 --wake 5us"},
             .report = simulate_sections,
             .values = curves,
             .json_help = "Print JSON, an object for each curve, and no report"}) {
    plan().until.rounds = rounds::fewest_rounds;
    plan().seed = 1;  // Nothing depends on the order of the benchmarks.
    plan().simulation.emplace();
  }

  void declare(settings& options) override {
    options.add("WORKLOAD", workloads_, {cell::takes::workload, simulated_workload()},
                "Workloads that are bound by computation, separated by commas, or all of them; see "
                "`stealbench list`. Required without --resume");
    CLI::Option* const schedulers =
        add_schedulers(options, schedulers_, "all whose simulations are built");
    options
        .add("--ablation", is_ablation_,
             "Simulate the in-house schedulers, and each with one setting changed at a time. Adds "
             "tables of times relative to what a variant differs from in one factor")
        ->excludes(schedulers);
    add_workers(options, workers_, "1,2,4,8,16,32,64", virtual_machine::max_workers);
    instances_.declare(options);
    options
        .add("--profile", machine_options_.profile, cell::takes::profile,
             "Costs of the simulated machine: the name of a profile, or a file")
        ->default_str(
            fmt::format("{} if it is in this folder, else reference", default_profile_file));
    options
        .add("--transfer", machine_options_.transfer, {"TIME", duration()},
             "Time in which a cache line comes from another processor, such as 90ns")
        ->default_str("that of the profile");
    options
        .add("--wake", machine_options_.wake, {"TIME", duration()},
             "Time from a wake-up call until the sleeper runs, such as 11us")
        ->default_str("that of the profile");
    options.add("--no-sensitivity", skips_sensitivity_,
                "Do not simulate the greatest worker count again with other costs");
  }

  [[nodiscard]] design check(const rounds::installation& installed) override {
    if (workloads_.empty()) {
      throw bad_input(fmt::format("simulate: WORKLOAD is required; valid: {}, all",
                                  fmt::join(simulated_workloads(), ", ")));
    }
    resolve_workloads(workloads_, "WORKLOAD", simulated_workloads());
    std::vector<contrast> contrasts;
    if (is_ablation_ && schedulers_.empty()) {
      installed.expect_all_built(/*are_simulations=*/true);
      contrasts = contrasts_among(installed.built_simulations(), installed);
      schedulers_ = strategies_in(contrasts);
    }
    resolve_schedulers(schedulers_, installed, execution::simulated);
    std::vector<dataset::instance> instances = instances_.all_of(workloads_);
    // Of one workload the first instance of the size, as `stealbench run` does; of more, all.
    if (workloads_.size() == 1) instances.resize(1);
    design wanted{.cells = cells_of(instances)};
    if (plan().simulation->profile.is_null()) {
      wanted.about = machine_for(instances, installed);
      plan().simulation->profile = wanted.about["profile"];
    }
    if (is_ablation_) wanted.about["ablation"] = analysis::json_of(contrasts);
    return wanted;
  }

 private:
  [[nodiscard]] std::vector<dataset::cell> cells_of(
      const std::vector<dataset::instance>& instances) const {
    std::vector<unsigned> counts = workers_;
    if (std::ranges::count(counts, 1U) == 0) counts.insert(counts.begin(), 1U);  // For the speedup.
    std::vector<dataset::cell> cells = every_cell(instances, counts, schedulers_);
    if (skips_sensitivity_) return cells;
    for (dataset::cell& each : every_cell(instances, {std::ranges::max(counts)}, schedulers_)) {
      for (const char* const cost : varied_costs) {
        each.varied = cost;
        cells.push_back(each);
      }
    }
    return cells;
  }

  [[nodiscard]] json machine_for(const std::vector<dataset::instance>& instances,
                                 const rounds::installation& installed) const {
    const simulated_machine machine = find_machine(machine_options_, installed);
    try {
      for (const auto& [workload, parameters] : instances) {
        static_cast<void>(virtual_machine::price_of(machine.profile, workload,
                                                    {parameters.begin(), parameters.end()}));
      }
    } catch (const std::invalid_argument& error) {
      throw bad_input(fmt::format("--profile {}: {}", machine.source, error.what()));
    }
    json about{
        {"profile", json_of(machine.profile)}, {"changes", machine.changes}, {"workers", workers_}};
    if (!machine.other_processor.empty()) about["other_processor"] = machine.other_processor;
    return about;
  }

  std::vector<std::string> workloads_;
  std::vector<std::string> schedulers_;
  bool is_ablation_ = false;
  std::vector<unsigned> workers_{1, 2, 4, 8, 16, 32, 64};
  instance_options instances_;
  machine_options machine_options_;
  bool skips_sensitivity_ = false;
};

}  // namespace

std::unique_ptr<experiment> make() { return std::make_unique<simulation_experiment>(); }

}  // namespace stealbench::experiments::simulate
