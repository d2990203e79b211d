// What an executable says of itself to `--describe`: stealbench keeps no list of it.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "schedulers/variant.hpp"

// As JSON, each member by its name.
namespace stealbench::schedulers {
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(description, group, summary, paper, bound, compared_with)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(setting_value, word, about)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(requirement, value, other, values, reason)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(setting, name, meaning, values, requirements)
}  // namespace stealbench::schedulers

namespace stealbench::cell {

struct self_description {
  std::string scheduler;
  schedulers::description about = {};
  std::string library = "in-house";  ///< What schedules: its name and version.
  std::vector<schedulers::setting> settings;
  std::vector<std::string> counters;  ///< What it counts; empty: nothing, so it has no trace.

  friend bool operator==(const self_description&, const self_description&) = default;
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(self_description, scheduler, about, library, settings, counters)

}  // namespace stealbench::cell
