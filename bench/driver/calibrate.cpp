// `stealbench calibrate`: measures what this machine charges for, and stores it as a profile.
#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/cell/program.hpp"
#include "bench/driver/calibration/prices.hpp"
#include "bench/driver/calibration/profile.hpp"
#include "bench/driver/commands.hpp"
#include "bench/driver/experiments/options.hpp"
#include "bench/driver/experiments/simulate/simulate.hpp"
#include "bench/driver/rounds/installation.hpp"
#include "bench/driver/rounds/progress.hpp"
#include "results/report/format.hpp"
#include "results/system/process.hpp"
#include "results/system/whole_file.hpp"
#include "schedulers/virtual_machine/profile.hpp"
#include "workloads/kit/parameters.hpp"

namespace stealbench::driver {
namespace {

using dataset::json;
using virtual_machine::profile;

/// The workloads that prices of strategies come from: of forks, spawns and pieces of loops.
constexpr std::array priced_by_workloads{"fib", "uts", "empty_loop"};

/// Priced beside the instances of a size, where a unit takes another time with parameters far from
/// these; no size has them, so that they leave each benchmark held out that is.
std::vector<dataset::instance> also_priced() {
  return {// The standard children take no step: a unit is a part of their receipts.
          {"spawn", {{"children", "32768"}, {"work", "1000"}}},
          // The standard matrix fits into no cache.
          {"cholesky", {{"n", "1024"}}}};
}

struct calibration_request {
  std::vector<std::string> workloads{"all"};
  experiments::instance_options instances;
  bool costs_only = false;
  std::filesystem::path output = experiments::simulate::default_profile_file;
};

std::vector<std::string> names_of(const calibration_request& request) {
  std::vector<std::string> names = request.workloads;
  experiments::resolve_workloads(names, "--workloads", experiments::simulated_workloads());
  return names;
}

/// What is priced, the instances that price strategies first. Throws kit::bad_input.
std::vector<dataset::instance> instances_of(const calibration_request& request) {
  const std::vector<std::string> names = names_of(request);
  std::vector<dataset::instance> all;
  for (const char* const name : priced_by_workloads) {
    const kit::description workload = rounds::find_workload(name);
    all.push_back(rounds::instances_of(workload, request.instances.size(), {}).front());
  }
  std::ranges::move(request.instances.all_of(names), std::back_inserter(all));
  std::ranges::copy_if(also_priced(), std::back_inserter(all), [&](const auto& each) {
    return std::ranges::count(names, each.workload) > 0;
  });
  return dataset::distinct(all);
}

/// One call of the command.
class calibration_run {
 public:
  explicit calibration_run(const calibration_request& request)
      : request_(request),
        instances_(instances_of(request)),
        sequential_(installed_.executable_of(std::string(cell::sequential_name))),
        strategies_(calibration::strategies_in(installed_)) {
    system::expect_writable(request.output);
    if (!request.costs_only && strategies_.empty()) {
      throw kit::bad_input(
          fmt::format("no simulated executable is built, so that units of work cannot be counted; "
                      "valid: --costs-only, or build one with\n  cmake --build {}",
                      sequential_.parent_path().string()));
    }
    steps_ = request.costs_only ? 1 : 2 + instances_.size() + strategies_.size();
  }

  int run() {
    begin("costs of the machine");
    profile_ = calibration::measure_machine(sequential_, runner_);
    transfers_ = {profile_.costs.transfer};
    if (request_.costs_only) {
      take_over_prices();
    } else {
      measure_prices();
      compare_transfers();
    }
    calibration::round(profile_);
    if (!request_.costs_only) check_profile();
    profile_.name = request_.output.stem();  // It may be no UTF-8.
    const auto text = json_of(profile_).dump(2, ' ', false, json::error_handler_t::replace);
    system::write_atomically(request_.output, text + "\n");
    std::cout << fmt::format("Written: {}\n", request_.output.string());
    return 0;
  }

 private:
  /// A line where it is not a terminal.
  void begin(const std::string& step) {
    const double done = static_cast<double>(done_++) / static_cast<double>(steps_);
    progress_.begin_stage(step, {.done = done});
    progress_.begin("", {.done = done});
  }

