// The options of an experiment: typed by the user, kept in the raw file, and gone on with by
// --resume.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/cell/command_line.hpp"

namespace stealbench::experiments {

/// Options that decide what is measured. Each is declared once; from then on the raw file records
/// it, and a resumed experiment takes it from there.
class settings {
 public:
  explicit settings(CLI::App& command) : command_(&command) {}

  /// As cell::add_option.
  template <class T>
  CLI::Option* add(const std::string& name, T& value, const cell::value_kind& kind,
                   const std::string& help) {
    return keep(cell::add_option(*command_, name, value, kind, help), value);
  }
  /// `read` makes the values of what was typed, which the check of the kind has passed.
  template <class T, class Read>
  CLI::Option* add_read(const std::string& name, std::vector<T>& values,
                        const cell::value_kind& kind, const std::string& help, const Read& read) {
    const auto set = [&values, read](const std::vector<std::string>& typed) {
      values = read(typed);
    };
    return keep(
        as_kind(kind, command_->add_option_function<std::vector<std::string>>(name, set, help)),
        values);
  }
  CLI::Option* add(const std::string& name, bool& value, const std::string& help) {
    return keep(command_->add_flag(name, value, help), value);
  }

  /// For options that are no settings.
  [[nodiscard]] CLI::App& command() { return *command_; }

  /// What the variables hold, by the names of the options without dashes.
  [[nodiscard]] nlohmann::ordered_json record() const {
    nlohmann::ordered_json recorded = nlohmann::ordered_json::object();
    for (const entry& each : entries_) recorded[each.key] = each.read();
    return recorded;
  }

  /// Sets what the user has not typed to what was recorded. Throws nlohmann::json::exception if it
  /// is no such record.
  void restore(const nlohmann::ordered_json& recorded) const {
    for (const entry& each : entries_) {
      if (each.option->count() == 0) each.write(recorded.at(each.key));
    }
  }

  /// `--workers was [1,2], not [1]`: what differs from a record.
  [[nodiscard]] std::vector<std::string> differences(const nlohmann::ordered_json& recorded) const {
    std::vector<std::string> found;
    for (const entry& each : entries_) {
      const nlohmann::ordered_json now = each.read();
      if (now == recorded.at(each.key)) continue;
      found.push_back(fmt::format("{} was {}, not {}", each.option->get_name(),
                                  recorded.at(each.key).dump(), now.dump()));
    }
    return found;
  }

 private:
  struct entry {
    CLI::Option* option;
    std::string key;
    std::function<nlohmann::ordered_json()> read;
    std::function<void(const nlohmann::ordered_json&)> write;
  };

  template <class T>
  CLI::Option* keep(CLI::Option* option, T& value) {
    const std::string& name =
        option->get_lnames().empty() ? option->get_name() : option->get_lnames().front();
    entries_.push_back(
        {option, name, [&value] { return nlohmann::ordered_json(value); },
         [&value](const nlohmann::ordered_json& recorded) { recorded.get_to(value); }});
    return option;
  }

  CLI::App* command_;
  std::vector<entry> entries_;
};

}  // namespace stealbench::experiments
