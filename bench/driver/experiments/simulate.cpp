// `stealbench simulate`: how a scheduler scales on more processors than there are.
#include <algorithm>
#include <array>
#include <iostream>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/cell/command_line.hpp"
#include "bench/driver/experiments/ablation.hpp"
#include "bench/driver/experiments/experiment.hpp"
#include "bench/driver/experiments/options.hpp"
#include "bench/driver/experiments/simulate/machine.hpp"
#include "bench/driver/experiments/simulate/tables.hpp"
#include "bench/driver/simulated_workloads.hpp"
#include "results/analysis/simulation.hpp"
#include "schedulers/virtual_machine/profile.hpp"
#include "workloads/catalogue.hpp"

namespace stealbench::experiments::simulate {
namespace {

using dataset::json;
using kit::bad_input;

/// With which the greatest worker count is simulated too.
constexpr std::array varied_costs{"transfer=0.5", "transfer=2", "wake=0.5",
                                  "wake=2",       "jitter=0",   "jitter=2"};

class simulation_experiment final : public experiment {
 public:
  simulation_experiment()
      : experiment(
            {.name = "simulate",
             .summary =
                 "Simulate schedulers on up to 4096 processors: speedup, where the workers' time "
                 "goes, and the cache lines that they wait for",
             .notes =
                 "The simulation runs the source of the scheduler and of the workload in simulated "
                 "time. A profile says what a processor, a cache line and a wake-up cost; "
                 "`stealbench calibrate` measures that of this machine. The greatest worker count "
                 "is simulated again with the costs of a line transfer, of a wake-up and the "
                 "jitter changed, each alone.\n\n",
             .method = "A benchmark is one scheduler, one workload with all its parameters and one "
                       "worker count. Every benchmark is simulated once with each seed, in its own "
                       "process. The same seed "
                       "gives the same result.",
             .examples =
                 "Examples:\n"
                 "  stealbench simulate uts --set tree=T1 --scheduler work-stealing\n"
                 "  stealbench simulate fib --scheduler central-queue --workers 1,64 --wake 5us"}) {
  }

  void declare(settings& options) override {
    options
        .add("WORKLOAD", workloads_,
             "Workloads that are bound by computation, separated by commas, or all of them; see "
             "`stealbench list`. Required without --resume")
        ->type_name(cell::takes::workload)
        ->check(driver::simulated_workload());
    CLI::Option* const schedulers =
        add_schedulers(options, schedulers_, "all whose simulations are built");
    options
        .add("--ablation", is_ablation_,
             "Simulate the in-house schedulers, and each with one setting changed at a time. Adds "
             "tables of times relative to what a variant differs from in one factor")
        ->excludes(schedulers);
    add_workers(options, workers_, "1,2,4,8,16,32,64", virtual_machine::max_workers);
    sizes_.declare(options);
    add_assignments(options, set_, "Set a parameter of the workload");
    options
        .add("--profile", machine_options_.profile,
             "Costs of the simulated machine: the name of a profile, or a file")
        ->type_name(cell::takes::profile)
        ->default_str(
            fmt::format("{} if it is in this folder, else reference", default_profile_file));
    options
        .add("--transfer", machine_options_.transfer,
             "Time in which a cache line comes from another processor, such as 90ns")
        ->type_name("TIME")
        ->check(duration())
        ->default_str("that of the profile");
    options
        .add("--wake", machine_options_.wake,
             "Time from a wake-up call until the sleeper runs, such as 11us")
        ->type_name("TIME")
        ->check(duration())
        ->default_str("that of the profile");
    options.add("--no-sensitivity", skips_sensitivity_,
                "Do not simulate the greatest worker count again with other costs");
    options.command().add_flag("--json", as_json_,
                               "Print JSON, an object for each curve, and no report");
  }

  void declare_rounds(settings& options) override {
    options.add("--seeds", seeds_, "Simulate every benchmark with the seeds 1 to N")
        ->type_name("N")
        ->check(cell::between(1, rounds::most_rounds))
        ->capture_default_str();
    constexpr unsigned most_jobs = 4096;
    options.command()
        .add_option("--jobs", jobs_,
                    "Simulate N benchmarks side by side; no simulated time depends on it")
        ->type_name("N")
        ->check(cell::between(1, most_jobs))
        ->default_str("one on each processor");
  }

  void recall(const json& about) override { about_ = about; }

