#include "bench/driver/experiments/ablation.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "schedulers/variant.hpp"

namespace stealbench::experiments {
namespace {

/// What every other scheduler is compared with.
constexpr std::string_view yardstick = "work-stealing";

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
  if (std::ranges::count(schedulers, yardstick) > 0) {
    for (const std::string& each : schedulers) {
      if (each != yardstick) all.push_back({"scheduler", each, std::string(yardstick)});
    }
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
