#include "results/dataset/measurements.hpp"

#include <fstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "workloads/kit/parameters.hpp"

namespace stealbench::dataset {
namespace {

namespace fs = std::filesystem;
using kit::bad_input;

[[noreturn]] void refuse(const std::string& why) { throw bad_input(why); }

cell cell_of(const json& line) {
  cell which{.what = instance_of(line), .scheduler = line.at("scheduler"), .workers = 1};
  const json& workers = line.at("workers");
  if (!workers.is_number_unsigned() || workers == 0) {
    refuse(fmt::format("workers of {} is {}, not a whole number from 1", line.at("name").dump(),
                       workers.dump()));
  }
  workers.get_to(which.workers);
  if (line.contains("varied")) line.at("varied").get_to(which.varied);
  if (line.at("name") != name_of(which)) {
    refuse(fmt::format("the benchmark {} is named {}", name_of(which), line.at("name").dump()));
  }
  return which;
}

}  // namespace

std::string text_at(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return "unknown";
  return found->is_string() ? found->get<std::string>() : found->dump();
}

json json_of(const instance& what) {
  json parameters = json::object();
  for (const auto& [key, value] : what.parameters) parameters[key] = value;
  return {{"workload", what.workload}, {"parameters", std::move(parameters)}};
}

instance instance_of(const json& object) {
  instance what{object.at("workload"), {}};
  for (const auto& [key, value] : object.at("parameters").items()) {
    what.parameters.emplace_back(key, value.get<std::string>());
  }
  return what;
}

json json_of(const cell& which) {
  json object{{"name", name_of(which)}};
  object.update(json_of(which.what));
  object.update({{"scheduler", which.scheduler}, {"workers", which.workers}});
  if (!which.varied.empty()) object["varied"] = which.varied;
  return object;
}

void measurements::apply(const json& line) try {
  const std::string type = line.at("type");
  if (header_.is_null() != (type == "experiment")) {
    refuse(header_.is_null() ? "the first line does not describe an experiment"
                             : "an experiment begins inside of another one");
  }
  if (type == "experiment") {
    begin(line);
  } else if (type == "context") {
    if (context_.empty()) line.at("context").get_to(context_);
  } else if (type == "process" || type == "counters") {
    add_run(line, type == "counters");
  } else if (type == "resumed") {
    ++times_resumed_;
  } else if (type == "finished") {
    finish(line);
  } else {
    refuse(fmt::format("unknown type '{}'", type));
  }
} catch (const json::exception& error) {
  refuse(error.what());
}

void measurements::begin(const json& line) {
  if (line.at("format") != format_version) {
    refuse(fmt::format("it has format {}; this stealbench reads format {}",
                       line.at("format").dump(), format_version));
  }
  static_cast<void>(line.at("experiment").get<std::string>());
  if (!line.at("settings").is_object()) refuse("its settings are not an object");
  line.at("host_checks").get_to(host_checks_);
  for (const json& each : line.at("cells")) {
    measured_cell& added = cells_.emplace_back();
    added.which = cell_of(each);
    const auto [place, is_new] = places_.emplace(name_of(added.which), cells_.size() - 1);
    if (!is_new) refuse(fmt::format("it has the benchmark {} twice", place->first));
  }
  if (cells_.empty()) refuse("it has no benchmarks");
  header_ = line;
}

void measurements::add_run(const json& line, bool is_counting) {
  const std::string name = line.at("cell");
  const auto found = places_.find(name);
  if (found == places_.end()) refuse(fmt::format("there is no benchmark {}", name));
  line.at("spent_seconds").get_to(spent_seconds_);
  measured_cell& subject = cells_[found->second];
  if (is_counting) subject.was_counted = true;
  if (line.contains("failure")) {
    line.at("failure").get_to(subject.failure);
  } else if (is_counting) {
    subject.counters = line.at("counters");
    if (subject.counters.is_null() || subject.counters.is_object()) return;
    refuse(fmt::format("counters of {} are neither an object nor null", name));
  } else {
    add_sample(line, subject);
  }
}

void measurements::add_sample(const json& line, measured_cell& subject) {
  const std::string name = name_of(subject.which);
  const std::size_t due = subject.samples.size() + 1;
  if (line.at("round") != due) {
    refuse(fmt::format("round {} of {} where round {} is due", line.at("round").dump(), name, due));
  }
  const bool is_simulation = line.contains("simulation");
  const std::optional<sample> found =
      is_simulation ? simulated_sample_of(line.at("simulation")) : sample_of(line.at("benchmark"));
  if (!found) {
    refuse(fmt::format("round {} of {} lacks a value, or one is not a number", due, name));
  }
  subject.samples.push_back(*found);
  if (!is_simulation) return;
  json& printed = subject.simulations.emplace_back(line.at("simulation"));
  if (due == 1) subject.counters = printed.value("counters", json());
  subject.was_counted = true;
  printed.erase("counters");
}

void measurements::finish(const json& line) {
  for (const measured_cell& each : cells_) {
    if (each.failure.empty() && each.samples.empty()) {
      refuse(fmt::format("{} has neither a value nor a failure", name_of(each.which)));
    }
  }
  line.at("host_checks").get_to(host_checks_);
  line.at("spent_seconds").get_to(spent_seconds_);
  is_finished_ = true;
}

raw_file read_file(const fs::path& file) {
  const auto refuse_file = [&](std::string_view why) {
    refuse(fmt::format("'{}': {}; valid: a file that a stealbench experiment wrote, such as {}",
                       file.string(), why, file_name_of("compare")));
  };
  std::error_code error;
  if (!fs::exists(file, error)) refuse_file("there is no such file");
  if (fs::is_directory(file, error)) refuse_file("that is a folder");
  std::ifstream stream(file, std::ios::binary);
  if (!stream) refuse_file("it cannot be read");
  raw_file read;
  std::size_t number = 0;
  for (std::string text; std::getline(stream, text);) {
    if (stream.eof()) break;  // No newline: it was being written.
    ++number;
    try {
      const json line = json::parse(text, nullptr, false);
      if (line.is_discarded()) refuse("it is not JSON");
      read.data.apply(line);
    } catch (const bad_input& problem) {
      refuse_file(fmt::format("line {}: {}", number, problem.what()));
    }
    read.whole_bytes += text.size() + 1;
  }
  if (number == 0) refuse_file("it has no complete line");
  return read;
}

std::string file_name_of(std::string_view experiment) {
  return fmt::format("{}.jsonl", experiment);
}

}  // namespace stealbench::dataset
