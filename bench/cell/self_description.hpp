// What an executable says of itself to `--describe`: the driver keeps no list of it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "schedulers/variant.hpp"

namespace stealbench::cell {

struct self_description {
  std::string scheduler;
  std::string library = "in-house";  ///< What schedules: its name and version.
  std::vector<schedulers::setting> settings;
  std::vector<std::string> counters;  ///< What it counts; empty: nothing, so it has no trace.

  friend bool operator==(const self_description&, const self_description&) = default;
};

[[nodiscard]] inline nlohmann::ordered_json json_of(const self_description& described) {
  nlohmann::ordered_json settings = nlohmann::ordered_json::array();
  for (const schedulers::setting& each : described.settings) {
    settings.push_back({{"name", each.name},
                        {"meaning", each.meaning},
                        {"values", each.values},
                        {"default", each.values.front()}});
  }
  return {{"scheduler", described.scheduler},
          {"library", described.library},
          {"settings", std::move(settings)},
          {"counts", !described.counters.empty()},
          {"counters", described.counters}};
}

/// Throws nlohmann::json::exception if it is no such description.
[[nodiscard]] inline self_description parse_description(std::string_view text) {
  const nlohmann::json whole = nlohmann::json::parse(text);
  self_description described{.scheduler = whole.at("scheduler"),
                             .library = whole.at("library"),
                             .settings = {},
                             .counters = whole.at("counters")};
  for (const nlohmann::json& each : whole.at("settings")) {
    described.settings.push_back({each.at("name"), each.at("meaning"), each.at("values")});
  }
  return described;
}

}  // namespace stealbench::cell
