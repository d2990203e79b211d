#include "results/dataset/shape.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "schedulers/input.hpp"

namespace stealbench::dataset {
namespace {

using schedulers::bad_input;

/// What a value can have to be.
struct kind {
  std::string_view name;
  std::string in_words;
  bool (*has)(const json& value);
};

const kind& kind_named(std::string_view name) {
  static const std::array<kind, 8> kinds{
      {{"text", "a text", [](const json& value) { return value.is_string(); }},
       {"texts", "a list of texts",
        [](const json& value) {
          return value.is_array() && std::ranges::all_of(value, &json::is_string);
        }},
       {"boolean", "a boolean", [](const json& value) { return value.is_boolean(); }},
       {"list", "a list", [](const json& value) { return value.is_array(); }},
       {"object", "an object", [](const json& value) { return value.is_object(); }},
       {"nullable", "an object or null",
        [](const json& value) { return value.is_object() || value.is_null(); }},
       {"number", fmt::format("a number from 0 to {:g}", most_events),
        [](const json& value) {
          return value.is_number() && value.get<double>() >= 0 &&
                 value.get<double>() <= most_events;
        }},
       {"whole", fmt::format("a whole number from 0 to {}", most_workers), [](const json& value) {
          return value.is_number_integer() && value >= 0 && value <= most_workers;
        }}}};
  return *std::ranges::find(kinds, name, &kind::name);
}

// The members that are read of each type of line: a kind, and the paths of what has to be of it. A
// path is keys with a point between them; `[]` is every element of a list, `*` every member of an
// object. What follows a key with a question mark is checked only if it is there and not null.
constexpr std::string_view of_experiment = R"(
text     experiment command date baseline energy
object   settings about?
text     about?.ablation?[].factor about?.ablation?[].variant about?.ablation?[].against
text     host_checks[].check host_checks[].status host_checks[].detail
text     cells[].name cells[].workload cells[].parameters.* cells[].scheduler cells[].varied?
whole    cells[].workers
)";
constexpr std::string_view of_grain = "text about.parameter about.greater about.unit";
constexpr std::string_view of_metg = R"(
text     about.graphs[].name about.graphs[].workload about.graphs[].parameters.* about.graphs[].work
number   about.graphs[].tasks
)";
constexpr std::string_view of_micro = R"(
text     about.figures[].name about.figures[].meaning about.figures[].raw about.figures[].unit
whole    about.figures[].workers
text     about.gaps[].figure about.gaps[].scheduler about.gaps[].reason
)";
constexpr std::string_view of_simulated = R"(
text     about.profile.name about.profile.processor about.profile.date about.profile.source
boolean  about.profile.measured
number   about.profile.costs.*
nullable about.profile.accuracy
whole    about.profile.accuracy?.cells
number   about.profile.accuracy?.median_error about.profile.accuracy?.ninth_decile_error
number   about.profile.accuracy?.contended_factor
texts    about.changes?
whole    about.workers[] settings.seeds
)";
constexpr std::string_view of_process = R"(
text     cell
number   spent_seconds
text     failure? simulation?.unit_from? simulation?.lines?[].name
number   simulation?.lines?[].share simulation?.counters?.per_worker?[].busy_ns
)";
constexpr std::string_view of_finished = R"(
number   spent_seconds
text     host_checks[].check host_checks[].status host_checks[].detail
)";

void expect(const json& value, std::string_view path, const kind& wanted,
            const std::string& where = {}) {
  const bool is_list = path.starts_with("[]");
  const kind& due = path.empty() ? wanted : kind_named(is_list ? "list" : "object");
  if (!due.has(value)) {
    throw bad_input(fmt::format("{} is {}, not {}",
                                where.empty() ? "the line" : fmt::format("'{}'", where),
                                shown(value), due.in_words));
  }
  if (path.empty()) return;
  if (is_list) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      expect(value[i], path.substr(2), wanted, fmt::format("{}[{}]", where, i));
    }
    return;
  }
  if (path.front() == '.') path.remove_prefix(1);
  const std::size_t end = std::min(path.find_first_of(".[?", 1), path.size());
  const std::string key(path.substr(0, end));
  const bool is_optional = end < path.size() && path[end] == '?';
  const std::string_view rest = path.substr(is_optional ? end + 1 : end);
  const std::string before = where.empty() ? "" : where + ".";
  if (key == "*") {
    for (const auto& [name, member] : value.items()) {
      expect(member, rest, wanted, before + shown(name));
    }
    return;
  }
  const auto found = value.find(key);
  if (found != value.end() && !(is_optional && found->is_null())) {
    expect(*found, rest, wanted, before + key);
  } else if (!is_optional) {
    throw bad_input(fmt::format("the key '{}{}' is missing; it must be {}", before, key,
                                rest.empty()          ? wanted.in_words
                                : rest.front() == '[' ? "a list"
                                                      : "an object"));
  }
}

void expect_all(const json& line, std::string_view shape) {
  std::istringstream lines{std::string(shape)};
  for (std::string text; std::getline(lines, text);) {
    std::istringstream words(text);
    std::string name;
    words >> name;
    for (std::string path; words >> path;) expect(line, path, kind_named(name));
  }
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
  expect(line, "type", kind_named("text"));
  const std::string type = line.at("type");
  if (type == "experiment") {
    expect_header(line);
  } else if (type == "context") {
    expect(line, "context", kind_named("object"));
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
