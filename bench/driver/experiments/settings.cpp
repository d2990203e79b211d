#include "bench/driver/experiments/settings.hpp"

#include <charconv>
#include <cstdint>
#include <limits>
#include <system_error>

#include <fmt/format.h>

namespace stealbench::experiments {

CLI::Validator percentage() {
  return {[](const std::string& text) -> std::string {
            double value = 0;
            const bool is_number = CLI::detail::lexical_cast(text, value);
            if (is_number && value >= 0.01 && value <= 100) return {};
            return fmt::format("Value {} not in range 0.01 to 100", text);
          },
          "FLOAT in [0.01 - 100]"};
}

CLI::Validator whole_number() {
  return {[](const std::string& text) -> std::string {
            std::uint64_t value = 0;
            const char* const end = text.data() + text.size();
            const auto [stop, error] = std::from_chars(text.data(), end, value);
            if (error == std::errc{} && stop == end) return {};
            return fmt::format("Value {} not in range 0 to {}", text,
                               std::numeric_limits<std::uint64_t>::max());
          },
          "UINT"};
}

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
