// `stealbench list`: the schedulers and the workloads in a line each, one of them with all that is
// known about it, and the same as JSON and as the Markdown tables of the READMEs.
#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <iostream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "bench/cell/program.hpp"
#include "bench/driver/commands.hpp"
#include "bench/driver/rounds/installation.hpp"
#include "results/report/table.hpp"
#include "schedulers/description.hpp"
#include "workloads/catalogue.hpp"

namespace stealbench::driver {
namespace {

using cell::self_description;
using nlohmann::ordered_json;
using schedulers::setting;
using schedulers::setting_value;
using texts = std::vector<std::string>;

constexpr const char* all_schedulers = "schedulers";
constexpr const char* all_workloads = "workloads";

struct list_request {
  std::string name;
  bool as_json = false;
  bool as_markdown = false;
};

/// What is shown: everything, all of a kind, or the one that the user has named.
struct selection {
  std::vector<self_description> built;  ///< By group.
  texts not_built;
  std::vector<kit::description> workloads;
  bool is_one = false;
};

selection selected_by(const std::string& name, const rounds::installation& installed) {
  const bool are_all = name.empty();
  selection chosen;
  chosen.is_one = !are_all && name != all_schedulers && name != all_workloads;
  texts known = installed.known();
  known.emplace_back(cell::sequential_name);
  for (const std::string& each : known) {
    if (!are_all && name != all_schedulers && name != each) continue;
    if (installed.is_built(each)) {
      chosen.built.push_back(installed.description_of(each));
    } else if (chosen.is_one || each != cell::sequential_name) {  // That comes with `serial`.
      chosen.not_built.push_back(each);
    }
  }
  std::ranges::stable_sort(chosen.built, {}, [](const self_description& each) {
    return std::ranges::find(schedulers::group::all, each.about.group);
  });
  for (kit::description& each : workloads::descriptions()) {
    if (!are_all && name != all_workloads && name != each.name) continue;
    chosen.workloads.push_back(std::move(each));
  }
  if (!chosen.built.empty() || !chosen.not_built.empty() || !chosen.workloads.empty())
    return chosen;
  throw kit::bad_input(fmt::format(
      "unknown workload or scheduler '{}'; valid: {}, {}, {}, {}", name, all_schedulers,
      all_workloads, fmt::join(rounds::workload_names(), ", "), fmt::join(known, ", ")));
}

ordered_json object_of(const self_description& scheduler) {
  ordered_json object{{"name", scheduler.scheduler}};
  object.update(ordered_json(nlohmann::json(scheduler.about)));
  object["library"] = scheduler.library;
  object["settings"] = nlohmann::json(scheduler.settings);
  object["counters"] = scheduler.counters;
  return object;
}

ordered_json json_of(const kit::parameter& parameter) {
  ordered_json object{{"name", parameter.key}, {"meaning", parameter.meaning}};
  const auto add_domain = [&]<class Domain>(const Domain& domain) {
    if constexpr (std::is_same_v<Domain, kit::choice_domain>) {
      object.update({{"type", "choice"}, {"choices", domain.words}});
    } else {
      constexpr bool is_integer = std::is_same_v<Domain, kit::integer_domain>;
      object.update(
          {{"type", is_integer ? "integer" : "real"}, {"min", domain.least}, {"max", domain.most}});
    }
    object["default"] = domain.standard;
  };
  std::visit(add_domain, parameter.domain);
  return object;
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
          {"unit", about.unit.empty() ? ordered_json() : ordered_json(about.unit)},
          {"parameters", parameters},
          {"grain", workload.grain ? ordered_json(workload.grain->parameter) : ordered_json()},
          {"sizes", std::move(sizes)}};
}

/// The values that a parameter takes.
std::string range_of(const kit::parameter& parameter) {
  const ordered_json domain = json_of(parameter);
  if (domain["type"] == "choice") {
    return fmt::format("one of {}; default {}", fmt::join(domain["choices"].get<texts>(), ", "),
                       domain["default"].get<std::string>());
  }
  return fmt::format("{}, {} to {}, default {}", domain["type"] == "integer" ? "integer" : "number",
                     domain["min"].dump(), domain["max"].dump(), domain["default"].dump());
}

/// A line for each that is known.
void print_fields(std::string_view indent,
                  std::initializer_list<std::pair<const char*, std::string_view>> fields) {
  for (const auto& [heading, text] : fields) {
    if (!text.empty()) std::cout << fmt::format("{}{:<9} {}\n", indent, heading, text);
  }
}

void describe(const self_description& scheduler) {
  std::cout << fmt::format("{}: {}\n", scheduler.scheduler, scheduler.about.summary);
  print_fields("  ", {{"Paper", scheduler.about.paper}, {"Bound", scheduler.about.bound}});
  if (scheduler.settings.empty()) return;
  std::cout << fmt::format("  Settings ({}:KEY=VALUE:KEY=VALUE; the first value is the default)\n",
                           scheduler.scheduler);
  for (const setting& each : scheduler.settings) {
    std::cout << fmt::format("    {}: {}\n", each.name, each.meaning);
    for (const setting_value& value : each.values) {
      std::cout << fmt::format("      {:<14} {}\n", value.word, value.about.summary);
      print_fields("        ", {{"Paper", value.about.paper}, {"Bound", value.about.bound}});
    }
    for (const schedulers::requirement& need : each.requirements) {
      std::cout << fmt::format("      {}={} requires {}={}: {}\n", each.name, need.value,
                               need.other, fmt::join(need.values, "|"), need.reason);
    }
  }
}

void describe(const kit::description& workload) {
  const kit::profile& about = workload.about;
  std::cout << fmt::format("{}: {}\n", workload.name, workload.summary);
  print_fields("  ", {{"Shape", about.shape},
                      {"Tasks", about.tasks},
                      {"Work", about.work},
                      {"Span", about.span},
                      {"Bound by", about.bound_by},
                      {"Answer", about.answer},
                      {"Source", about.source},
                      {"Unit", about.unit.empty() ? "none: it " + kit::why_not_simulated(workload)
                                                  : about.unit}});
  std::cout << "  Parameters (--set NAME=VALUE)\n";
  for (const kit::parameter& each : workload.parameters) {
    std::cout << fmt::format("    {:<12} {}\n    {:<12} {}\n", each.key, each.meaning, "",
                             range_of(each));
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

/// A line for each, or two where the terminal is narrow.
void print_short(const selection& chosen, const rounds::installation& installed) {
  constexpr std::size_t name_width = 24;
  std::string last_group;
  const auto print = [&](const std::string& group, const std::string& name,
                         const std::string& text) {
    if (group != std::exchange(last_group, group)) std::cout << fmt::format(" {}\n", group);
    std::cout << cell::in_two_columns(name, text, name_width, report::standard_output().width);
  };
  if (chosen.workloads.empty() || !chosen.built.empty()) {
    std::cout << "Schedulers, as NAME or NAME:KEY=VALUE:KEY=VALUE; `stealbench list NAME` "
                 "describes one\n";
  }
  for (const self_description& each : chosen.built) {
    texts keys;
    for (const setting& key : each.settings) keys.push_back(key.name);
    const std::string settings = fmt::format(". Settings: {}", fmt::join(keys, ", "));
    print(each.about.group, each.scheduler, each.about.summary + (keys.empty() ? "" : settings));
  }
  print_not_built(chosen.not_built, installed);
  if (!chosen.workloads.empty()) std::cout << "Workloads; `stealbench list NAME` describes one\n";
  for (const kit::description& each : chosen.workloads) {
    std::string family = each.family;
    family.front() = static_cast<char>(std::toupper(family.front()));
    print(family, each.name, each.summary);
  }
}

/// Every strategy, which is a scheduler or a value of one of its settings.
void print_strategies(const std::vector<self_description>& all) {
  std::cout << "| strategy | what it does | paper | bound |\n|---|---|---|---|\n";
  const auto print = [](const std::string& shown, const schedulers::description& about) {
    std::cout << fmt::format("| {} | {} | {} | {} |\n", shown, about.summary, about.paper,
                             about.bound);
  };
  for (const self_description& each : all) {
    // Left out: the page that has the table would differ where they are built.
    if (each.about.group == schedulers::group::from_source) continue;
    print(fmt::format("**`{}`**", each.scheduler), each.about);
    for (const setting& key : each.settings) {
      for (const setting_value& value : key.values) {
        print(fmt::format("`{}={}`{}", key.name, value.word,
                          value.word == key.standard() ? ", the default" : ""),
              value.about);
      }
    }
  }
}

void print_settings(const self_description& scheduler) {
  if (scheduler.settings.empty()) {
    throw kit::bad_input(
        fmt::format("--markdown: scheduler {} has no settings; valid: schedulers, workloads, a "
                    "workload, or a scheduler with settings",
                    scheduler.scheduler));
  }
  std::cout << "| setting | meaning | values, the default first |\n|---|---|---|\n";
  for (const setting& each : scheduler.settings) {
    std::cout << fmt::format("| `{}` | {} | `{}` |\n", each.name, each.meaning,
                             fmt::join(each.words(), "`, `"));
  }
}

int list(const list_request& request) {
  const auto installed = rounds::installation::of_this_program();
  const selection chosen = selected_by(request.name, installed);
  if (request.as_json) {
    ordered_json whole{{"schedulers", ordered_json::array()}, {"workloads", ordered_json::array()}};
    for (const auto& each : chosen.built) whole["schedulers"].push_back(object_of(each));
    whole["not_built"] = chosen.not_built;
    for (const auto& each : chosen.workloads) whole["workloads"].push_back(json_of(each));
    std::cout << whole.dump(2) << '\n';
  } else if (request.as_markdown) {
    if (!chosen.workloads.empty()) {
      std::cout << workloads::catalogue_table(chosen.workloads);
    } else if (chosen.is_one) {
      print_settings(installed.description_of(request.name));
    } else {
      print_strategies(chosen.built);
    }
  } else if (chosen.is_one && chosen.not_built.empty()) {
    for (const self_description& each : chosen.built) describe(each);
    for (const kit::description& each : chosen.workloads) describe(each);
  } else {
    print_short(chosen, installed);
  }
  return 0;
}

}  // namespace

void print_not_built(const texts& names, const rounds::installation& installed) {
  constexpr std::size_t name_width = 14;
  for (const auto& [same, command] : installed.additions_of(names)) {
    std::cout << cell::in_two_columns("Not built", fmt::format("{}", fmt::join(same, ", ")),
                                      name_width, report::standard_output().width)
              << fmt::format("  Add {} with\n  {}\n", same.size() == 1 ? "it" : "NAME", command);
  }
}

void declare_list(CLI::App& program, int& status) {
  const auto [command, request] = add_command(
      program, "list",
      "List the schedulers and the workloads, or describe one of them: a scheduler with its "
      "settings, a workload with its parameters and sizes",
      list, status);
  cell::add_option(command, "NAME", request.name, cell::takes::workload_or_scheduler,
                   "Workload or scheduler to describe, or all of either: workloads, schedulers")
      ->default_str("all");
  CLI::Option* const as_json = command.add_flag(
      "--json", request.as_json, "Print JSON, with all that is known about each that is built");
  command
      .add_flag("--markdown", request.as_markdown,
                "Print Markdown tables: the workloads; for NAME schedulers the strategies of all "
                "that are built; for a scheduler its settings")
      ->excludes(as_json);
  cell::add_footer(command, "", {"uts", "schedulers --json"});
}

}  // namespace stealbench::driver
