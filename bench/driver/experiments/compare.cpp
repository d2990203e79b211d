// `stealbench compare`: every scheduler on every workload.
#include <algorithm>

#include "bench/cell/command_line.hpp"
#include "bench/driver/experiments/ablation.hpp"
#include "bench/driver/experiments/experiment.hpp"
#include "results/sections/sections.hpp"

namespace stealbench::experiments::compare {
namespace {

/// In-house schedulers that run in parallel: what an ablation is about.
std::vector<std::string> ablated(const rounds::installation& installed) {
  std::vector<std::string> names = installed.built();
  std::erase_if(names, [](const std::string& each) {
    return std::ranges::count(rounds::simulated_schedulers(), each) == 0;
  });
  return names;
}

/// Those that are built of the schedulers that a new user knows or comes for: six rounds of them
/// and of the workloads below take two minutes.
std::vector<std::string> well_known(const rounds::installation& installed) {
  std::vector<std::string> names{"serial",       "work-stealing",    "central-queue",
                                 "work-sharing", "static-partition", "onetbb",
                                 "openmp"};
  const std::vector<std::string> built = installed.built();
  std::erase_if(names,
                [&](const std::string& each) { return std::ranges::count(built, each) == 0; });
  return names;
}

class comparison final : public experiment {
 public:
  comparison()
      : experiment({.name = "compare",
                    .summary = "Measure every scheduler on every workload and rank the schedulers",
                    .notes = {},
                    .examples =
                        "Examples:\n"
                        "  stealbench compare --workloads fib,uts --workers 1,2 --schedulers all\n"
                        "  stealbench compare --workloads all --size small --workers 2 --rounds 1",
                    .report = sections::compare_sections,
                    .budget_seconds = 90,
                    .counts = true}) {}

  void declare(settings& options) override {
    std::vector<std::string> valid = rounds::workload_names();
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
    add_workers(options, workers_);
    sizes_.declare(options);
  }

  void check(const rounds::installation& installed) override {
    rounds::expect_all_alone("--workloads", workloads_);
    workloads_ = dataset::distinct(workloads_);
    if (workloads_ == std::vector<std::string>{"all"}) workloads_ = rounds::workload_names();
    workers_ = dataset::distinct(workers_);
    sizes_.check(workloads_);
    // Those of an ablation that is resumed are known, unless others were typed.
    if (is_ablation_ && schedulers_.empty()) {
      contrasts_ = contrasts_among(ablated(installed), installed);
      schedulers_ = strategies_in(contrasts_);
      schedulers_.insert(schedulers_.begin(), "serial");
    }
    if (schedulers_.empty()) schedulers_ = well_known(installed);
    resolve_schedulers(schedulers_, installed);
  }

  /// By workload instance, then workers, then scheduler.
  [[nodiscard]] design make(const probe& /*where*/) override {
    design made;
    for (const std::string& workload : workloads_) {
      for (const dataset::instance& what : sizes_.instances_of(workload)) {
        for (const unsigned count : workers_) {
          for (const std::string& scheduler : schedulers_) {
            made.cells.push_back({what, scheduler, count});
          }
        }
      }
    }
    if (is_ablation_) made.about["ablation"] = analysis::json_of(contrasts_);
    return made;
  }

 private:
  std::vector<std::string> workloads_{"mergesort", "uts"};
  std::vector<std::string> schedulers_;
  bool is_ablation_ = false;
  std::vector<contrast> contrasts_;
  std::vector<unsigned> workers_{2};
  workload_sizes sizes_;
};

}  // namespace

std::unique_ptr<experiment> make() { return std::make_unique<comparison>(); }

}  // namespace stealbench::experiments::compare
