#include "results/dataset/measurements.hpp"

#include <algorithm>
#include <istream>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "results/system/compressed_file.hpp"
#include "schedulers/input.hpp"

namespace stealbench::dataset {
namespace {

namespace fs = std::filesystem;
using schedulers::bad_input;

template <class... Values>
[[noreturn]] void refuse(fmt::format_string<const Values&...> why, const Values&... values) {
  throw bad_input(fmt::format(why, values...));
}

cell cell_of(const json& line) {
  cell which{.what = instance_of(line), .scheduler = line.at("scheduler"), .workers = 1};
  if (line.at("workers") == 0) {
    refuse("workers of {} is 0, not a whole number from 1", shown(line.at("name")));
  }
  line.at("workers").get_to(which.workers);
  which.varied = text_or_empty(line, "varied");
  which.build = text_or_empty(line, "build");
  which.machine = text_or_empty(line, "machine");
  if (line.at("name") != name_of(which)) {
    refuse("the benchmark {} is named {}", shown(name_of(which)), shown(line.at("name")));
  }
  return which;
}

/// Before anything else is read of it: other formats have other members.
void expect_format(const json& line) {
  const json format = line.value("format", json());
  if (format == format_version) return;
  refuse("it has format {}; this stealbench reads format {}", shown(format), format_version);
}

json parse_line(std::string_view text) {
  if (schedulers::is_nested_deeper(text, most_depth)) {
    refuse("it is nested too deeply; valid: {} levels", most_depth);
  }
  json line = json::parse(text, nullptr, false);
  if (line.is_discarded()) refuse("it is not JSON");
  return line;
}

}  // namespace

std::string text_at(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return "unknown";
  return found->is_string() ? found->get<std::string>() : found->dump();
}

std::string text_or_empty(const json& object, const char* key) {
  const json text = object.value(key, json());
  return text.is_null() ? "" : text.get<std::string>();
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
  if (!which.build.empty()) object["build"] = which.build;
  if (!which.machine.empty()) object["machine"] = which.machine;
  return object;
}

void measurements::apply(const json& line) {
  const bool is_first = line.is_object() && line.value("type", json()) == "experiment";
  if (header_.is_null() != is_first) {
    refuse("{}", is_first ? "an experiment begins inside of another one"
                          : "the first line does not describe an experiment: its 'type' is not "
                            "\"experiment\"");
  }
  if (is_first) expect_format(line);
  expect_shape(line);
  const std::string type = line.at("type");
  if (type == "experiment") {
    begin(line);
  } else if (type == "context") {
    const json& said = line.at("context");
    json& known = contexts_.try_emplace(text_or_empty(line, "build"), json::object()).first->second;
    known.insert(said.begin(), said.end());  // What it has already stays.
  } else if (type == "process" || type == "counters") {
    add_run(line, type == "counters");
  } else if (type == "resumed") {
    ++times_resumed_;
    for (const json& each : line.value("host_checks", json::array())) keep_worse(each);
  } else {
    finish(line);
  }
}

const json& measurements::context(const std::string& build) const {
  static const json none = json::object();
  const auto found = build.empty() ? contexts_.begin() : contexts_.find(build);
  return found == contexts_.end() ? none : found->second;
}

std::optional<std::size_t> measurements::place_of(const cell& which) const {
  const auto found = places_.find(name_of(which));
  const bool is_known = found != places_.end() && cells_[found->second].which == which;
  return is_known ? std::optional(found->second) : std::nullopt;
}

std::vector<std::string> measurements::builds() const {
  std::vector<std::string> names;
  for (const measured_cell& each : cells_) names.push_back(each.which.build);
  return distinct(names);
}

measurements measurements::of_build(const std::string& build) const {
  measurements part = *this;
  part.contexts_ = {{"", context(build)}};
  std::erase_if(part.cells_, [&](const auto& each) { return each.which.build != build; });
  for (measured_cell& each : part.cells_) each.which.build.clear();
  part.index_cells();
  return part;
}

measurements measurements::restricted_to(
    const std::function<bool(const dataset::cell&)>& is_kept) const {
  measurements part = *this;
  std::erase_if(part.cells_, [&](const auto& each) { return !is_kept(each.which); });
  part.index_cells();
  return part;
}

void measurements::index_cells() {
  places_.clear();
  for (const measured_cell& each : cells_) places_.emplace(name_of(each.which), places_.size());
}

std::string measurements::family_of(const std::string& workload) const {
  const auto found = families_.find(workload);
  return found == families_.end() ? "" : found->second;
}

void measurements::begin(const json& line) {
  line.at("host_checks").get_to(host_checks_);
  if (line.at("cells").size() > most_cells) {
    refuse("it has {} benchmarks; valid: at most {}", line.at("cells").size(), most_cells);
  }
  for (const json& each : line.at("cells")) {
    measured_cell& added = cells_.emplace_back();
    added.which = cell_of(each);
    const auto [place, is_new] = places_.emplace(name_of(added.which), cells_.size() - 1);
    if (!is_new) refuse("it has the benchmark {} twice", shown(place->first));
  }
  if (cells_.empty()) refuse("it has no benchmarks");
  header_ = line;
  if (is_simulated() && header_.at("about").at("workers").empty()) {
    refuse("'about.workers' is empty; valid: one worker count or more");
  }
}

void measurements::add_run(const json& line, bool is_counting) {
  const std::string name = line.at("cell");
  const auto found = places_.find(name);
  if (found == places_.end()) refuse("there is no benchmark {}", shown(name));
  line.at("spent_seconds").get_to(spent_seconds_);
  measured_cell& subject = cells_[found->second];
  if (is_counting) subject.was_counted = true;
  if (const json failure = line.value("failure", json()); !failure.is_null()) {
    failure.get_to(subject.failure);
    if (subject.failure.empty()) refuse("'failure' is empty; valid: a reason, or no such key");
  } else if (is_counting) {
    subject.counters = line.value("counters", json("nothing"));
    if (subject.counters.is_null() || subject.counters.is_object()) return;
    refuse("counters of {} are neither an object nor null", shown(name));
  } else {
    add_sample(line, subject);
  }
}

void measurements::add_sample(const json& line, measured_cell& subject) {
  const std::string name = shown(name_of(subject.which));
  const std::size_t due = subject.samples.size() + 1;
  if (due > most_rounds) {
    refuse("{} has more than {} rounds", name, most_rounds);
  }
  if (const json round = line.value("round", json()); round != due) {
    refuse("round {} of {} where round {} is due", shown(round), name, due);
  }
  const bool is_simulation = line.contains("simulation");
  if (is_simulation != simulates(subject.which)) {
    refuse("round {} of {} is {}", due, name,
           is_simulation ? "simulated, and the first line has no profile"
                         : "measured, and the first line has a profile");
  }
  try {
    subject.samples.push_back(
        read_sample(line.value(is_simulation ? "simulation" : "benchmark", json()),
                    is_simulation ? source::simulation : source::process));
  } catch (const bad_input& problem) {
    refuse("round {} of {}: {}", due, name, problem.what());
  }
  if (!is_simulation) return;
  json& printed = subject.simulations.emplace_back(line.at("simulation"));
  if (due == 1) subject.counters = printed.value("counters", json());
  subject.was_counted = true;
  printed.erase("counters");
}

void measurements::keep_worse(const json& check) {
  const auto badness = [](const json& of) {
    return of.at("status") == "warn" ? 2 : of.at("status") == "unknown" ? 1 : 0;
  };
  const auto known = std::ranges::find_if(
      host_checks_, [&](const json& each) { return each.at("check") == check.at("check"); });
  if (known == host_checks_.end()) {
    host_checks_.push_back(check);
  } else if (badness(check) > badness(*known)) {
    *known = check;
  }
}

void measurements::finish(const json& line) {
  for (const measured_cell& each : cells_) {
    if (each.failure.empty() && each.samples.empty()) {
      refuse("{} has neither a value nor a failure", shown(name_of(each.which)));
    }
  }
  line.at("host_checks").get_to(host_checks_);
  line.at("spent_seconds").get_to(spent_seconds_);
  is_finished_ = true;
}

raw_file read_file(const fs::path& file) {
  const auto refuse_file = [&](std::string_view why) {
    refuse("'{}': {}; valid: a file that a stealbench experiment wrote, such as {}", file.string(),
           why, file_name_of("compare"));
  };
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (status.type() == fs::file_type::not_found) refuse_file("there is no such file");
  if (error) refuse_file(error.message());
  if (fs::is_directory(status)) refuse_file("that is a folder");
  // To read a pipe or a device may take for ever.
  if (!fs::is_regular_file(status)) refuse_file("that is no regular file");
  if (const std::uintmax_t size = fs::file_size(file, error); !error && size > most_file_bytes) {
    refuse_file(fmt::format("it has {} bytes, and at most {} are read", size, most_file_bytes));
  }
  system::compressed_file stream(file);
  if (!stream.is_open()) refuse_file("it cannot be read");
  raw_file read;
  try {
    read = read_lines(stream);
  } catch (const bad_input& problem) {
    refuse_file(problem.what());
  }
  if (stream.bad()) refuse_file("it cannot be read to its end");
  return read;
}

raw_file read_lines(std::istream& in) {
  raw_file read;
  std::size_t number = 0;
  const auto buffer = std::make_unique_for_overwrite<char[]>(most_line_bytes + 2);
  while (in.getline(buffer.get(), most_line_bytes + 2)) {
    if (in.eof()) break;  // No newline: it was being written.
    ++number;
    const std::string_view text(buffer.get(), static_cast<std::size_t>(in.gcount()) - 1);
    try {
      read.data.apply(parse_line(text));
    } catch (const bad_input& problem) {
      refuse("line {}: {}", number, problem.what());
    }
    read.whole_bytes += text.size() + 1;
    if (read.whole_bytes > most_file_bytes) {  // Decompressed.
      refuse("it has more than {} bytes", most_file_bytes);
    }
  }
  const bool is_cut = in.fail() && in.gcount() > 0 && !in.bad();
  if (is_cut) {
    refuse("line {}: it is longer than {} bytes", number + 1, most_line_bytes);
  }
  if (number == 0) refuse("it has no complete line");
  return read;
}

std::string file_name_of(std::string_view experiment) {
  return fmt::format("{}.jsonl", experiment);
}

bool is_named_as_raw(const fs::path& file) {
  const fs::path plain = file.extension() == compressed_ending ? file.stem() : file;
  return plain.extension() == ".jsonl";
}

std::optional<fs::path> find_file(const fs::path& folder, std::string_view experiment) {
  std::error_code error;
  for (const std::string_view ending : {"", compressed_ending}) {
    const fs::path file = folder / (file_name_of(experiment) + std::string(ending));
    if (fs::exists(file, error)) return file;
  }
  return {};
}

}  // namespace stealbench::dataset
