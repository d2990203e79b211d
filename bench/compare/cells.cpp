#include "bench/compare/cells.hpp"

#include <fmt/format.h>

namespace stealbench::compare {

std::vector<instance> instances_of(const workloads::description& of, std::string_view size,
                                   const std::vector<workloads::assignment>& by_user) {
  std::vector<instance> instances;
  for (const workloads::parameters& chosen :
       workloads::instances_of(of, workloads::find_size(of, size), by_user)) {
    instance& added = instances.emplace_back(instance{of.name, {}});
    for (const auto& [key, value] : chosen.all()) {
      if (chosen.was_set(key)) added.set.emplace_back(key, workloads::to_string(value));
    }
  }
  return instances;
}

std::string label_of(const instance& what) {
  std::string label = what.workload;
  for (const auto& [key, value] : what.set) label += fmt::format(" {}={}", key, value);
  return label;
}

std::string name_of(const cell& which) {
  std::string name = fmt::format("{}/{}", which.what.workload, which.scheduler);
  for (const auto& [key, value] : which.what.set) name += fmt::format("/{}:{}", key, value);
  return name + fmt::format("/workers:{}", which.workers);
}

std::vector<std::string> arguments_of(const cell& which) {
  std::vector<std::string> arguments{which.is_figure ? "--figure" : "--workload",
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
  for (const auto& [key, value] : which.what.set) {
    arguments.emplace_back("--set");
    arguments.push_back(fmt::format("{}={}", key, value));
  }
  return arguments;
}

}  // namespace stealbench::compare
