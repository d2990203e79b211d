#include "bench/compare/document.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "bench/compare/record.hpp"
#include "workloads/parameters.hpp"

namespace stealbench::compare {
namespace {

using nlohmann::ordered_json;
using workloads::bad_input;

/// Reads one file; all that it finds wrong is said of that file.
class reader {
 public:
  reader(const std::filesystem::path& file, std::string_view kind) : kind_(kind) {
    read_.file = file;
  }

  document read() {
    const ordered_json whole = parse();
    take_context(whole);
    for (const ordered_json& each : member(read_.context, "cells", "context")) take_cell(each);
    for (const ordered_json& each : whole.at("benchmarks")) take_entry(each);
    for (std::size_t i = 0; i < read_.cells.size(); ++i) finish_cell(i);
    return std::move(read_);
  }

 private:
  [[noreturn]] void refuse(std::string_view why) const {
    throw bad_input(
        fmt::format("'{}': {}; valid: a file of kind {}, format {}, as `stealbench {}` "
                    "writes it",
                    read_.file.string(), why, kind_, format_version,
                    kind_ == "comparison" ? "compare" : kind_));
  }

  [[nodiscard]] ordered_json parse() const {
    std::error_code error;
    const auto status = std::filesystem::status(read_.file, error);
    if (!std::filesystem::exists(status)) refuse("there is no such file");
    if (std::filesystem::is_directory(status)) refuse("that is a folder");
    std::ifstream stream(read_.file, std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(stream), {});
    if (!stream && !stream.eof()) refuse("it cannot be read");
    if (text.empty()) refuse("it is empty");
    try {
      return ordered_json::parse(text);
    } catch (const ordered_json::parse_error& problem) {
      refuse(fmt::format("it is not JSON, from byte {} on", problem.byte));
    }
  }

  void take_context(const ordered_json& whole) {
    if (!whole.is_object() || !whole.contains("context") || !whole["context"].is_object() ||
        !whole.contains("benchmarks") || !whole["benchmarks"].is_array()) {
      refuse("it has no context and no benchmarks");
    }
    read_.context = whole["context"];
    if (!read_.context.contains("format")) {
      refuse(read_.context.contains("cells") ? "it has no format version, so it is older than 2"
                                             : "it is not of this suite");
    }
    if (read_.context["format"] != format_version) {
      refuse(fmt::format("it has format {}", read_.context["format"].dump()));
    }
    const ordered_json& kind = member(read_.context, "kind", "context");
    if (kind != kind_) refuse(fmt::format("it is of kind {}", kind.dump()));
    if (!member(read_.context, "finished", "context").is_boolean()) {
      refuse("finished is neither true nor false");
    }
    const ordered_json& cells = member(read_.context, "cells", "context");
    if (!cells.is_array() || cells.empty()) refuse("it has no cells");
  }

  [[nodiscard]] const ordered_json& member(const ordered_json& of, const char* key,
                                           std::string_view where) const {
    const auto found = of.is_object() ? of.find(key) : of.end();
    if (!of.is_object() || found == of.end()) refuse(fmt::format("{} has no {}", where, key));
    return *found;
  }

  [[nodiscard]] std::string text(const ordered_json& of, const char* key,
                                 std::string_view where) const {
    const ordered_json& value = member(of, key, where);
    if (!value.is_string()) refuse(fmt::format("{} of {} is no text", key, where));
    return value.get<std::string>();
  }

  /// From 1 on.
  [[nodiscard]] unsigned number(const ordered_json& of, const char* key,
                                std::string_view where) const {
    constexpr unsigned most = 1'000'000;
    const ordered_json& value = member(of, key, where);
    if (!value.is_number_integer() || value < 1 || value > most) {
      refuse(
          fmt::format("{} of {} is {}, and no whole number from 1 on", key, where, value.dump()));
    }
    return value.get<unsigned>();
  }

  void take_cell(const ordered_json& from) {
    const std::string name = text(from, "name", "a cell");
    if (!places_.emplace(name, read_.cells.size()).second) {
      refuse(fmt::format("it has the cell {} twice", name));
    }
    cell_result& made = read_.cells.emplace_back();
    read_.rounds.emplace_back();
    made.which.scheduler = text(from, "scheduler", name);
    made.which.workers = number(from, "workers", name);
    made.which.what.workload = text(from, "workload", name);
    const ordered_json& parameters = member(from, "parameters", name);
    if (!parameters.is_object()) refuse(fmt::format("parameters of {} are none", name));
    for (const auto& [key, value] : parameters.items()) {
      if (!value.is_string()) refuse(fmt::format("parameter {} of {} is no text", key, name));
      made.which.what.set.emplace_back(key, value.get<std::string>());
    }
    const ordered_json& failure = member(from, "failure", name);
    if (!failure.is_null()) made.failure = text(from, "failure", name);
    made.counted = member(from, "counters", name);
    if (!made.counted.is_null() && !made.counted.is_object()) {
      refuse(fmt::format("counters of {} are none", name));
    }
    const ordered_json& was_counted = member(from, "was_counted", name);
    if (!was_counted.is_boolean()) refuse(fmt::format("was_counted of {} is no truth value", name));
    was_counted.get_to(made.was_counted);
  }

  void take_entry(const ordered_json& entry) {
    const std::string name = text(entry, "cell", "an entry");
    const auto known = places_.find(name);
    if (known == places_.end()) {
      refuse(fmt::format("it has an entry of the cell {}, which is not among its cells", name));
    }
    cell_result& of = read_.cells[known->second];
    const unsigned round = number(entry, "round", "an entry of " + name);
    if (entry.contains("error_occurred")) {
      if (of.failure.empty())
        refuse(fmt::format("round {} of {} failed, the cell did not", round, name));
      return;
    }
    if (round != of.samples.size() + 1) {
      refuse(fmt::format("round {} of {} stands where round {} is due", round, name,
                         of.samples.size() + 1));
    }
    const std::optional<sample> measured = sample_of(entry);
    if (!measured) {
      refuse(fmt::format("round {} of {} lacks a figure, or one is no number", round, name));
    }
    of.samples.push_back(*measured);
    read_.rounds[known->second].push_back(entry);
  }

  void finish_cell(std::size_t index) {
    cell_result& of = read_.cells[index];
    if (!of.failure.empty() || !of.samples.empty()) return;
    if (read_.context["finished"] == true) {
      refuse(fmt::format("{} has neither a figure nor a failure", name_of(of.which)));
    }
    of.failure = "not measured, the recording is unfinished";
  }

  std::string kind_;
  document read_;
  std::map<std::string, std::size_t> places_;  ///< Of the cells, by name.
};

}  // namespace

document read_document(const std::filesystem::path& file, std::string_view kind) {
  return reader(file, kind).read();
}

std::vector<double> figures_of(const document& of, std::size_t cell, const char* member) {
  std::vector<double> values;
  for (const ordered_json& entry : of.rounds.at(cell)) {
    const auto found = entry.find(member);
    if (found == entry.end() || found->is_null()) return {};
    if (!found->is_number() || !std::isfinite(found->get<double>())) {
      throw bad_input(fmt::format("'{}': {} of {} is {}; valid: a number", of.file.string(), member,
                                  name_of(of.cells.at(cell).which), found->dump()));
    }
    values.push_back(found->get<double>());
  }
  return values;
}

}  // namespace stealbench::compare
