#include "schedulers/virtual_machine/profile.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace stealbench::virtual_machine {
namespace {

using nlohmann::ordered_json;

constexpr int format_version = 1;

struct named_cost {
  const char* key;
  double costs::*member;
};

constexpr std::array named_costs{named_cost{"hit_ns", &costs::hit},
                                 named_cost{"rmw_ns", &costs::rmw},
                                 named_cost{"fence_ns", &costs::fence},
                                 named_cost{"transfer_ns", &costs::transfer},
                                 named_cost{"remote_transfer_ns", &costs::remote_transfer},
                                 named_cost{"shared_gap_ns", &costs::shared_gap},
                                 named_cost{"look_ns", &costs::look},
                                 named_cost{"pause_ns", &costs::pause},
                                 named_cost{"yield_ns", &costs::yield},
                                 named_cost{"system_call_ns", &costs::system_call},
                                 named_cost{"sleep_ns", &costs::sleep},
                                 named_cost{"wake_call_ns", &costs::wake_call},
                                 named_cost{"wake_ns", &costs::wake},
                                 named_cost{"membarrier_ns", &costs::membarrier},
                                 named_cost{"interrupt_ns", &costs::interrupt},
                                 named_cost{"thread_start_ns", &costs::thread_start},
                                 named_cost{"jitter", &costs::jitter}};

const ordered_json& member(const ordered_json& object, const char* key) {
  if (!object.is_object()) throw std::invalid_argument("not an object");
  const auto found = object.find(key);
  if (found == object.end()) throw std::invalid_argument(fmt::format("'{}' is missing", key));
  return *found;
}

std::string text(const ordered_json& object, const char* key) {
  const ordered_json& found = member(object, key);
  if (!found.is_string()) throw std::invalid_argument(fmt::format("'{}' must be a text", key));
  return found.get<std::string>();
}

/// With more, a cost could be negative.
constexpr double most_jitter = 2;

/// A second is more than anything here costs.
constexpr double most_ns = 1e9;

double number(const ordered_json& object, const char* key, double least = 0) {
  const ordered_json& found = member(object, key);
  const double value = found.is_number() ? found.get<double>() : NAN;
  if (!(value >= least && value <= most_ns)) {
    throw std::invalid_argument(
        fmt::format("'{}' must be a number from {} to {}", key, least, most_ns));
  }
  return value;
}

std::map<std::string, strategy_prices> strategies_of(const ordered_json& read) {
  std::map<std::string, strategy_prices> all;
  for (const auto& [name, prices] : read.items()) {
    all[name] = {.fork = number(prices, "fork_ns", -most_ns),
                 .call = number(prices, "call_ns", -most_ns),
                 .spawn = number(prices, "spawn_ns", -most_ns),
                 .piece = number(prices, "piece_ns", -most_ns)};
  }
  return all;
}

std::vector<unit_price> work_of(const ordered_json& read) {
  if (!read.is_array()) throw std::invalid_argument("'work' must be a list");
  std::vector<unit_price> all;
  for (const ordered_json& each : read) {
    unit_price& added = all.emplace_back();
    added.workload = text(each, "workload");
    for (const auto& [key, value] : member(each, "parameters").items()) {
      if (!value.is_string()) {
        throw std::invalid_argument(fmt::format("'{}' must be a text", key));
      }
      added.parameters.emplace(key, value.get<std::string>());
    }
    added.ns = number(each, "unit_ns");
    if (each.contains("schedulers")) added.schedulers = strategies_of(each.at("schedulers"));
  }
  return all;
}

/// With its deque if there are prices of that, else of the scheduler; null for none.
const strategy_prices* find_prices(const std::map<std::string, strategy_prices>& all,
                                   const std::string& scheduler) {
  const std::string base = scheduler.substr(0, scheduler.find(':'));
  std::string with_deque = base;
  if (const auto at = scheduler.find(":deque="); at != std::string::npos) {
    with_deque += scheduler.substr(at, scheduler.find(':', at + 1) - at);
  }
  auto found = all.find(with_deque);
  if (found == all.end()) found = all.find(base);
  return found == all.end() ? nullptr : &found->second;
}

/// 0 for what is no positive number.
double positive_number(const std::string& text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && stop == end && value > 0 ? value : 0;
}

double distance(const std::map<std::string, std::string>& one,
                const std::map<std::string, std::string>& other) {
  constexpr double farthest = 1e3;  // Beyond the logarithms of all numbers.
  double sum = 0;
  for (const auto& [key, value] : one) {
    const auto found = other.find(key);
    if (found != other.end() && found->second == value) continue;
    const double own_value = positive_number(value);
    const double other_value = found == other.end() ? 0 : positive_number(found->second);
    sum +=
        own_value > 0 && other_value > 0 ? std::abs(std::log(own_value / other_value)) : farthest;
  }
  return sum + farthest * static_cast<double>(std::ranges::count_if(
                              other, [&](const auto& each) { return !one.contains(each.first); }));
}

/// Of those that count; the first of equally near ones, or null.
template <class Counts>
const unit_price* find_nearest(const std::vector<unit_price>& all,
                               const std::map<std::string, std::string>& parameters,
                               const Counts& counts) {
  const unit_price* nearest = nullptr;
  double least = 0;
  for (const unit_price& each : all) {
    if (!counts(each)) continue;
    const double away = distance(each.parameters, parameters);
    if (nearest != nullptr && away >= least) continue;
    nearest = &each;
    least = away;
  }
  return nearest;
}

}  // namespace

