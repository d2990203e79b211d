#include "bench/compare/grain.hpp"

#include <algorithm>
#include <memory>
#include <thread>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/compare/grain_report.hpp"
#include "bench/compare/series.hpp"
#include "workloads/catalogue.hpp"

namespace stealbench::compare {
namespace {

using workloads::assignment;
using workloads::bad_input;

struct grain_request {
  std::string workload;
  std::string schedulers = "work-stealing";
  std::string workers = std::to_string(std::max(1U, std::thread::hardware_concurrency()));
  std::string size = "standard";
  std::string grains;  ///< In place of the usual ones.
  std::vector<std::string> set;
  series_request series = {.budget_seconds = "120"};
};

workloads::description find_workload_with_grain(const std::string& name) {
  workloads::description found = find_workload(name);
  if (found.grain) return found;
  std::vector<std::string> valid;
  for (const workloads::description& each : workloads::descriptions()) {
    if (each.grain) valid.push_back(each.name);
  }
  throw bad_input(fmt::format("{} has no grain to sweep; valid: {}", name, fmt::join(valid, ", ")));
}

std::vector<assignment> assignments_of(const grain_request& asked, const std::string& grain) {
  std::vector<assignment> set;
  for (const std::string& each : asked.set) {
    set.push_back(workloads::parse_assignment(each));
    if (set.back().first == grain) {
      throw bad_input(fmt::format(
          "{} is what is swept; valid: --grains LIST in place of --set {}=…", grain, grain));
    }
  }
  return set;
}

std::vector<std::uint64_t> typed_grains(const grain_request& asked,
                                        const workloads::description& of) {
  std::vector<std::uint64_t> grains;
  for (const std::string& each : split_list(asked.grains)) {
    const workloads::parameters checked(of, {{of.grain->parameter, each}});
    grains.push_back(checked.integer(of.grain->parameter));
  }
  return without_repetitions(grains);
}

/// What is set on each instance of the size, at each of its grains.
std::vector<instance> instances_at_all_grains(const grain_request& asked,
                                              const workloads::description& of) {
  const std::string& key = of.grain->parameter;
  const std::vector<std::uint64_t> typed = typed_grains(asked, of);
  std::vector<instance> all;
  for (const workloads::parameters& chosen : workloads::instances_of(
           of, workloads::find_size(of, asked.size), assignments_of(asked, key))) {
    for (const std::uint64_t grain : typed.empty() ? grains_of(of, chosen) : typed) {
      instance& added = all.emplace_back(instance{of.name, {}});
      for (const auto& [name, value] : chosen.all()) {
        if (name == key) {
          added.set.emplace_back(name, std::to_string(grain));
        } else if (chosen.was_set(name)) {
          added.set.emplace_back(name, workloads::to_string(value));
        }
      }
    }
  }
  return without_repetitions(all);
}

plan plan_of(const grain_request& asked, const workloads::description& of) {
  const installation here = installation::of_this_program();
  const std::vector<instance> instances = instances_at_all_grains(asked, of);
  const std::vector<runnable> schedulers = chosen_schedulers(asked.schedulers, here);
  const std::vector<unsigned> workers = chosen_workers(asked.workers);
  plan made = plan_without_cells(asked.series);
  for (const unsigned count : workers) {
    for (const runnable& each : schedulers) {
      for (const instance& what : instances) {
        made.cells.push_back({each.name, each.executable, what, count});
      }
    }
  }
  return made;
}

int sweep_grains(const grain_request& asked) {
  const workloads::description of = find_workload_with_grain(asked.workload);
  plan what = plan_of(asked, of);
  record kept(asked.series.output, earlier::replace, "grain");
  kept.describe("sweep", of.grain->parameter);
  kept.describe("greater_grain",
                of.grain->counts == workloads::grain_unit::levels_of_forks ? "finer" : "coarser");
  kept.describe("grain_unit", of.grain->counts == workloads::grain_unit::size ? "size" : "levels");
  kept.describe("workloads", asked.workload);
  kept.describe("schedulers", asked.schedulers);
  kept.describe("workers", asked.workers);
  kept.describe("size", asked.size);
  return measure_series(
      std::move(what), asked.series, kept,
      [](const std::vector<cell_result>& results, const nlohmann::ordered_json& context) {
        return series_account{.title = "Grain",
                              .tables = grain_tables(results, context),
                              .verdicts = grain_verdicts(results, context),
                              .guide = grain_guide()};
      });
}

}  // namespace

std::vector<std::uint64_t> grains_of(const workloads::description& of,
                                     const workloads::parameters& chosen) {
  const workloads::granularity& grain = of.grain.value();
  const auto [least, most] = workloads::range_of_grain(of, chosen);
  const bool are_levels = grain.counts != workloads::grain_unit::size;
  constexpr std::uint64_t ten_doublings = 1 << 10;
  const std::uint64_t factor = most / std::max<std::uint64_t>(least, 1) > ten_doublings ? 4 : 2;
  std::vector<std::uint64_t> grains{std::clamp(chosen.integer(grain.parameter), least, most), most};
  // Written so that no step leaves the 64 bits.
  for (std::uint64_t each = least; each < most;) {
    grains.push_back(each);
    if (!are_levels && each > most / factor) break;
    each = are_levels ? each + 1 : each * factor;
  }
  std::sort(grains.begin(), grains.end());
  return without_repetitions(grains);
}

void declare_grain(CLI::App& program, const std::vector<std::string>& arguments, int& status) {
  const auto asked = std::make_shared<grain_request>();
  CLI::App* const command = program.add_subcommand(
      "grain", "Measure a workload at every grain, and say which is best and how flat that is");
  command->add_option("WORKLOAD", asked->workload, "One that has a grain: see `list`")->required();
  command
      ->add_option("--schedulers,--scheduler", asked->schedulers,
                   "Separated by commas, with settings as in `run`")
      ->capture_default_str();
  command->add_option("--workers", asked->workers, "Numbers of workers, separated by commas")
      ->capture_default_str();
  command->add_option("--size", asked->size, "test, small, standard or large")
      ->capture_default_str();
  command->add_option("--set", asked->set, "NAME=VALUE of another parameter; may be repeated");
  command->add_option(
      "--grains", asked->grains,
      "Separated by commas, in place of the usual ones: steps of a factor of 2 or 4, "
      "or every level of a cut-off");
  declare_series_options(*command, "grain", asked->series);
  command->callback([asked, arguments, &status] {
    asked->series.command = fmt::format("stealbench {}", fmt::join(arguments, " "));
    status = sweep_grains(*asked);
  });
  command->footer(
      "With one scheduler and one number of workers it takes about the budget, or one round if "
      "that "
      "is longer. Exit status: 0 if all cells finished, 1 if one did not or a file could not be "
      "written, 2 for bad input, found before any cell ran.");
}

}  // namespace stealbench::compare