  void check(const rounds::installation& installed) override {
    if (workloads_.empty()) {
      throw bad_input(fmt::format("simulate: WORKLOAD is required; valid: {}, all",
                                  fmt::join(driver::simulated_workloads(), ", ")));
    }
    rounds::expect_all_alone("WORKLOAD", workloads_);
    if (std::ranges::count(workloads_, "all") > 0) workloads_ = driver::simulated_workloads();
    workloads_ = dataset::distinct(workloads_);
    sizes_.check(workloads_);
    if (is_ablation_ && schedulers_.empty()) {
      contrasts_ = contrasts_among(installed.built_simulations(), installed);
      schedulers_ = strategies_in(contrasts_);
    }
    resolve_simulations(installed);
    find_instances();
    // One that is resumed has its profile from the raw file.
    if (!about_.is_null()) return;
    const simulated_machine machine = find_machine(machine_options_, installed);
    for (const dataset::instance& each : instances_) expect_price(machine, each);
    about_ = {
        {"profile", json_of(machine.profile)}, {"changes", machine.changes}, {"workers", workers_}};
    if (!machine.other_processor.empty()) about_["other_processor"] = machine.other_processor;
    if (is_ablation_) about_["ablation"] = analysis::json_of(contrasts_);
  }

  [[nodiscard]] design make(const rounds::installation& /*installed*/) override {
    std::vector<unsigned> counts = workers_;
    if (std::ranges::count(counts, 1U) == 0) counts.insert(counts.begin(), 1U);  // For the speedup.
    const unsigned most = *std::ranges::max_element(counts);
    design made{.cells = {}, .about = about_};
    for (const dataset::instance& what : instances_) {
      for (const std::string& scheduler : schedulers_) {
        for (const unsigned count : counts) made.cells.push_back({what, scheduler, count});
        if (skips_sensitivity_) continue;
        for (const char* const each : varied_costs) {
          made.cells.push_back({what, scheduler, most, each});
        }
      }
    }
    return made;
  }

  [[nodiscard]] json conditions(unsigned /*most_workers*/) const override {
    return {{"baseline", analysis::own_baseline},
            {"host_checks", json::array()},
            {"energy", "the times are simulated"}};
  }

  [[nodiscard]] rounds::target target_of(const dataset::cell& which,
                                         const rounds::installation& installed) const override {
    return {.which = which, .executable = installed.choose_simulated(which.scheduler).executable};
  }

  [[nodiscard]] rounds::plan plan_for(const dataset::measurements& data) const override {
    rounds::plan made = plan();
    made.until.rounds = seeds_;
    made.seed = 1;  // Nothing depends on their order.
    made.simulation = {
        .profile = data.header().at("about").at("profile"), .context = {}, .jobs = jobs_};
    return made;
  }

  [[nodiscard]] bool print_values(const dataset::measurements& data) const override {
    if (!as_json_) return false;
    const analysis::estimates known(data);
    for (const analysis::simulated_curve& each : analysis::curves_of(known)) {
      std::cout << json_of(each, known) << '\n';
    }
    std::cout.flush();
    return true;
  }

  [[nodiscard]] std::vector<report::section> report(
      const dataset::measurements& data) const override {
    return simulate_sections(data);
  }

 private:
  void resolve_simulations(const rounds::installation& installed) {
    if (schedulers_.empty()) schedulers_ = installed.built_simulations();
    if (schedulers_.empty()) {
      throw bad_input(fmt::format("no simulation is built; build all of them with\n  {}",
                                  rounds::build_command("compare")));
    }
    for (std::string& each : schedulers_) each = installed.choose_simulated(each).name;
    schedulers_ = dataset::distinct(schedulers_);
  }

  /// Of one workload the first instance of the size, as `stealbench run` does; of more, all.
  void find_instances() {
    const std::vector<kit::assignment> assignments = assignments_in(set_);
    instances_.clear();
    for (const std::string& name : workloads_) {
      auto found = sizes_.instances_of(name, assignments);
      if (workloads_.size() == 1) found.resize(1);
      instances_.insert(instances_.end(), found.begin(), found.end());
    }
  }

  static void expect_price(const simulated_machine& machine, const dataset::instance& what) {
    try {
      static_cast<void>(virtual_machine::price_of(
          machine.profile, what.workload, {what.parameters.begin(), what.parameters.end()}));
    } catch (const std::invalid_argument& error) {
      throw bad_input(fmt::format("--profile {}: {}", machine.source, error.what()));
    }
  }

  std::vector<std::string> workloads_;
  std::vector<std::string> schedulers_;
  bool is_ablation_ = false;
  std::vector<contrast> contrasts_;
  std::vector<unsigned> workers_{1, 2, 4, 8, 16, 32, 64};
  workload_sizes sizes_;
  std::vector<std::string> set_;
  machine_options machine_options_;
  bool skips_sensitivity_ = false;
  unsigned seeds_ = rounds::fewest_rounds;
  unsigned jobs_ = std::max(1U, std::thread::hardware_concurrency());
  bool as_json_ = false;
  std::vector<dataset::instance> instances_;
  json about_ = nullptr;  // Of the design.
};

}  // namespace

std::unique_ptr<experiment> make() { return std::make_unique<simulation_experiment>(); }

}  // namespace stealbench::experiments::simulate
