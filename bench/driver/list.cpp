#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "bench/cell/program.hpp"
#include "bench/cell/variant.hpp"
#include "bench/driver/catalogue_table.hpp"
#include "bench/driver/commands.hpp"
#include "bench/driver/rounds/installation.hpp"
#include "workloads/catalogue.hpp"

namespace stealbench::driver {
namespace {

using nlohmann::ordered_json;

struct list_request {
  std::string name;
  bool as_json = false;
  bool as_markdown = false;
};

// What each kind of domain has to say of itself, once for a program and once for a person.
ordered_json json_of(const workloads::integer_domain& domain) {
  return {{"type", "integer"},
          {"min", domain.least},
          {"max", domain.most},
          {"default", domain.standard}};
}
ordered_json json_of(const workloads::real_domain& domain) {
  return {
      {"type", "real"}, {"min", domain.least}, {"max", domain.most}, {"default", domain.standard}};
}
ordered_json json_of(const workloads::choice_domain& domain) {
  return {{"type", "choice"}, {"choices", domain.words}, {"default", domain.standard}};
}

std::string text_of(const workloads::integer_domain& domain) {
  return fmt::format("whole number, {} to {}, default {}", domain.least, domain.most,
                     domain.standard);
}
std::string text_of(const workloads::real_domain& domain) {
  return fmt::format("number, {} to {}, default {}", domain.least, domain.most, domain.standard);
}
std::string text_of(const workloads::choice_domain& domain) {
  return fmt::format("one of {}; default {}", fmt::join(domain.words, ", "), domain.standard);
}

ordered_json json_of(const workloads::description& of) {
  ordered_json parameters = ordered_json::array();
  for (const workloads::parameter& each : of.parameters) {
    ordered_json object{{"name", each.key}, {"meaning", each.meaning}};
    object.update(std::visit([](const auto& domain) { return json_of(domain); }, each.domain));
    parameters.push_back(std::move(object));
  }
  ordered_json sizes = ordered_json::object();
  for (const workloads::size& each : of.sizes) {
    ordered_json instances = ordered_json::array();
    for (const auto& assignments : each.instances) {
      ordered_json instance = ordered_json::object();
      for (const auto& [key, value] : assignments) instance[key] = value;
      instances.push_back(std::move(instance));
    }
    sizes[each.name] = std::move(instances);
  }
  ordered_json grain = nullptr;
  if (of.grain) grain = of.grain->parameter;
  return {{"name", of.name},
          {"family", of.about.family},
          {"summary", of.summary},
          {"shape", of.about.shape},
          {"tasks", of.about.tasks},
          {"work", of.about.work},
          {"span", of.about.span},
          {"bound_by", of.about.bound_by},
          {"answer", of.about.answer},
          {"source", of.about.source},
          {"parameters", parameters},
          {"grain", grain},
          {"sizes", sizes}};
}

void print(const workloads::description& of) {
  std::cout << fmt::format("\n{}: {}\n", of.name, of.summary);
  std::cout << fmt::format(
      "  Shape     {}\n  Tasks     {}; work {}, span {}; bound by {}\n  Answer    {}\n  Source    "
      "{}\n",
      of.about.shape, of.about.tasks, of.about.work, of.about.span, of.about.bound_by,
      of.about.answer, of.about.source);
  std::cout << "  Parameters (--set NAME=VALUE)\n";
  for (const workloads::parameter& each : of.parameters) {
    std::cout << fmt::format(
        "    {:<12} {}\n    {:<12} {}\n", each.key, each.meaning, "",
        std::visit([](const auto& domain) { return text_of(domain); }, each.domain));
  }
  if (of.grain) {
    std::cout << fmt::format("  Grain     {} (stealbench grain {})\n", of.grain->parameter,
                             of.name);
  }
  std::cout << "  Sizes (--size NAME)\n";
  for (const workloads::size& each : of.sizes) {
    std::cout << fmt::format("    {:<12} {}\n", each.name, assignments_of(each));
  }
}

/// The settings of each scheduler that has variants.
ordered_json variants_of(const std::vector<std::string>& schedulers) {
  ordered_json keys = ordered_json::object();
  for (const cell::variant_key& each : cell::variant_keys()) keys[each.name] = each.values;
  ordered_json variants = ordered_json::object();
  for (const std::string& name : schedulers) {
    if (cell::has_variants(name)) variants[name] = keys;
  }
  return variants;
}

void print_built(const std::string& scheduler, bool with_meanings) {
  std::cout << fmt::format("  {}\n", scheduler);
  if (!cell::has_variants(scheduler)) return;
  std::cout << fmt::format(
      "    Settings ({}:KEY=VALUE:KEY=VALUE; the first value is the default)\n", scheduler);
  for (const cell::variant_key& each : cell::variant_keys()) {
    if (with_meanings) std::cout << fmt::format("      {:<8} {}\n", each.name, each.meaning);
    std::cout << fmt::format("      {:<8} {}\n", with_meanings ? "" : each.name,
                             fmt::join(each.values, ", "));
  }
}

void print(const rounds::installation& here, const std::vector<std::string>& schedulers) {
  const std::vector<std::string> built = here.built();
  const bool is_one = schedulers.size() == 1;
  std::cout << "Schedulers\n";
  std::vector<std::string> others;
  for (const std::string& name : schedulers) {
    if (std::find(built.begin(), built.end(), name) == built.end()) {
      others.push_back(name);
    } else {
      print_built(name, is_one);
    }
  }
  for (const std::string& name : others) {
    std::cout << fmt::format("  {:<18} not built here; {}\n", name, rounds::build_command(name));
  }
  if (!is_one) {
    std::cout << fmt::format(
        "  {:<18} no scheduler: the workload in plain serial code; compared "
        "where it is named\n",
        cell::reference_name);
  }
}

/// What is shown: everything, or what the user has named. A workload is shown beside all
/// schedulers, so that one sees what runs it.
struct selection {
  std::vector<std::string> schedulers;
  std::vector<workloads::description> workloads;
};

selection selected_by(const std::string& name) {
  const std::vector<std::string>& known = rounds::known_schedulers();
  if (name.empty()) return {known, workloads::descriptions()};
  if (std::find(known.begin(), known.end(), name) != known.end()) return {{name}, {}};
  std::vector<std::string> valid;
  for (workloads::description& each : workloads::descriptions()) {
    if (each.name == name) return {known, {std::move(each)}};
    valid.push_back(each.name);
  }
  throw workloads::bad_input(fmt::format("unknown workload or scheduler '{}'; valid: {}, {}", name,
                                         fmt::join(valid, ", "), fmt::join(known, ", ")));
}

void list(const list_request& asked) {
  const selection chosen = selected_by(asked.name);
  if (asked.as_markdown) {
    std::cout << catalogue_table(chosen.workloads);
    return;
  }
  const rounds::installation here = rounds::installation::of_this_program();
  if (!asked.as_json) {
    print(here, chosen.schedulers);
    if (!chosen.workloads.empty()) std::cout << "\nWorkloads\n";
    for (const workloads::description& each : chosen.workloads) print(each);
    return;
  }
  std::vector<std::string> built;
  for (const std::string& name : here.built()) {
    if (std::find(chosen.schedulers.begin(), chosen.schedulers.end(), name) !=
        chosen.schedulers.end()) {
      built.push_back(name);
    }
  }
  ordered_json described = ordered_json::array();
  for (const workloads::description& each : chosen.workloads) described.push_back(json_of(each));
  const ordered_json whole{
      {"schedulers", built}, {"variants", variants_of(built)}, {"workloads", described}};
  std::cout << whole.dump(2) << '\n';
}

}  // namespace

void declare_list(CLI::App& program, int& status) {
  const auto asked = std::make_shared<list_request>();
  CLI::App* const command =
      program.add_subcommand("list",
                             "Show the schedulers that are built, their settings, the workloads, "
                             "their sizes and parameters");
  command->add_option("NAME", asked->name, "Only this workload or this scheduler");
  CLI::Option* const as_json = command->add_flag("--json", asked->as_json, "As one JSON object");
  command->add_flag("--markdown", asked->as_markdown, "The workloads alone, as Markdown tables")
      ->excludes(as_json);
  command->callback([asked, &status] {
    list(*asked);
    status = 0;
  });
  command->footer(
      "Examples:\n"
      "  stealbench list uts\n"
      "  stealbench list work-stealing --json");
}

}  // namespace stealbench::driver
