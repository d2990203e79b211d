#include "results/dataset/shape.hpp"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "schedulers/input.hpp"

namespace stealbench::dataset {
namespace {

using schedulers::bad_input;

enum class kind : std::uint8_t {
  text,
  texts,
  boolean,
  list,
  object,
  object_or_null,
  number,
  whole
};

/// A path: keys with a point between them; `[]` is every element of a list, `*` every member of an
/// object. What follows a key with a question mark is checked only if it is there and not null.
struct requirement {
  std::string_view path;
  kind what;
};

constexpr std::array of_experiment{requirement{"experiment", kind::text},
                                   requirement{"command", kind::text},
                                   requirement{"date", kind::text},
                                   requirement{"settings", kind::object},
                                   requirement{"baseline", kind::text},
                                   requirement{"energy", kind::text},
                                   requirement{"about?", kind::object},
                                   requirement{"about?.ablation?[].factor", kind::text},
                                   requirement{"about?.ablation?[].variant", kind::text},
                                   requirement{"about?.ablation?[].against", kind::text},
                                   requirement{"host_checks[].check", kind::text},
                                   requirement{"host_checks[].status", kind::text},
                                   requirement{"host_checks[].detail", kind::text},
                                   requirement{"cells[].name", kind::text},
                                   requirement{"cells[].workload", kind::text},
                                   requirement{"cells[].parameters", kind::object},
                                   requirement{"cells[].parameters.*", kind::text},
                                   requirement{"cells[].scheduler", kind::text},
                                   requirement{"cells[].workers", kind::whole},
                                   requirement{"cells[].varied?", kind::text}};

constexpr std::array of_grain{requirement{"about.parameter", kind::text},
                              requirement{"about.greater", kind::text},
                              requirement{"about.unit", kind::text}};

constexpr std::array of_metg{requirement{"about.graphs[].name", kind::text},
                             requirement{"about.graphs[].workload", kind::text},
                             requirement{"about.graphs[].parameters", kind::object},
                             requirement{"about.graphs[].parameters.*", kind::text},
                             requirement{"about.graphs[].work", kind::text},
                             requirement{"about.graphs[].tasks", kind::number}};

constexpr std::array of_micro{requirement{"about.figures[].name", kind::text},
                              requirement{"about.figures[].meaning", kind::text},
                              requirement{"about.figures[].raw", kind::text},
                              requirement{"about.figures[].unit", kind::text},
                              requirement{"about.figures[].workers", kind::whole},
                              requirement{"about.gaps[].figure", kind::text},
                              requirement{"about.gaps[].scheduler", kind::text},
                              requirement{"about.gaps[].reason", kind::text}};

constexpr std::array of_simulated{
    requirement{"about.profile.name", kind::text},
    requirement{"about.profile.processor", kind::text},
    requirement{"about.profile.date", kind::text},
    requirement{"about.profile.source", kind::text},
    requirement{"about.profile.measured", kind::boolean},
    requirement{"about.profile.costs.*", kind::number},
    requirement{"about.profile.accuracy", kind::object_or_null},
    requirement{"about.profile.accuracy?.cells", kind::whole},
    requirement{"about.profile.accuracy?.median_error", kind::number},
    requirement{"about.profile.accuracy?.ninth_decile_error", kind::number},
    requirement{"about.profile.accuracy?.contended_factor", kind::number},
    requirement{"about.changes?", kind::texts},
    requirement{"about.workers[]", kind::whole},
    requirement{"settings.seeds", kind::whole}};

constexpr std::array of_process{
    requirement{"cell", kind::text},
    requirement{"spent_seconds", kind::number},
    requirement{"failure?", kind::text},

    requirement{"simulation?.unit_from?", kind::text},
    requirement{"simulation?.lines?[].name", kind::text},
    requirement{"simulation?.lines?[].share", kind::number},
    requirement{"simulation?.counters?.per_worker?[].busy_ns", kind::number}};

constexpr std::array of_finished{requirement{"spent_seconds", kind::number},
                                 requirement{"host_checks[].check", kind::text},
                                 requirement{"host_checks[].status", kind::text},
                                 requirement{"host_checks[].detail", kind::text}};

bool is(const json& value, kind wanted) {
  switch (wanted) {
    case kind::text:
      return value.is_string();
    case kind::texts:
      return value.is_array() && std::ranges::all_of(value, &json::is_string);
    case kind::boolean:
      return value.is_boolean();
    case kind::list:
      return value.is_array();
    case kind::object:
      return value.is_object();
    case kind::object_or_null:
      return value.is_object() || value.is_null();
    case kind::number:
      return value.is_number() && value.get<double>() >= 0 && value.get<double>() <= most_events;
    case kind::whole:
      return value.is_number_integer() && value >= 0 && value <= most_workers;
  }
  return false;
}

std::string in_words(kind wanted) {
  switch (wanted) {
    case kind::text:
      return "a text";
    case kind::texts:
      return "a list of texts";
    case kind::boolean:
      return "a boolean";
    case kind::list:
      return "a list";
    case kind::object:
      return "an object";
    case kind::object_or_null:
      return "an object or null";
    case kind::number:
      return fmt::format("a number from 0 to {:g}", most_events);
    case kind::whole:
      return fmt::format("a whole number from 0 to {}", most_workers);
  }
  return {};
}

void expect(const json& value, std::string_view path, kind wanted, const std::string& where);

void expect_kind(const json& value, kind wanted, const std::string& where) {
  if (is(value, wanted)) return;
  throw bad_input(where.empty()
                      ? fmt::format("the line is {}, not {}", shown(value), in_words(wanted))
                      : fmt::format("'{}' is {}, not {}", where, shown(value), in_words(wanted)));
}

/// Requires: `path` begins with a key.
void expect_member(const json& object, std::string_view path, kind wanted,
                   const std::string& where) {
  expect_kind(object, kind::object, where);
  const std::size_t end =
      std::min(path.find_first_of(".[?", path.front() == '*' ? 1 : 0), path.size());
  const std::string key(path.substr(0, end));
  const bool is_optional = end < path.size() && path[end] == '?';
  const std::string_view rest = path.substr(is_optional ? end + 1 : end);
  const std::string before = where.empty() ? "" : where + ".";
  if (key == "*") {
    for (const auto& [name, value] : object.items()) {
      expect(value, rest, wanted, before + shown(name));
    }
    return;
  }
  const auto found = object.find(key);
  if (found == object.end() || (is_optional && found->is_null())) {
    if (is_optional) return;
    throw bad_input(fmt::format("the key '{}{}' is missing; it must be {}", before, key,
                                rest.empty()          ? in_words(wanted)
                                : rest.front() == '[' ? "a list"
                                                      : "an object"));
  }
  expect(*found, rest, wanted, before + key);
}

void expect(const json& value, std::string_view path, kind wanted, const std::string& where) {
  if (path.empty()) {
    expect_kind(value, wanted, where);
  } else if (path.starts_with("[]")) {
    expect_kind(value, kind::list, where);
    for (std::size_t i = 0; i < value.size(); ++i) {
      expect(value[i], path.substr(2), wanted, fmt::format("{}[{}]", where, i));
    }
  } else {
    expect_member(value, path.substr(path.front() == '.' ? 1 : 0), wanted, where);
  }
}

void expect_all(const json& line, std::span<const requirement> all) {
  for (const requirement& each : all) expect(line, each.path, each.what, {});
}

void expect_header(const json& line) {
  expect_all(line, of_experiment);
  const std::string experiment = line.at("experiment");
  if (experiment == "grain") expect_all(line, of_grain);
  if (experiment == "metg") expect_all(line, of_metg);
  if (experiment == "micro") expect_all(line, of_micro);
  const auto about = line.find("about");
  const bool has_profile = about != line.end() && about->is_object() && about->contains("profile");
  if (experiment == "simulate" || has_profile) expect_all(line, of_simulated);
}

}  // namespace

void expect_shape(const json& line) {
  expect_member(line, "type", kind::text, {});
  const std::string type = line.at("type");
  if (type == "experiment") {
    expect_header(line);
  } else if (type == "context") {
    expect_member(line, "context", kind::object, {});
  } else if (type == "process" || type == "counters") {
    expect_all(line, of_process);
  } else if (type == "finished") {
    expect_all(line, of_finished);
  } else if (type != "resumed") {
    throw bad_input(fmt::format(
        "unknown type {}; valid: experiment, context, process, counters, resumed, finished",
        shown(type)));
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

double number_at(const json& object, std::string_view key, double least, double most) {
  const auto found = object.find(std::string(key));
  if (found == object.end()) {
    throw bad_input(fmt::format("the key '{}' is missing; it must be a number", key));
  }
  const double value = found->is_number() ? found->get<double>() : -1;
  if (found->is_number() && value >= least && value <= most) return value;
  throw bad_input(
      fmt::format("'{}' is {}, not a number from {:g} to {:g}", key, shown(*found), least, most));
}

json parse_line(std::string_view text) {
  if (schedulers::is_nested_deeper(text, most_depth)) {
    throw bad_input(fmt::format("it is nested too deeply; valid: {} levels", most_depth));
  }
  json line = json::parse(text, nullptr, false);
  if (line.is_discarded()) throw bad_input("it is not JSON");
  return line;
}

}  // namespace stealbench::dataset
