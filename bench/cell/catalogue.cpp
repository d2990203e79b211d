#include "bench/cell/catalogue.hpp"

#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "bench/costs/catalogue.hpp"
#include "workloads/catalogue.hpp"

namespace stealbench::cell {
namespace {

using nlohmann::ordered_json;

ordered_json json_of(const std::vector<kit::assignment>& assignments) {
  ordered_json object = ordered_json::object();
  for (const auto& [key, value] : assignments) object[key] = value;
  return object;
}

ordered_json json_of(const kit::parameter& parameter) {
  ordered_json object{{"name", parameter.key}, {"meaning", parameter.meaning}};
  const auto add_domain = [&]<class Domain>(const Domain& domain) {
    if constexpr (std::is_same_v<Domain, kit::choice_domain>) {
      object.update({{"type", "choice"}, {"choices", domain.words}});
      for (const auto& [word, meant] : domain.means) object["means"][word] = json_of(meant);
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

ordered_json json_of(const kit::granularity& grain) {
  return {{"parameter", grain.parameter},
          {"counts", grain.counts},
          {"least", grain.least},
          {"most", grain.most},
          {"bounded_by", grain.bounded_by}};
}

ordered_json json_of(const kit::description& workload) {
  ordered_json parameters = ordered_json::array();
  for (const kit::parameter& each : workload.parameters) parameters.push_back(json_of(each));
  ordered_json sizes = ordered_json::object();
  for (const kit::size& each : workload.sizes) {
    ordered_json& instances = sizes[each.name] = ordered_json::array();
    for (const auto& assignments : each.instances) instances.push_back(json_of(assignments));
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
          {"parameters", std::move(parameters)},
          {"grain", workload.grain ? json_of(*workload.grain) : ordered_json()},
          {"sizes", std::move(sizes)}};
}

ordered_json json_of(const costs::figure_description& metric) {
  return {{"name", metric.name},
          {"meaning", metric.meaning},
          {"raw", metric.raw},
          {"workers", metric.workers},
          {"unit", metric.unit == costs::figure_unit::bytes ? "bytes" : "seconds"},
          {"needs_other_workers", metric.needs_other_workers}};
}

}  // namespace

ordered_json catalogue() {
  ordered_json all{{"workloads", ordered_json::array()}, {"metrics", ordered_json::array()}};
  for (const auto& each : workloads::descriptions()) all["workloads"].push_back(json_of(each));
  for (const auto& each : costs::figures()) all["metrics"].push_back(json_of(each));
  return all;
}

}  // namespace stealbench::cell
