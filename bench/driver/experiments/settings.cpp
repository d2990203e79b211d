#include "bench/driver/experiments/settings.hpp"

#include <fmt/format.h>

namespace stealbench::experiments {

nlohmann::ordered_json settings::record() const {
  nlohmann::ordered_json recorded = nlohmann::ordered_json::object();
  for (const entry& each : entries_) recorded[each.key] = each.read();
  return recorded;
}

void settings::restore(const nlohmann::ordered_json& recorded) const {
  for (const entry& each : entries_) {
    if (each.option->count() == 0) each.write(recorded.at(each.key));
  }
}

std::vector<std::string> settings::differences(const nlohmann::ordered_json& recorded) const {
  std::vector<std::string> found;
  for (const entry& each : entries_) {
    const nlohmann::ordered_json now = each.read();
    if (now == recorded.at(each.key)) continue;
    found.push_back(fmt::format("{} was {}, not {}", each.option->get_name(),
                                recorded.at(each.key).dump(), now.dump()));
  }
  return found;
}

}  // namespace stealbench::experiments
