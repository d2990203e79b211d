#include "schedulers/variant.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace stealbench::schedulers {
namespace {

constexpr std::string_view with_variants = "work-stealing";

template <class Value, std::size_t Size>
using words = std::array<std::pair<std::string_view, Value>, Size>;

// In each the default comes first.
constexpr auto deques = std::to_array<std::string_view>({STEALBENCH_DEQUES});
constexpr words<victim_choice, 4> victims{{{"random", victim_choice::random},
                                           {"last", victim_choice::last},
                                           {"round-robin", victim_choice::round_robin},
                                           {"nearest", victim_choice::nearest}}};
constexpr words<idle_policy, 3> idles{
    {{"park", idle_policy::park}, {"yield", idle_policy::yield}, {"spin", idle_policy::spin}}};
constexpr words<join_policy, 2> joins{
    {{"any", join_policy::any}, {"leapfrog", join_policy::leapfrog}}};

constexpr options standard;
static_assert(victims.front().second == standard.victim && idles.front().second == standard.idle &&
              joins.front().second == standard.join);

template <class Value, std::size_t Size>
std::vector<std::string_view> names_in(const words<Value, Size>& table) {
  std::vector<std::string_view> names;
  for (const auto& each : table) names.push_back(each.first);
  return names;
}

template <class Value, std::size_t Size>
Value value_in(const words<Value, Size>& table, std::string_view name) {
  return std::find_if(table.begin(), table.end(),
                      [&](const auto& each) { return each.first == name; })
      ->second;
}

std::size_t index_of(std::string_view key) {
  const std::vector<variant_key>& keys = variant_keys();
  const auto found = std::find_if(keys.begin(), keys.end(),
                                  [&](const variant_key& each) { return each.name == key; });
  return static_cast<std::size_t>(found - keys.begin());
}

/// `deque=split|chase-lev|…, victim=…`, all of it.
std::string valid_settings() {
  std::vector<std::string> texts;
  for (const variant_key& each : variant_keys()) {
    texts.push_back(fmt::format("{}={}", each.name, fmt::join(each.values, "|")));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

const std::vector<variant_key>& variant_keys() {
  static const std::vector<variant_key> keys{
      {"deque", "where a worker keeps its jobs", {deques.begin(), deques.end()}},
      {"victim", "whom a thief asks first", names_in(victims)},
      {"idle", "what a worker does that finds no work", names_in(idles)},
      {"join", "whose jobs a worker runs while another one has the job that it waits for",
       names_in(joins)}};
  return keys;
}

bool has_variants(std::string_view scheduler) { return scheduler == with_variants; }

variant::variant() {
  for (const variant_key& each : variant_keys()) values_.push_back(each.values.front());
}

variant::variant(std::string_view scheduler, std::string_view settings)
    : values_(variant_keys().size()) {
  if (!has_variants(scheduler)) {
    throw std::invalid_argument(
        fmt::format("scheduler {} has no settings; valid: {}, or {} with {}", scheduler, scheduler,
                    with_variants, valid_settings()));
  }
  for (std::size_t colon = 0; colon != std::string_view::npos;) {
    colon = settings.find(':');
    assign(settings.substr(0, colon));
    if (colon != std::string_view::npos) settings.remove_prefix(colon + 1);
  }
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (values_[i].empty()) values_[i] = variant_keys()[i].values.front();
  }
}

void variant::assign(std::string_view setting) {
  if (setting.empty()) {
    throw std::invalid_argument(fmt::format("a setting is empty; valid: {}", valid_settings()));
  }
  const std::size_t sign = setting.find('=');
  if (sign == std::string_view::npos) {
    throw std::invalid_argument(fmt::format("setting '{}' is no key=value; valid: {}", setting,  //
                                            valid_settings()));
  }
  const std::string_view key = setting.substr(0, sign);
  const std::string_view value = setting.substr(sign + 1);
  const std::size_t index = index_of(key);
  if (index == values_.size()) {
    throw std::invalid_argument(
        fmt::format("unknown setting '{}'; valid: {}", key, valid_settings()));
  }
  const std::vector<std::string_view>& valid = variant_keys()[index].values;
  const auto found = std::find(valid.begin(), valid.end(), value);
  if (found == valid.end()) {
    throw std::invalid_argument(
        fmt::format("{}={}: unknown value; valid: {}", key, value, fmt::join(valid, ", ")));
  }
  if (!values_[index].empty()) {
    throw std::invalid_argument(
        fmt::format("{} is set twice; valid: one of {}={}", key, key, fmt::join(valid, "|")));
  }
  values_[index] = *found;
}

std::string_view variant::value_of(std::string_view key) const { return values_[index_of(key)]; }

std::string variant::settings() const {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const variant_key& key = variant_keys()[i];
    if (values_[i] != key.values.front()) {
      texts.push_back(fmt::format("{}={}", key.name, values_[i]));
    }
  }
  return fmt::format("{}", fmt::join(texts, ":"));
}

std::string variant::name_of(std::string_view scheduler) const {
  const std::string differing = settings();
  return differing.empty() ? std::string(scheduler) : fmt::format("{}:{}", scheduler, differing);
}

void variant::apply_to(options& options) const {
  options.victim = value_in(victims, value_of("victim"));
  options.idle = value_in(idles, value_of("idle"));
  options.join = value_in(joins, value_of("join"));
}

}  // namespace stealbench::schedulers
