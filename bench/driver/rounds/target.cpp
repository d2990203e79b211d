#include "bench/driver/rounds/target.hpp"

#include <fmt/format.h>

namespace stealbench::rounds {

std::vector<std::string> arguments_of(const target& what) {
  const dataset::cell& which = what.which;
  std::vector<std::string> arguments{what.is_figure ? "--figure" : "--workload",
                                     which.what.workload,
                                     "--size",
                                     "none",
                                     "--workers",
                                     fmt::format("{}", which.workers)};
  const std::size_t colon = which.scheduler.find(':');
  if (colon != std::string::npos) {
    arguments.emplace_back("--variant");
    arguments.push_back(which.scheduler.substr(colon + 1));
  }
  for (const auto& [key, value] : which.what.parameters) {
    arguments.emplace_back("--set");
    arguments.push_back(fmt::format("{}={}", key, value));
  }
  return arguments;
}

dataset::instance instance_of(const std::string& workload, const workloads::parameters& chosen) {
  dataset::instance what{workload, {}};
  for (const auto& [key, value] : chosen.all()) {
    if (chosen.was_set(key)) what.parameters.emplace_back(key, workloads::to_string(value));
  }
  return what;
}

std::vector<dataset::instance> instances_of(const workloads::description& workload,
                                            std::string_view size,
                                            const std::vector<workloads::assignment>& by_user) {
  std::vector<dataset::instance> instances;
  for (const workloads::parameters& chosen :
       workloads::instances_of(workload, workloads::find_size(workload, size), by_user)) {
    instances.push_back(instance_of(workload.name, chosen));
  }
  return instances;
}

}  // namespace stealbench::rounds
