// `stealbench grain`: how coarse the pieces of a workload should be.
#include "bench/driver/experiments/grain/grain.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bench/cell/command_line.hpp"
#include "bench/driver/experiments/experiment.hpp"
#include "bench/driver/experiments/options.hpp"
#include "bench/driver/rounds/host.hpp"
#include "workloads/catalogue.hpp"

namespace stealbench::experiments::grain {
namespace {

using kit::bad_input;
using kit::grain_unit;

std::vector<std::string> names_with_grain() {
  std::vector<std::string> names;
  for (const kit::description& each : workloads::descriptions()) {
    if (each.grain) names.push_back(each.name);
  }
  return names;
}

class grain_experiment final : public experiment {
 public:
  grain_experiment()
      : experiment(
            {.name = "grain",
             .summary = "Measure a workload at several grain sizes. Report the best grain "
                        "size and the range of grain sizes that are at most 5 % slower",
             .examples = {"mergesort",
                          "nqueens --schedulers work-stealing,onetbb --workers 2 --budget 60"},
             .report = grain_sections}) {}

  void declare(settings& options) override {
    options.add("WORKLOAD", workload_, {cell::takes::workload, cell::one_of(names_with_grain())},
                "Workload that has a grain size; see `stealbench list`. Required without --resume");
    add_schedulers(options, schedulers_, "work-stealing");
    add_workers(options, workers_, "the number of processors");
    options.add("--size", size_, cell::takes::size(),
                "Size of each workload: preset parameter values");
    options.add("--set", set_, cell::takes::assignment,
                "Set a parameter of the workload other than the grain size. May be repeated");
    options
        .add("--grains", grains_, "N",
             "Grain sizes to measure, as values of the workload's grain parameter")
        ->default_str(
            "powers of 2 or 4 over the useful range; if the parameter counts levels, every level");
  }

  [[nodiscard]] design check(const rounds::installation& installed) override {
    if (workload_.empty()) kit::refuse("grain: WORKLOAD is required", names_with_grain());
    if (schedulers_.empty()) schedulers_ = {"work-stealing"};
    resolve_schedulers(schedulers_, installed);
    const kit::description workload = rounds::find_workload(workload_);
    return {.cells = every_cell(instances_at_all_grains(workload), workers_, schedulers_),
            .about = analysis::json_of(analysis::grain_parameter{
                .name = workload.grain->parameter,
                .greater = workload.grain->counts == grain_unit::levels_of_forks
                               ? analysis::greater_grain::is_finer
                               : analysis::greater_grain::is_coarser,
                .is_size = workload.grain->counts == grain_unit::size})};
  }

 private:
  /// What is set on each instance of the size, at each of its grains.
  [[nodiscard]] std::vector<dataset::instance> instances_at_all_grains(
      const kit::description& workload) const {
    const std::string& parameter = workload.grain->parameter;
    const std::vector<kit::assignment> set = assignments_in(set_);
    for (const auto& [key, value] : set) {
      if (key != parameter) continue;
      throw bad_input(
          fmt::format("--set {}={}: this command varies {}, the grain size; valid: --grains N,... "
                      "to choose its values",
                      key, value, parameter));
    }
    std::vector<dataset::instance> instances;
    for (const kit::parameters& chosen :
         kit::instances_of(workload, kit::find_size(workload, size_), set)) {
      std::vector<std::string> grains = grains_;
      if (grains.empty()) {
        for (const auto each : grains_of(workload, chosen)) grains.push_back(std::to_string(each));
      }
      const dataset::instance ungrained =
          dataset::without(rounds::instance_of(workload.name, chosen), parameter);
      for (const std::string& grain : grains) {
        std::vector<kit::assignment> with_grain = ungrained.parameters;
        with_grain.emplace_back(parameter, grain);
        instances.push_back(
            rounds::instance_of(workload.name, kit::parameters(workload, with_grain, "--grains")));
      }
    }
    return dataset::distinct(instances);
  }

  std::string workload_;
  std::vector<std::string> schedulers_;
  std::vector<unsigned> workers_{rounds::usable_processors()};
  std::string size_ = "standard";
  std::vector<std::string> set_;
  std::vector<std::string> grains_;
};

}  // namespace

std::vector<std::uint64_t> grains_of(const kit::description& workload,
                                     const kit::parameters& chosen) {
  const kit::granularity& grain = workload.grain.value();
  const auto [least, most] = kit::range_of_grain(workload, chosen);
  const bool are_levels = grain.counts != grain_unit::size;
  constexpr std::uint64_t ten_doublings = 1 << 10;
  const std::uint64_t factor = most / std::max<std::uint64_t>(least, 1) > ten_doublings ? 4 : 2;
  std::vector<std::uint64_t> grains{std::clamp(chosen.integer(grain.parameter), least, most), most};
  // Written so that no step leaves the 64 bits.
  for (std::uint64_t each = least; each < most;) {
    grains.push_back(each);
    if (!are_levels && each > most / factor) break;
    each = are_levels ? each + 1 : each * factor;
  }
  std::ranges::sort(grains);
  return dataset::distinct(grains);
}

std::unique_ptr<experiment> make() { return std::make_unique<grain_experiment>(); }

}  // namespace stealbench::experiments::grain
