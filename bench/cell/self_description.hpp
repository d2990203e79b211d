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
  schedulers::description about = {};
  std::string library = "in-house";  ///< What schedules: its name and version.
  std::vector<schedulers::setting> settings;
  std::vector<std::string> counters;  ///< What it counts; empty: nothing, so it has no trace.

  friend bool operator==(const self_description&, const self_description&) = default;
};

[[nodiscard]] inline nlohmann::ordered_json json_of(const schedulers::description& about) {
  return {{"group", about.group},
          {"summary", about.summary},
          {"paper", about.paper},
          {"bound", about.bound},
          {"compared_with", about.compared_with}};
}

[[nodiscard]] inline schedulers::description parse_about(const nlohmann::json& from) {
  return {.group = from.at("group"),
          .summary = from.at("summary"),
          .paper = from.at("paper"),
          .bound = from.at("bound"),
          .compared_with = from.value("compared_with", std::string())};
}

/// `values` are the words, the default first; `about` has what is known of each of them.
[[nodiscard]] inline nlohmann::ordered_json json_of(const schedulers::setting& setting) {
  using json = nlohmann::ordered_json;
  json about = json::object();
  for (const schedulers::setting_value& each : setting.values) {
    about[each.word] = json_of(each.about);
    for (const char* const of_schedulers : {"group", "compared_with"}) {
      about[each.word].erase(of_schedulers);
    }
  }
  json requirements = json::array();
  for (const schedulers::requirement& each : setting.requirements) {
    requirements.push_back({{"value", each.value},
                            {"other", each.other},
                            {"values", each.values},
                            {"reason", each.reason}});
  }
  return {{"name", setting.name},      {"meaning", setting.meaning},
          {"values", setting.words()}, {"default", setting.standard()},
          {"about", std::move(about)}, {"requires", std::move(requirements)}};
}

[[nodiscard]] inline schedulers::setting parse_setting(const nlohmann::json& from) {
  schedulers::setting made{.name = from.at("name"), .meaning = from.at("meaning"), .values = {}};
  for (const std::string word : from.at("values")) {
    nlohmann::json about = from.at("about").at(word);
    about["group"] = "";
    made.values.push_back({word, parse_about(about)});
  }
  for (const nlohmann::json& each : from.at("requires")) {
    made.requirements.push_back(
        {each.at("value"), each.at("other"), each.at("values"), each.at("reason")});
  }
  return made;
}

[[nodiscard]] inline nlohmann::ordered_json json_of(const self_description& described) {
  nlohmann::ordered_json settings = nlohmann::ordered_json::array();
  for (const schedulers::setting& each : described.settings) settings.push_back(json_of(each));
  return {{"scheduler", described.scheduler},      {"about", json_of(described.about)},
          {"library", described.library},          {"settings", std::move(settings)},
          {"counts", !described.counters.empty()}, {"counters", described.counters}};
}

/// Throws nlohmann::json::exception if it is no such description.
[[nodiscard]] inline self_description parse_description(std::string_view text) {
  const nlohmann::json whole = nlohmann::json::parse(text);
  self_description described{.scheduler = whole.at("scheduler"),
                             .about = parse_about(whole.at("about")),
                             .library = whole.at("library"),
                             .settings = {},
                             .counters = whole.at("counters")};
  for (const nlohmann::json& each : whole.at("settings")) {
    described.settings.push_back(parse_setting(each));
  }
  return described;
}

}  // namespace stealbench::cell
