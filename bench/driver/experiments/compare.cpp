// `stealbench compare`: every scheduler on every workload.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/cell/command_line.hpp"
#include "bench/driver/experiments/experiment.hpp"
#include "bench/driver/experiments/options.hpp"
#include "bench/driver/rounds/host.hpp"
#include "results/analysis/strategies/regret.hpp"
#include "results/sections/sections.hpp"
#include "schedulers/operating_system/processors.hpp"

namespace stealbench::experiments::compare {
namespace {

using texts = std::vector<std::string>;

bool is_in(const texts& all, const std::string& one) { return std::ranges::count(all, one) > 0; }

/// An object for each scheduler.
std::vector<dataset::json> regrets(const dataset::measurements& data) {
  const analysis::estimates known(data);
  std::vector<dataset::json> values;
  for (const std::string& each : known.schedulers()) {
    values.push_back({{"scheduler", each},
                      {"simulated", false},
                      {"rounds", known.fewest_rounds()},
                      {"regret", analysis::regret_in_json(known, each)}});
  }
  return values;
}

class comparison final : public experiment {
 public:
  comparison()
      : experiment({.name = "compare",
                    .summary = "Measure every scheduler on every workload and rank the schedulers",
                    .examples = {"--workloads fib,uts --workers 1,2 --schedulers all",
                                 "--workloads all --size small --workers 2 --rounds 1"},
                    .report = sections::compare_sections,
                    .values = regrets,
                    .json_help = "Print JSON, an object for each scheduler with its regret, and no "
                                 "report",
                    .budget_seconds = 90}) {
    plan().counts = true;
  }

  void declare(settings& options) override {
    add_workloads(options, workloads_);
    CLI::Option* const schedulers = add_schedulers(
        options, schedulers_, fmt::format("{}", fmt::join(rounds::compared_schedulers(), ", ")));
    options
        .add("--ablation", is_ablation_,
             "Compare serial, the in-house schedulers, and each with one setting changed at a "
             "time. Adds tables of times relative to what a variant differs from in one factor")
        ->excludes(schedulers);
    options.add("--exclude", excluded_, cell::takes::workload_or_scheduler,
                "Leave out these workloads and schedulers, a scheduler with all its settings "
                "unless it is named with some");
    add_workers(options, workers_, "1, 2, 4, ... and the numbers of cores and of processors");
    instances_.declare(options);
    add_pin(options, pattern());
  }

  [[nodiscard]] design check(const rounds::installation& installed) override {
    resolve_workloads(workloads_, "--workloads", rounds::workload_names());
    expect_known_exclusions(installed);
    const auto is_excluded = [&](const std::string& name) {
      return std::ranges::any_of(excluded_, [&](const std::string& each) {
        // One that is named with settings is that alone, even if all of them are defaults.
        return each.find(':') == std::string::npos ? each == name.substr(0, name.find(':'))
                                                   : installed.choose(each).name == name;
      });
    };
    std::erase_if(workloads_, is_excluded);
    design wanted;
    // Those of an ablation that is resumed are known, unless others were typed.
    if (is_ablation_ && schedulers_.empty()) {
      installed.expect_all_built(/*are_simulations=*/false);
      texts bases = built_among(rounds::simulated_schedulers(), installed);
      std::erase_if(bases, is_excluded);
      std::vector<contrast> contrasts = contrasts_among(bases, installed);
      std::erase_if(contrasts, [&](const contrast& each) {
        return is_excluded(each.variant) || is_excluded(each.against);
      });
      schedulers_ = strategies_in(contrasts);
      schedulers_.insert(schedulers_.begin(), "serial");
      wanted.about["ablation"] = analysis::json_of(contrasts);
    }
    if (schedulers_.empty()) {
      schedulers_ = built_among(rounds::compared_schedulers(), installed);
      texts missing = rounds::compared_schedulers();
      std::erase_if(missing, [&](const std::string& each) {
        return is_in(schedulers_, each) || is_excluded(each);
      });
      if (!missing.empty()) {
        const std::string command = installed.compare_command(missing);
        wanted.about["not_built"] = {{"schedulers", missing}, {"command", command}};
      }
    }
    resolve_schedulers(schedulers_, installed);
    std::erase_if(schedulers_, is_excluded);
    if (schedulers_.empty() || workloads_.empty()) {
      throw kit::bad_input(
          fmt::format("--exclude {}: leaves nothing to compare; valid: some of what is chosen",
                      fmt::join(excluded_, ",")));
    }
    wanted.cells = every_cell(instances_.all_of(workloads_), workers_, schedulers_);
    return wanted;
  }

 private:
  void expect_known_exclusions(const rounds::installation& installed) {
    texts valid = rounds::workload_names();
    std::ranges::copy(installed.known(), std::back_inserter(valid));
    for (std::string& each : excluded_) {
      const std::string name = each.substr(0, each.find(':'));
      if (!is_in(valid, name)) {
        kit::refuse(fmt::format("--exclude {}: no such workload or scheduler", each), valid);
      }
      if (name == each) continue;  // What is not built need not be left out.
      // --resume compares it with what was typed first. Without settings it would be all variants.
      const std::string canonical = installed.choose(each).name;
      if (canonical != name) each = canonical;
    }
  }

  texts workloads_{"mergesort", "uts"};
  texts schedulers_;
  texts excluded_;
  bool is_ablation_ = false;
  std::vector<unsigned> workers_ =
      usual_worker_counts(rounds::usable_processors(), operating_system::this_machine().cores());
  instance_options instances_;
};

}  // namespace

std::unique_ptr<experiment> make() { return std::make_unique<comparison>(); }

}  // namespace stealbench::experiments::compare
