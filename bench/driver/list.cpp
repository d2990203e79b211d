#include <algorithm>
#include <initializer_list>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "bench/cell/command_line.hpp"
#include "bench/cell/program.hpp"
#include "bench/driver/commands.hpp"
#include "bench/driver/experiments/report.hpp"
#include "bench/driver/listed_schedulers.hpp"
#include "bench/driver/rounds/installation.hpp"
#include "results/sections/sections.hpp"
#include "workloads/catalogue.hpp"

namespace stealbench::driver {
namespace {

using nlohmann::ordered_json;

struct list_request {
  std::string name;
  bool as_json = false;
  bool as_markdown = false;
  std::string measured;  ///< A folder with an ablation; may be empty.
};

ordered_json json_of(const kit::parameter& parameter) {
  ordered_json made{{"name", parameter.key}, {"meaning", parameter.meaning}};
  const auto add_domain = [&]<class Domain>(const Domain& domain) {
    if constexpr (std::is_same_v<Domain, kit::choice_domain>) {
      made.update({{"type", "choice"}, {"choices", domain.words}});
    } else {
      constexpr bool is_integer = std::is_same_v<Domain, kit::integer_domain>;
      made.update(
          {{"type", is_integer ? "integer" : "real"}, {"min", domain.least}, {"max", domain.most}});
    }
    made["default"] = domain.standard;
  };
  std::visit(add_domain, parameter.domain);
  return made;
}

ordered_json json_of(const kit::description& workload) {
  ordered_json parameters = ordered_json::array();
  for (const kit::parameter& each : workload.parameters) parameters.push_back(json_of(each));
  ordered_json sizes = ordered_json::object();
  for (const kit::size& each : workload.sizes) {
    sizes[each.name] = ordered_json::array();
    for (const auto& assignments : each.instances) {
      ordered_json& instance = sizes[each.name].emplace_back(ordered_json::object());
      for (const auto& [key, value] : assignments) instance[key] = value;
    }
  }
  ordered_json unit = nullptr;  // Cannot be simulated.
  if (!workload.about.unit.empty()) unit = workload.about.unit;
  ordered_json grain = nullptr;
  if (workload.grain) grain = workload.grain->parameter;
  const kit::profile& about = workload.about;
  return {{"name", workload.name},
          {"family", workload.family},
          {"summary", workload.summary},
          {"shape", about.shape},
          {"tasks", about.tasks},
          {"work", about.work},
          {"span", about.span},
          {"bound_by", about.bound_by},
          {"answer", about.answer},
          {"source", about.source},
          {"unit", unit},
          {"parameters", parameters},
          {"grain", grain},
          {"sizes", std::move(sizes)}};
}

/// The values that a parameter takes, from its JSON.
std::string range_of(const ordered_json& parameter) {
  const ordered_json& standard = parameter["default"];
  if (parameter["type"] == "choice") {
    return fmt::format("one of {}; default {}",
                       fmt::join(parameter["choices"].get<std::vector<std::string>>(), ", "),
                       standard.get<std::string>());
  }
  return fmt::format("{}, {} to {}, default {}",
                     parameter["type"] == "integer" ? "integer" : "number", parameter["min"].dump(),
                     parameter["max"].dump(), standard.dump());
}

void print(const kit::description& workload) {
  const kit::profile& about = workload.about;
  const std::string unit =
      about.unit.empty() ? "none: memory bounds it, so it cannot be simulated" : about.unit;
  std::cout << fmt::format("\n{}: {}\n", workload.name, workload.summary);
  for (const auto& [heading, text] :
       std::initializer_list<std::pair<const char*, const std::string&>>{
           {"Shape", about.shape},
           {"Tasks", about.tasks},
           {"Work", about.work},
           {"Span", about.span},
           {"Bound by", about.bound_by},
           {"Answer", about.answer},
           {"Source", about.source},
           {"Unit", unit}}) {
    std::cout << fmt::format("  {:<9} {}\n", heading, text);
  }
  std::cout << "  Parameters (--set NAME=VALUE)\n";
  for (const kit::parameter& each : workload.parameters) {
    std::cout << fmt::format("    {:<12} {}\n    {:<12} {}\n", each.key, each.meaning, "",
                             range_of(json_of(each)));
  }
  if (workload.grain) {
    std::cout << fmt::format("  Grain     {} (stealbench grain {})\n", workload.grain->parameter,
                             workload.name);
  }
  std::cout << "  Sizes (--size NAME)\n";
  for (const kit::size& each : workload.sizes) {
    std::string name = each.name;
    for (const std::string& instance : workloads::instances_in(each)) {
      std::cout << fmt::format("    {:<12} {}\n", std::exchange(name, {}), instance);
    }
  }
}

constexpr const char* all_schedulers = "schedulers";
constexpr const char* all_workloads = "workloads";

/// What is shown: everything, or what the user has named. A workload is shown beside all
/// schedulers, so that one sees what runs it.
struct selection {
  std::vector<std::string> schedulers;
  std::vector<kit::description> workloads;
};

selection selected_by(const std::string& name) {
  std::vector<std::string> known = rounds::known_schedulers();
  known.insert(known.begin(), std::string(cell::sequential_name));
  if (name.empty()) return {known, workloads::descriptions()};
  if (name == all_schedulers) return {known, {}};
  if (name == all_workloads) return {{}, workloads::descriptions()};
  if (std::ranges::count(known, name) > 0) return {{name}, {}};
  for (kit::description& each : workloads::descriptions()) {
    if (each.name == name) return {known, {std::move(each)}};
  }
  throw kit::bad_input(fmt::format(
      "unknown workload or scheduler '{}'; valid: {}, {}, {}, {}", name, all_schedulers,
      all_workloads, fmt::join(rounds::workload_names(), ", "), fmt::join(known, ", ")));
}

/// Empty without a folder.
std::map<std::string, std::string> strengths_in(const std::string& folder) {
  if (folder.empty()) return {};
  auto found = sections::strengths_in(experiments::read_datasets(folder));
  if (found.empty()) {
    throw kit::bad_input(fmt::format(
        "--measured {}: there is no ablation; valid: the output folder of compare --ablation",
        folder));
  }
  return found;
}

void print_markdown(const list_request& asked, const selection& chosen,
                    const rounds::installation& installed) {
  if (!chosen.workloads.empty()) {
    std::cout << workloads::catalogue_table(chosen.workloads);
  } else if (chosen.schedulers.size() == 1) {
    print_settings(chosen.schedulers.front(), installed);
  } else {
    print_catalogue(chosen.schedulers, installed, strengths_in(asked.measured));
  }
}

void list(const list_request& asked) {
  const selection chosen = selected_by(asked.name);
  const auto installed = rounds::installation::of_this_program();
  if (asked.as_markdown) return print_markdown(asked, chosen, installed);
  if (asked.as_json) {
    ordered_json described = ordered_json::array();
    for (const kit::description& each : chosen.workloads) described.push_back(json_of(each));
    const ordered_json whole{{"schedulers", json_of_schedulers(chosen.schedulers, installed)},
                             {"workloads", described}};
    std::cout << whole.dump(2) << '\n';
    return;
  }
  if (!chosen.schedulers.empty()) print_schedulers(chosen.schedulers, installed);
  if (!chosen.workloads.empty()) std::cout << "\nWorkloads\n";
  for (const kit::description& each : chosen.workloads) print(each);
}

}  // namespace

void declare_list(CLI::App& program, int& status) {
  const auto asked = std::make_shared<list_request>();
  CLI::App* const command = program.add_subcommand(
      "list",
      "List the schedulers with their settings, and the workloads with their parameters and sizes");
  cell::add_option(*command, "NAME", asked->name, cell::takes::workload_or_scheduler,
                   "Workload or scheduler to describe, or all of either: workloads, schedulers. A "
                   "workload is listed with the schedulers")
      ->default_str("all");
  CLI::Option* const as_json = command->add_flag("--json", asked->as_json, "Print JSON");
  CLI::Option* const as_markdown =
      command
          ->add_flag("--markdown", asked->as_markdown,
                     "Print the workloads, the strategies of all schedulers, or the settings of "
                     "the scheduler NAME, as Markdown tables")
          ->excludes(as_json);
  cell::add_option(*command, "--measured", asked->measured, cell::takes::folder,
                   "Folder with the raw files of an ablation: adds to the strategies on which "
                   "workloads each was faster, and slower, than what it is compared with")
      ->needs(as_markdown);
  command->callback([asked, &status] {
    list(*asked);
    status = 0;
  });
  command->footer(
      "Examples:\n"
      "  stealbench list uts\n"
      "  stealbench list schedulers --json");
}

}  // namespace stealbench::driver
