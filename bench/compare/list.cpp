#include "bench/compare/list.hpp"

#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "bench/compare/names.hpp"
#include "workloads/catalogue.hpp"

namespace stealbench::compare {
namespace {

using nlohmann::ordered_json;

struct list_request {
  std::string workload;
  bool as_json = false;
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
  return {{"name", of.name}, {"summary", of.summary}, {"parameters", parameters}, {"sizes", sizes}};
}

std::string text_of(const workloads::size& of) {
  std::vector<std::string> instances;
  for (const auto& assignments : of.instances) {
    std::string words;
    for (const auto& [key, value] : assignments) {
      words += fmt::format("{}{}={}", words.empty() ? "" : " ", key, value);
    }
    instances.push_back(std::move(words));
  }
  return fmt::format("{}", fmt::join(instances, " and "));
}

void print(const workloads::description& of) {
  std::cout << fmt::format("\n{}: {}\n", of.name, of.summary);
  std::cout << "  Parameters (--set NAME=VALUE)\n";
  for (const workloads::parameter& each : of.parameters) {
    std::cout << fmt::format(
        "    {:<12} {}\n    {:<12} {}\n", each.key, each.meaning, "",
        std::visit([](const auto& domain) { return text_of(domain); }, each.domain));
  }
  std::cout << "  Sizes (--size NAME)\n";
  for (const workloads::size& each : of.sizes) {
    std::cout << fmt::format("    {:<12} {}\n", each.name, text_of(each));
  }
}

void print(const installation& here) {
  std::cout << "Schedulers\n";
  for (const std::string& name : here.built()) std::cout << fmt::format("  {}\n", name);
  for (const std::string& name : here.not_built()) {
    std::cout << fmt::format("  {:<18} not built here; {}\n", name, build_command(name));
  }
}

void list(const list_request& asked) {
  std::vector<workloads::description> chosen = workloads::descriptions();
  if (!asked.workload.empty()) chosen = {find_workload(asked.workload)};
  const installation here = installation::of_this_program();
  if (!asked.as_json) {
    print(here);
    std::cout << "\nWorkloads\n";
    for (const workloads::description& each : chosen) print(each);
    return;
  }
  ordered_json described = ordered_json::array();
  for (const workloads::description& each : chosen) described.push_back(json_of(each));
  const ordered_json whole{{"schedulers", here.built()}, {"workloads", described}};
  std::cout << whole.dump(2) << '\n';
}

}  // namespace

void declare_list(CLI::App& program, int& status) {
  const auto asked = std::make_shared<list_request>();
  CLI::App* const command = program.add_subcommand(
      "list", "Show the schedulers that are built, the workloads, their sizes and parameters");
  command->add_option("WORKLOAD", asked->workload, "Only this workload");
  command->add_flag("--json", asked->as_json, "As one JSON object");
  command->callback([asked, &status] {
    list(*asked);
    status = 0;
  });
}

}  // namespace stealbench::compare
