#include "bench/driver/rounds/cell_process.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "results/dataset/measurements.hpp"
#include "workloads/kit/parameters.hpp"

namespace stealbench::rounds {
namespace {

using nlohmann::ordered_json;

/// Of what a process says last.
constexpr std::size_t most_bytes_in_table = 240;
constexpr std::size_t most_bytes_of_message = 4096;

/// Null if the text is no JSON.
ordered_json parse(std::string_view text) {
  ordered_json parsed = ordered_json::parse(text, nullptr, false);
  return parsed.is_discarded() ? ordered_json() : parsed;
}

ordered_json printed_by(const system::process_result& result) {
  return result.output_was_cut ? ordered_json() : parse(result.output);
}

/// Null if there is none.
ordered_json member(const ordered_json& object, const char* key) {
  return object.is_object() ? object.value(key, ordered_json()) : ordered_json();
}

std::string last_line(std::string_view text, std::size_t most_bytes) {
  constexpr std::string_view blank = " \t\r\n";
  text = text.substr(0, text.find_last_not_of(blank) + 1);
  text = text.substr(text.rfind('\n') + 1);
  // Nor need it be UTF-8, or be cut between two characters.
  const ordered_json cut = std::string(text.substr(0, most_bytes));
  return parse(cut.dump(-1, ' ', false, ordered_json::error_handler_t::replace)).get<std::string>();
}

bool has_exited(const system::process_result& result) {
  return result.how == system::ending::exited;
}

/// Of a process that prints one object with its answer: `is_whole` if that is what it was asked
/// for.
cell_run answered(ordered_json printed, bool is_whole, const std::string& reason,
                  const char* expected) {
  const bool is_wrong = is_whole && member(printed, "verified") == false;
  cell_run run{.context = {}, .entry = {}, .failure = is_wrong ? "wrong answer" : reason};
  if (is_whole) {
    run.entry = std::move(printed);
  } else if (reason.empty()) {
    run.failure = fmt::format("unreadable output: not the JSON of {}", expected);
  }
  return run;
}

bool is_once_report(const ordered_json& report) {
  constexpr std::array keys{"workload", "scheduler", "workers", "parameters",
                            "answer",   "verified",  "time_ns", "counters"};
  if (!std::ranges::all_of(keys, [&](const char* key) { return report.contains(key); })) {
    return false;
  }
  const ordered_json& time = report["time_ns"];
  const ordered_json& verified = report["verified"];
  const ordered_json& counters = report["counters"];
  return (time.is_number() || time.is_null()) && (verified.is_boolean() || verified.is_null()) &&
         (counters.is_object() || counters.is_null());
}

/// The one benchmark of what Google Benchmark printed; null if that is not its JSON.
ordered_json only_entry(const ordered_json& printed) {
  const ordered_json entries = member(printed, "benchmarks");
  return entries.is_array() && entries.size() == 1 ? entries.front() : ordered_json();
}

/// Google Benchmark says in a name how it was timed.
constexpr const char* suffix = "/manual_time";

/// Whether it is of this cell and this seed.
bool is_of(const ordered_json& printed, const target& subject, std::uint64_t seed) {
  return dataset::sample_of(printed, dataset::source::simulation) &&
         member(printed, "workload") == subject.which.what.workload &&
         member(printed, "workers") == subject.which.workers && member(printed, "seed") == seed;
}

/// Leaves out what no report shows and what would be most of a raw file: the counters of any seed
/// but the first (dataset::measurements), and of more workers than machines are validated with a
/// list of each one's.
void shorten(ordered_json& printed, const target& subject, std::uint64_t seed) {
  constexpr unsigned most_listed_workers = 16;
  if (!subject.which.machine.empty()) printed.erase("lines");
  if (seed > 1) {
    printed.erase("counters");
  } else if (subject.which.workers > most_listed_workers && printed.contains("counters")) {
    printed["counters"].erase("per_worker");
  }
}

}  // namespace

std::string why_ended(const system::process_result& result, timeout limit) {
  if (has_exited(result) && result.status == 0) return {};
  std::string reason = system::describe_ending(result);
  if (result.how == system::ending::timed_out && limit) {
    reason += fmt::format(" after {} s", std::chrono::duration<double>(*limit).count());
  }
  const std::string words = has_exited(result) ? last_line(result.errors, most_bytes_in_table) : "";
  return words.empty() ? reason : fmt::format("{}: {}", reason, words);
}

std::vector<std::string> arguments_of(const target& what) {
  const dataset::cell& which = what.which;
  std::vector<std::string> arguments{what.is_figure ? "--metric" : "--workload",
                                     which.what.workload,
                                     "--size",
                                     "none",
                                     "--workers",
                                     std::to_string(which.workers)};
  if (what.is_pinned) arguments.emplace_back("--pin");
  const std::size_t colon = which.scheduler.find(':');
  if (colon != std::string::npos) {
    arguments.insert(arguments.end(), {"--variant", which.scheduler.substr(colon + 1)});
  }
  for (const auto& [key, value] : which.what.parameters) {
    arguments.insert(arguments.end(), {"--set", fmt::format("{}={}", key, value)});
  }
  return arguments;
}

cell_run run_once(const target& subject, const std::vector<std::string>& mode, timeout limit,
                  system::process_runner& runner) {
  system::process_request request{subject.executable, mode, limit};
  std::ranges::move(arguments_of(subject), std::back_inserter(request.arguments));
  const system::process_result result = runner.run(request);
  if (has_exited(result) && result.status == 2) {
    throw kit::bad_input(last_line(result.errors, most_bytes_of_message));
  }
  const bool has_crashed = !has_exited(result) || result.status > 1;
  ordered_json printed = has_crashed ? ordered_json() : printed_by(result);
  const bool is_whole = is_once_report(printed);
  return answered(std::move(printed), is_whole, why_ended(result, limit), "one run");
}

system::process_request timing_of(const target& subject, timeout limit,
                                  std::chrono::milliseconds at_least) {
  system::process_request request{subject.executable, arguments_of(subject), limit};
  // Through the pipe and not by a file: a full disk must not look like a cell that failed. One
  // iteration, after the warm-up.
  request.arguments.insert(request.arguments.end(),
                           {"--benchmark_format=json", "--benchmark_min_time=0", "--sample-ms",
                            std::to_string(at_least.count())});
  return request;
}

cell_run read_timing(const system::process_result& result, const target& subject, timeout limit) {
  const ordered_json printed = printed_by(result);
  cell_run run{.context = {}, .entry = only_entry(printed), .failure = {}};
  if (has_exited(result) && member(run.entry, "error_occurred") == true) {
    const ordered_json message = member(run.entry, "error_message");
    run.failure = message.is_string() && message != "" ? message.get<std::string>()
                                                       : "an error without a message";
    return run;
  }
  run.failure = why_ended(result, limit);
  if (!run.failure.empty()) return run;
  dataset::cell which = subject.which;
  which.build.clear();  // A process does not know it.
  if (member(run.entry, "name") != name_of(which) + suffix || !dataset::sample_of(run.entry)) {
    run.failure = "unreadable output: not the Google Benchmark JSON of this benchmark";
    return run;
  }
  run.context = printed.value("context", ordered_json::object());
  return run;
}

cell_run run_timed(const target& subject, timeout limit, system::process_runner& runner,
                   std::chrono::milliseconds at_least) {
  system::process_result result;
  try {
    result = runner.run(timing_of(subject, limit, at_least));
  } catch (const std::system_error& error) {
    if (system::is_shortage(error.code())) throw;
    return {.context = {}, .entry = {}, .failure = error.what()};
  }
  cell_run run = read_timing(result, subject, limit);
  if (run.failure.empty()) run.entry["process_cpu_seconds"] = result.cpu_seconds;
  return run;
}

system::process_request simulation_of(const target& subject, std::uint64_t seed,
                                      const ordered_json& profile, timeout limit) {
  system::process_request request{subject.executable, arguments_of(subject), limit, profile.dump()};
  request.most_output_bytes = std::size_t{16} << 20;  // Counters of 4096 workers are long.
  request.arguments.insert(request.arguments.end(),
                           {"--profile", "/dev/stdin", "--seed", std::to_string(seed)});
  if (!subject.which.varied.empty()) {
    request.arguments.insert(request.arguments.end(), {"--vary", subject.which.varied});
  }
  return request;
}

cell_run read_simulation(const system::process_result& result, const target& subject,
                         std::uint64_t seed, timeout limit) {
  ordered_json printed = printed_by(result);
  const bool is_whole = is_of(printed, subject, seed);
  cell_run run =
      answered(std::move(printed), is_whole, why_ended(result, limit), "this simulation");
  if (run.failure.empty()) {
    shorten(run.entry, subject, seed);
  } else {
    run.entry = nullptr;
  }
  return run;
}

}  // namespace stealbench::rounds
