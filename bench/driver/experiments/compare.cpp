// `stealbench compare`: every scheduler on every workload.
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/cell/command_line.hpp"
#include "bench/driver/experiments/ablation.hpp"
#include "bench/driver/experiments/experiment.hpp"
#include "bench/driver/experiments/options.hpp"
#include "bench/driver/rounds/host.hpp"
#include "results/sections/sections.hpp"

namespace stealbench::experiments::compare {
namespace {

using texts = std::vector<std::string>;

bool is_in(const texts& all, const std::string& one) { return std::ranges::count(all, one) > 0; }

/// In-house schedulers that run in parallel: what an ablation is about.
texts ablated(const rounds::installation& installed) {
  texts names = installed.built();
  std::erase_if(names,
                [](const auto& each) { return !is_in(rounds::simulated_schedulers(), each); });
  return names;
}

/// Those that are built of the schedulers that a new user knows or comes for: those of the first
/// table of the README.
texts well_known(const rounds::installation& installed) {
  texts names{"serial",           "work-stealing", "central-queue", "work-sharing",
              "static-partition", "onetbb",        "openmp"};
  std::erase_if(names,
                [built = installed.built()](const auto& each) { return !is_in(built, each); });
  return names;
}

class comparison final : public experiment {
 public:
  comparison()
      : experiment({.name = "compare",
                    .summary = "Measure every scheduler on every workload and rank the schedulers",
                    .examples =
                        "Examples:\n"
                        "  stealbench compare --workloads fib,uts --workers 1,2 --schedulers all\n"
                        "  stealbench compare --workloads all --size small --workers 2 --rounds 1"},
                   90) {
    plan().counts = true;
  }

  void declare(settings& options) override {
    texts valid = rounds::workload_names();
    valid.emplace_back("all");
    options.add("--workloads", workloads_, "Workloads, or all; see `stealbench list`")
        ->type_name(cell::takes::workload)
        ->check(cell::one_of(valid))
        ->capture_default_str();
    CLI::Option* const schedulers = add_schedulers(
        options, schedulers_,
        "serial, work-stealing, central-queue, work-sharing, static-partition, onetbb, openmp");
    options
        .add(
            "--ablation", is_ablation_,
            "Compare serial, the in-house schedulers, and each with one setting changed at a time. "
            "Adds tables of times relative to what a variant differs from in one factor")
        ->excludes(schedulers);
    options
        .add("--exclude", excluded_,
             "Leave out these workloads and schedulers, a scheduler with all its settings unless "
             "it is named with some")
        ->type_name(cell::takes::workload_or_scheduler);
    add_workers(options, workers_, "1, 2, 4, ... and the number of processors");
    sizes_.declare(options);
    add_assignments(options, set_, "Set a parameter of each workload that has it");
    options.add("--pin", is_pinned_, "Pin worker i to the i-th processor that the process may use");
  }

  void check(const rounds::installation& installed) override {
    rounds::expect_all_alone("--workloads", workloads_);
    workloads_ = dataset::distinct(workloads_);
    if (workloads_ == texts{"all"}) workloads_ = rounds::workload_names();
    resolve_excluded(installed);
    std::erase_if(workloads_, [&](const auto& each) { return is_in(excluded_, each); });
    sizes_.check(workloads_);
    find_instances();
    // Those of an ablation that is resumed are known, unless others were typed.
    if (is_ablation_ && schedulers_.empty()) {
      texts bases = ablated(installed);
      leave_out_of(bases);
      contrasts_ = contrasts_among(bases, installed);
      std::erase_if(contrasts_, [&](const contrast& each) {
        return is_excluded(each.variant) || is_excluded(each.against);
      });
      schedulers_ = strategies_in(contrasts_);
      schedulers_.insert(schedulers_.begin(), "serial");
    }
    if (schedulers_.empty()) schedulers_ = well_known(installed);
    resolve_schedulers(schedulers_, installed);
    leave_out_of(schedulers_);
    if (schedulers_.empty() || workloads_.empty()) {
      throw kit::bad_input(
          fmt::format("--exclude {}: leaves nothing to compare; valid: some of "
                      "what is chosen",
                      fmt::join(excluded_, ",")));
    }
  }

  /// By workload instance, then workers, then scheduler.
  [[nodiscard]] design make(const rounds::installation& /*installed*/) override {
    design made;
    for (const dataset::instance& what : instances_) {
      for (const unsigned count : workers_) {
        for (const std::string& scheduler : schedulers_) {
          if (!is_measured_with(count, workers_, scheduler)) continue;
          made.cells.push_back({what, scheduler, count});
        }
      }
    }
    if (is_ablation_) made.about["ablation"] = analysis::json_of(contrasts_);
    return made;
  }

  [[nodiscard]] rounds::target target_of(const dataset::cell& which,
                                         const rounds::installation& installed) const override {
    rounds::target made = experiment::target_of(which, installed);
    made.is_pinned = is_pinned_;
    return made;
  }

  [[nodiscard]] std::vector<report::section> report(
      const dataset::measurements& data) const override {
    return sections::compare_sections(data);
  }

 private:
  /// `work-stealing` excludes `work-stealing:idle=spin` too.
  [[nodiscard]] bool is_excluded(const std::string& scheduler) const {
    return is_in(excluded_, scheduler) ||
           is_in(excluded_, scheduler.substr(0, scheduler.find(':')));
  }

  void leave_out_of(texts& schedulers) const {
    std::erase_if(schedulers, [&](const std::string& each) { return is_excluded(each); });
  }

  /// Settings in canonical form. What is not built need not be left out.
  void resolve_excluded(const rounds::installation& installed) {
    for (std::string& each : excluded_) {
      if (is_in(rounds::workload_names(), each) || is_in(installed.not_built(), each)) continue;
      each = installed.choose(each).name;
    }
  }

  void find_instances() {
    const std::vector<kit::assignment> wanted = assignments_in(set_);
    std::set<std::string> used;
    instances_.clear();
    for (const std::string& workload : workloads_) {
      std::vector<kit::assignment> set;
      for (const kit::parameter& each : rounds::find_workload(workload).parameters) {
        const auto found = std::ranges::find(wanted, each.key, &kit::assignment::first);
        if (found == wanted.end()) continue;
        set.push_back(*found);
        used.insert(each.key);
      }
      std::ranges::move(sizes_.instances_of(workload, set), std::back_inserter(instances_));
    }
    instances_ = dataset::distinct(instances_);
    for (const auto& [key, value] : wanted) {
      if (used.contains(key)) continue;
      throw kit::bad_input(
          fmt::format("--set {}={}: no chosen workload has this parameter; valid: "
                      "those that `stealbench list WORKLOAD` names for one of {}",
                      key, value, fmt::join(workloads_, ", ")));
    }
  }

  texts workloads_{"mergesort", "uts"};
  texts schedulers_;
  texts excluded_;
  bool is_ablation_ = false;
  bool is_pinned_ = false;
  std::vector<contrast> contrasts_;
  std::vector<unsigned> workers_ = usual_worker_counts(rounds::usable_processors());
  workload_sizes sizes_;
  texts set_;
  std::vector<dataset::instance> instances_;
};

}  // namespace

std::unique_ptr<experiment> make() { return std::make_unique<comparison>(); }

}  // namespace stealbench::experiments::compare
