#include "bench/driver/experiments/ablation.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "schedulers/variant.hpp"

namespace stealbench::experiments {
namespace {

/// What a scheduler is compared with that names no other.
constexpr std::string_view yardstick = "work-stealing";

/// Empty: what it would be compared with is not among them.
std::string opponent_of(const std::string& scheduler, const std::vector<std::string>& among,
                        const rounds::installation& installed) {
  std::string named = installed.description_of(scheduler).about.compared_with;
  if (named.empty()) named = yardstick;
  if (std::ranges::count(among, named.substr(0, named.find(':'))) == 0) return {};
  return installed.choose(named).name;
}

void add_settings_of(const std::string& scheduler, const rounds::installation& installed,
                     std::vector<contrast>& to) {
  const std::vector<schedulers::setting>& settings = installed.description_of(scheduler).settings;
  const auto name_of = [&](std::vector<std::string> texts) {
    texts.insert(texts.begin(), scheduler);
    return installed.choose(fmt::format("{}", fmt::join(texts, ":"))).name;
  };
  for (const schedulers::setting& each : settings) {
    for (auto value = each.values.begin() + 1; value != each.values.end(); ++value) {
      std::vector<std::string> texts = schedulers::required_by(each, value->word, settings);
      const std::string against = name_of(texts);
      texts.push_back(fmt::format("{}={}", each.name, value->word));
      to.push_back({fmt::format("{}:{}", scheduler, each.name), name_of(texts), against});
    }
  }
}

}  // namespace

std::vector<contrast> contrasts_among(const std::vector<std::string>& schedulers,
                                      const rounds::installation& installed) {
  std::vector<contrast> all;
  for (const std::string& each : schedulers) {
    const std::string against = each == yardstick ? "" : opponent_of(each, schedulers, installed);
    if (!against.empty()) all.push_back({"scheduler", each, against});
  }
  for (const std::string& each : schedulers) add_settings_of(each, installed, all);
  return all;
}

std::vector<std::string> strategies_in(const std::vector<contrast>& all) {
  std::vector<std::string> names;
  for (const contrast& each : all) {
    names.push_back(each.against);
    names.push_back(each.variant);
  }
  return dataset::distinct(names);
}

}  // namespace stealbench::experiments
