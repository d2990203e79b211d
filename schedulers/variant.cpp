#include "schedulers/variant.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace stealbench::schedulers {

std::vector<requirement> each_requires(const std::vector<std::string>& values,
                                       const std::string& other,
                                       const std::vector<std::string>& others,
                                       const std::string& reason) {
  std::vector<requirement> all;
  all.reserve(values.size());
  for (const std::string& value : values) all.push_back({value, other, others, reason});
  return all;
}

std::vector<std::string> setting::words() const {
  std::vector<std::string> all;
  all.reserve(values.size());
  for (const setting_value& each : values) all.push_back(each.word);
  return all;
}

std::string text_of(const std::vector<setting>& settings) {
  std::vector<std::string> texts;
  texts.reserve(settings.size());
  for (const setting& each : settings) {
    texts.push_back(fmt::format("{}={}", each.name, fmt::join(each.words(), "|")));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::vector<std::string> required_by(const setting& owner, const std::string& value,
                                     const std::vector<setting>& all) {
  std::vector<std::string> texts;
  for (const requirement& need : owner.requirements) {
    if (need.value != value) continue;
    const auto other = std::ranges::find(all, need.other, &setting::name);
    if (std::ranges::count(need.values, other->standard()) > 0) continue;
    texts.push_back(fmt::format("{}={}", need.other, need.values.front()));
  }
  return texts;
}

variant::variant(std::vector<setting> valid) : valid_(std::move(valid)) {
  values_.reserve(valid_.size());
  for (const setting& each : valid_) values_.push_back(each.standard());
}

variant::variant(std::string_view scheduler, std::vector<setting> valid, std::string_view typed)
    : valid_(std::move(valid)), values_(valid_.size()) {
  if (valid_.empty()) {
    throw std::invalid_argument(
        fmt::format("scheduler {} has no settings; valid: {}", scheduler, scheduler));
  }
  for (std::size_t colon = 0; colon != std::string_view::npos;) {
    colon = typed.find(':');
    assign(typed.substr(0, colon));
    if (colon != std::string_view::npos) typed.remove_prefix(colon + 1);
  }
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (values_[i].empty()) values_[i] = valid_[i].standard();
  }
  check_requirements();
}

std::size_t variant::index_of(std::string_view key) const {
  const auto found =
      std::ranges::find_if(valid_, [&](const setting& each) { return each.name == key; });
  return static_cast<std::size_t>(found - valid_.begin());
}

void variant::assign(std::string_view typed) {
  if (typed.empty()) {
    throw std::invalid_argument(fmt::format("a setting is empty; valid: {}", text_of(valid_)));
  }
  const std::size_t sign = typed.find('=');
  if (sign == std::string_view::npos) {
    throw std::invalid_argument(
        fmt::format("setting '{}': expected KEY=VALUE; valid: {}", typed, text_of(valid_)));
  }
  const std::string_view key = typed.substr(0, sign);
  const std::string_view value = typed.substr(sign + 1);
  const std::size_t index = index_of(key);
  if (index == values_.size()) {
    throw std::invalid_argument(
        fmt::format("unknown setting '{}'; valid: {}", key, text_of(valid_)));
  }
  const std::vector<std::string> valid = valid_[index].words();
  if (std::ranges::count(valid, value) == 0) {
    throw std::invalid_argument(
        fmt::format("{}={}: unknown value; valid: {}", key, value, fmt::join(valid, ", ")));
  }
  if (!values_[index].empty()) {
    throw std::invalid_argument(
        fmt::format("{} is set twice; valid: one of {}={}", key, key, fmt::join(valid, "|")));
  }
  values_[index] = value;
}

void variant::check_requirements() const {
  for (std::size_t i = 0; i < values_.size(); ++i) {
    for (const requirement& each : valid_[i].requirements) {
      if (each.value != values_[i]) continue;
      const std::string_view given = value_of(each.other);
      if (std::ranges::count(each.values, given) > 0) continue;
      throw std::invalid_argument(fmt::format(
          "{}={} does not go with {}={}, because {}; valid: {}={}", valid_[i].name, values_[i],
          each.other, given, each.reason, each.other, fmt::join(each.values, "|")));
    }
  }
}

std::string_view variant::value_of(std::string_view key) const {
  const std::size_t index = index_of(key);
  return index == values_.size() ? std::string_view() : values_[index];
}

std::string variant::settings() const {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (values_[i] == valid_[i].standard()) continue;
    texts.push_back(fmt::format("{}={}", valid_[i].name, values_[i]));
  }
  return fmt::format("{}", fmt::join(texts, ":"));
}

std::string variant::name_of(std::string_view scheduler) const {
  const std::string differing = settings();
  return differing.empty() ? std::string(scheduler) : fmt::format("{}:{}", scheduler, differing);
}

}  // namespace stealbench::schedulers
