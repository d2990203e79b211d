#include "bench/driver/simulated_workloads.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "workloads/catalogue.hpp"
#include "workloads/kit/parameters.hpp"

namespace stealbench::driver {

std::vector<std::string> simulated_workloads() {
  std::vector<std::string> names;
  for (const kit::description& each : workloads::descriptions()) {
    if (kit::why_not_simulated(each).empty()) names.push_back(each.name);
  }
  return names;
}

CLI::Validator simulated_workload() {
  std::vector<std::string> valid = simulated_workloads();
  valid.emplace_back("all");
  const std::string words = fmt::format("{}", fmt::join(valid, ", "));
  return {[valid, words](const std::string& text) -> std::string {
            if (std::ranges::count(valid, text) > 0) return {};
            for (const kit::description& each : workloads::descriptions()) {
              if (each.name != text) continue;
              return fmt::format("{}: {}; valid: {}", text, kit::why_not_simulated(each), words);
            }
            return fmt::format("{}: must be one of {}", text.empty() ? "''" : text, words);
          },
          fmt::format("{{{}}}", fmt::join(valid, ","))};
}

}  // namespace stealbench::driver
