// What a line of a raw file must hold: its members, and the values of a process.
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "results/dataset/measurements.hpp"
#include "results/dataset/shapes.json.hpp"
#include "schedulers/input.hpp"

namespace stealbench::dataset {
namespace {

using schedulers::bad_input;

/// Of shapes.json: the members that are read of each type of line, of the first line of some
/// experiments, and of a profile. A key with a question mark may be missing or null, one with a
/// tilde null; `*` is every key.
const json& shape_of(const std::string& type) {
  static const json shapes = json::parse(embedded::shapes_json);
  static const json any = json::object();
  const auto found = shapes.find(type);
  return found == shapes.end() ? any : *found;
}

bool fits(const json& value, const json& shape) {
  if (shape == "text") return value.is_string();
  if (shape == "boolean") return value.is_boolean();
  if (shape == "whole") {
    return value.is_number_integer() && value >= 0 && value <= most_workers;
  }
  if (shape == "number") {
    return value.is_number() && value.get<double>() >= 0 && value.get<double>() <= most_events;
  }
  return value.type() == shape.type();
}

std::string in_words(const json& shape) {
  if (shape.is_object()) return "an object";
  if (shape.is_array()) return "a list";
  if (shape == "whole") return fmt::format("a whole number from 0 to {}", most_workers);
  if (shape == "number") return fmt::format("a number from 0 to {:g}", most_events);
  return "a " + shape.get<std::string>();
}

/// `where` is the key of the value, behind those of what it is in; empty for a line.
void expect(const json& value, const json& shape, const std::string& where = {}) {
  if (shape == "profile") return expect(value, shape_of(shape), where);
  if (!fits(value, shape)) {
    throw bad_input(fmt::format("{} is {}, not {}",
                                where.empty() ? "the line" : fmt::format("'{}'", where),
                                shown(value), in_words(shape)));
  }
  for (std::size_t i = 0; shape.is_array() && i < value.size(); ++i) {
    expect(value[i], shape[0], fmt::format("{}[{}]", where, i));
  }
  if (!shape.is_object()) return;
  const std::string before = where.empty() ? "" : where + ".";
  for (const auto& [key, due] : shape.items()) {
    if (key == "*") {
      for (const auto& [name, each] : value.items()) expect(each, due, before + shown(name));
      continue;
    }
    const std::string name = key.substr(0, key.find_first_of("?~"));
    const auto found = value.find(name);
    if (found != value.end()) {
      if (!found->is_null() || name == key) expect(*found, due, before + name);
    } else if (!key.ends_with('?')) {
      throw bad_input(
          fmt::format("the key '{}{}' is missing; it must be {}", before, name, in_words(due)));
    }
  }
}

/// Seconds in the unit that Google Benchmark wrote.
double seconds_in_unit(const json& entry) {
  constexpr std::array<std::pair<std::string_view, double>, 4> units{
      {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1.0}}};
  const json unit = entry.value("time_unit", json());
  for (const auto& [name, seconds] : units) {
    if (unit == name) return seconds;
  }
  throw bad_input(fmt::format("'time_unit' is {}; valid: ns, us, ms, s", shown(unit)));
}

/// The value of a metric that `entry` has under this key.
double value_at(const json& entry, std::string_view key, metric which, double unit = 1) {
  const double least = description_of(which).least / unit;
  const double most = description_of(which).most / unit;
  const auto found = entry.find(key);
  if (found == entry.end()) {
    throw bad_input(fmt::format("the key '{}' is missing; it must be a number", key));
  }
  const double value = found->is_number() ? found->get<double>() : -1;
  if (value >= least && value <= most) return unit * value;
  throw bad_input(
      fmt::format("'{}' is {}, not a number from {:g} to {:g}", key, shown(*found), least, most));
}

double value_of_process(const json& entry, metric which) {
  if (which != metric::seconds) return value_at(entry, name_of(which), which);
  return value_at(entry, "real_time", which, seconds_in_unit(entry));
}

double value_of_simulation(const json& simulation, metric which) {
  constexpr std::string_view share = "_share";
  std::string_view name = name_of(which);
  if (which == metric::worker_count) return value_at(simulation, "workers", which);
  if (!name.ends_with(share)) return value_at(simulation, name, which);
  name.remove_suffix(share.size());
  return value_at(simulation.value("shares", json::object()), name, which);
}

}  // namespace

void expect_shape(const json& line) {
  constexpr std::array types{"experiment", "context", "process", "counters", "resumed", "finished"};
  expect(line, {{"type", "text"}});
  const std::string type = line.at("type");
  if (std::ranges::find(types, type) == types.end()) {
    throw bad_input(fmt::format("unknown type {}; valid: {}", shown(type), fmt::join(types, ", ")));
  }
  expect(line, shape_of(type));
  if (type != "experiment") return;
  expect(line, shape_of("experiment " + line.at("experiment").get<std::string>()));
  if (line.contains("about") && line.at("about").contains("profile")) {
    expect(line, shape_of("experiment simulate"));
  }
}

std::string shown(const json& value) {
  constexpr std::size_t most = 80;
  if (value.is_array()) return "a list";
  if (value.is_object()) return "an object";
  // In ASCII, so that it can be cut anywhere and holds no control character.
  const std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
  return text.size() <= most ? text : text.substr(0, most) + "…";
}

sample read_sample(const json& entry, source origin) {
  if (!entry.is_object()) throw bad_input(fmt::format("it is {}, not an object", shown(entry)));
  const bool is_simulated = origin == source::simulation;
  sample read;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const auto which = static_cast<metric>(i);
    if (!is_written(which, is_simulated)) continue;
    const bool may_be_missing = description_of(which).where == presence::sometimes;
    if (may_be_missing && !entry.contains(name_of(which))) continue;
    read.set(which,
             is_simulated ? value_of_simulation(entry, which) : value_of_process(entry, which));
  }
  return read;
}

std::optional<sample> sample_of(const json& entry, source origin) try {
  return read_sample(entry, origin);
} catch (const bad_input&) {
  return {};
}

}  // namespace stealbench::dataset