costs costs_of(const ordered_json& read) {
  costs some;
  for (const named_cost& each : named_costs) some.*each.member = number(read, each.key);
  some.processors_per_socket = static_cast<unsigned>(number(read, "processors_per_socket"));
  if (some.pause <= 0) throw std::invalid_argument("'pause_ns' must be greater than 0");
  if (some.jitter > most_jitter) {
    throw std::invalid_argument(fmt::format("'jitter' must be a number from 0 to {}", most_jitter));
  }
  return some;
}

ordered_json json_of(const costs& some) {
  ordered_json entries = ordered_json::object();
  for (const named_cost& each : named_costs) entries[each.key] = some.*each.member;
  entries["processors_per_socket"] = some.processors_per_socket;
  return entries;
}

profile profile_of(const ordered_json& read) {
  if (const ordered_json& format = member(read, "format"); format != format_version) {
    throw std::invalid_argument(
        fmt::format("'format' is {}; valid: {}", format.dump(), format_version));
  }
  return {.name = text(read, "name"),
          .costs = costs_of(member(read, "costs")),
          .strategies = strategies_of(member(read, "schedulers")),
          .work = work_of(member(read, "work"))};
}

void vary(costs& some, std::string_view key, double factor) {
  if (key == "transfer") {
    some.transfer *= factor;
    some.remote_transfer *= factor;
  } else if (key == "wake") {
    some.wake *= factor;
  } else if (key == "jitter") {
    if (!(some.jitter * factor <= most_jitter)) {
      throw std::invalid_argument(
          fmt::format("jitter={}: the profile's is {}, and the product must be from 0 to {}",
                      factor, some.jitter, most_jitter));
    }
    some.jitter *= factor;
  } else {
    throw std::invalid_argument(
        fmt::format("unknown cost '{}'; valid: transfer, wake, jitter", key));
  }
}

strategy_prices prices_of(const profile& what, const std::string& scheduler,
                          const std::string& workload,
                          const std::map<std::string, std::string>& parameters) {
  const auto of_scheduler = [&](const auto& all) { return find_prices(all, scheduler); };
  const unit_price* const nearest =
      find_nearest(what.work, parameters, [&](const unit_price& each) {
        return each.workload == workload && of_scheduler(each.schedulers) != nullptr;
      });
  const strategy_prices* const found =
      of_scheduler(nearest == nullptr ? what.strategies : nearest->schedulers);
  return found == nullptr ? strategy_prices{} : *found;
}

const unit_price& price_of(const profile& what, const std::string& workload,
                           const std::map<std::string, std::string>& parameters) {
  const unit_price* const nearest = find_nearest(
      what.work, parameters, [&](const unit_price& each) { return each.workload == workload; });
  if (nearest == nullptr) {
    throw std::invalid_argument(
        fmt::format("the profile {} has no price of a unit of {}; run `stealbench calibrate`",
                    what.name, workload));
  }
  return *nearest;
}

}  // namespace stealbench::virtual_machine
