// `stealbench compare`: every scheduler on every workload.
#include <fmt/format.h>

#include "bench/cell/command_line.hpp"
#include "bench/driver/experiments/experiment.hpp"
#include "results/sections/sections.hpp"
#include "schedulers/variant.hpp"

namespace stealbench::experiments {
namespace {

/// The scheduler whose variants --ablation compares.
constexpr std::string_view ablation_subject = "work-stealing";

/// `serial`, the default, and each variant that differs from it in one setting.
std::vector<std::string> ablation_schedulers(const rounds::installation& installed) {
  const std::string subject(ablation_subject);
  std::vector<std::string> names{"serial", subject};
  for (const schedulers::setting& each : installed.description_of(subject).settings) {
    for (auto value = each.values.begin() + 1; value != each.values.end(); ++value) {
      names.push_back(fmt::format("{}:{}={}", subject, each.name, value->word));
    }
  }
  return names;
}

class comparison final : public experiment {
 public:
  comparison()
      : experiment(
            {.name = "compare",
             .summary = "Measure every scheduler on every workload and rank the schedulers",
             .notes = {},
             .examples =
                 "Examples:\n"
                 "  stealbench compare --workloads fib,uts --schedulers serial,work-stealing\n"
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
    CLI::Option* const schedulers = add_schedulers(options, schedulers_);
    options
        .add("--ablation", is_ablation_,
             "Compare serial, work-stealing, and work-stealing with one setting changed at a time. "
             "Adds a table of times relative to the default settings")
        ->excludes(schedulers);
    add_workers(options, workers_);
    add_size(options, size_);
  }

  void check(const rounds::installation& installed) override {
    if (workloads_ == std::vector<std::string>{"all"}) workloads_ = rounds::workload_names();
    workloads_ = dataset::distinct(workloads_);
    workers_ = dataset::distinct(workers_);
    // Those of an ablation that is resumed are known, unless others were typed.
    if (is_ablation_ && schedulers_.empty()) schedulers_ = ablation_schedulers(installed);
    resolve_schedulers(schedulers_, installed);
    for (const std::string& each : workloads_) {
      static_cast<void>(find_size(rounds::find_workload(each), size_));
    }
  }

  /// By workload instance, then workers, then scheduler.
  [[nodiscard]] design make(const probe& /*where*/) override {
    design made;
    for (const std::string& workload : workloads_) {
      for (const dataset::instance& what :
           rounds::instances_of(rounds::find_workload(workload), size_, {})) {
        for (const unsigned count : workers_) {
          for (const std::string& scheduler : schedulers_) {
            made.cells.push_back({what, scheduler, count});
          }
        }
      }
    }
    if (is_ablation_) made.about["ablation_of"] = ablation_subject;
    return made;
  }

 private:
  std::vector<std::string> workloads_{"fib", "mergesort", "uts"};
  std::vector<std::string> schedulers_;
  bool is_ablation_ = false;
  std::vector<unsigned> workers_{1, 2};
  std::string size_ = "standard";
};

}  // namespace

std::unique_ptr<experiment> make_compare() { return std::make_unique<comparison>(); }

}  // namespace stealbench::experiments