  void measure_prices() {
    calibration::pricing_runs prices{profile_, sequential_, strategies_.front(), runner_};
    const auto measure_transfer_again = [&] {
      transfers_.push_back(calibration::measure_transfer(sequential_, runner_));
    };
    for (const dataset::instance& each : instances_) {
      begin(fmt::format("price of a unit of {}", label_of(each)));
      prices.add_unit(each);
      measure_transfer_again();
    }
    for (const calibration::strategy& each : strategies_) {
      begin(fmt::format("prices of {}", each.scheduler));
      prices.add_strategy(each, {instances_[0], instances_[1], instances_[2]});
    }
    measure_transfer_again();
  }

  /// A hypervisor may move a virtual processor to another core, farther from the other one: then
  /// the profile holds for a part of the time only. It has the greatest of all that was measured: a
  /// program that waits for lines spends most of that time on the slow transfers, and on machines
  /// with more processors most pairs are far apart.
  void compare_transfers() {
    constexpr double most = 1.5;
    const auto [least, greatest] = std::ranges::minmax(transfers_);
    profile_.costs.transfer = profile_.costs.remote_transfer = greatest;
    if (greatest <= most * least) return;
    const std::string changed = fmt::format(
        "of {} measurements of transfer one was {} and another {}; the profile has the greatest",
        transfers_.size(), report::seconds(least * 1e-9), report::seconds(greatest * 1e-9));
    progress_.note(fmt::format(
        "stealbench: warning: {}. The distance of the processors changes, as under a hypervisor "
        "that moves them",
        changed));
    profile_.source += fmt::format(" The distance of the processors changed: {}.", changed);
  }

  void check_profile() {
    begin("checks of the profile");
    profile_.doubt = calibration::doubt_about(
        profile_, strategies_.front(),
        calibration::instances_to_check(names_of(request_), instances_), runner_,
        [&](const std::string& line) { progress_.note("stealbench: check: " + line); });
    if (profile_.doubt.empty()) return;
    progress_.note("stealbench: warning: the profile is doubtful: " + profile_.doubt);
  }

  void take_over_prices() {
    const profile reference = virtual_machine::read_profile(installed_.profile_file("reference"));
    profile_.strategies = reference.strategies;
    profile_.work = reference.work;
    profile_.source += fmt::format(" Prices of units and strategies: those of {} ({}).",
                                   reference.name, reference.processor);
  }

  const calibration_request& request_;
  rounds::installation installed_ = rounds::installation::of_this_program();
  std::vector<dataset::instance> instances_;
  std::filesystem::path sequential_;
  std::vector<calibration::strategy> strategies_;
  std::size_t steps_ = 0;
  std::size_t done_ = 0;
  profile profile_;
  std::vector<double> transfers_;  // First, after each unit's price, and last.
  rounds::progress progress_;
  system::process_runner runner_;
};

int calibrate(const calibration_request& request) { return calibration_run(request).run(); }

}  // namespace

void declare_calibrate(CLI::App& program, int& status) {
  const auto [command, request] =
      add_command(program, "calibrate",
                  "Measure the profile of this machine for simulations: the costs of memory, "
                  "kernel and threads, and the price of each workload's unit of work",
                  calibrate, status);
  cell::add_option(command, "--workloads", request.workloads,
                   {cell::takes::workload, experiments::simulated_workload()},
                   "Workloads whose units of work get a price, or all; fib, uts and empty_loop are "
                   "always measured, because prices of schedulers come from them");
  experiments::settings options(command);
  request.instances.declare(options);
  command.add_flag("--costs-only", request.costs_only,
                   "Measure only what memory, kernel and threads cost, in some seconds; take the "
                   "prices of work and schedulers from the profile `reference`");
  cell::add_option(
      command, "--output", request.output, cell::takes::file,
      "File for the profile, as JSON; its name is that of the profile. An existing file is "
      "replaced");
  cell::add_footer(
      command,
      "Close other programs first: a profile measured on a busy machine is one of a slower "
      "machine.\n\n"
      "Exit status: 0 if the profile was written, 1 if something could not be measured, 2 for bad "
      "input. Unless it is 0, an older file stays.",
      {"--output here.json", "--costs-only"});
}

}  // namespace stealbench::driver
