// What the members of a line of a raw file must be.
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "results/dataset/measurements.hpp"
#include "schedulers/input.hpp"

namespace stealbench::dataset {
namespace {

using schedulers::bad_input;

/// The members that are read of each type of line, and of the first line of some experiments. A key
/// with a question mark may be missing or null, one with a tilde null; `*` is every key.
const json& shape_of(const std::string& type) {
  static const json shapes = json::parse(R"({
    "experiment": {
      "experiment": "text", "command": "text", "date": "text", "baseline": "text", "energy": "text",
      "settings": {},
      "about?": {"ablation?": [{"factor": "text", "variant": "text", "against": "text"}]},
      "host_checks": [{"check": "text", "status": "text", "detail": "text"}],
      "cells": [{"name": "text", "workload": "text", "parameters": {"*": "text"},
                 "scheduler": "text", "varied?": "text", "workers": "whole"}]},
    "experiment grain": {"about": {"parameter": "text", "greater": "text", "unit": "text"}},
    "experiment metg": {
      "about": {"graphs": [{"name": "text", "workload": "text", "parameters": {"*": "text"},
                            "work": "text", "tasks": "number"}]}},
    "experiment micro": {
      "about": {"figures": [{"name": "text", "meaning": "text", "raw": "text", "unit": "text",
                             "workers": "whole"}],
                "gaps": [{"figure": "text", "scheduler": "text", "reason": "text"}]}},
    "experiment simulate": {
      "about": {"profile": {"name": "text", "processor": "text", "date": "text", "source": "text",
                            "measured": "boolean", "costs": {"*": "number"},
                            "accuracy~": {"cells": "whole", "median_error": "number",
                                          "ninth_decile_error": "number",
                                          "contended_factor": "number"}},
                "changes?": ["text"], "workers": ["whole"]},
      "settings": {"seeds": "whole"}},
    "context": {"context": {}},
    "process": {
      "cell": "text", "spent_seconds": "number", "failure?": "text",
      "simulation?": {"unit_from?": "text", "lines?": [{"name": "text", "share": "number"}],
                      "counters?": {"per_worker?": [{"busy_ns": "number"}]}}},
    "counters": {"cell": "text", "spent_seconds": "number", "failure?": "text"},
    "resumed": {},
    "finished": {"spent_seconds": "number",
                 "host_checks": [{"check": "text", "status": "text", "detail": "text"}]}})");
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

}  // namespace stealbench::dataset
