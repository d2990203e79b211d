#include "bench/driver/rounds/cell_process.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

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

std::string last_line(std::string_view text, std::size_t most_bytes) {
  constexpr std::string_view blank = " \t\r\n";
  const std::size_t end = text.find_last_not_of(blank);
  if (end == std::string_view::npos) return {};
  text = text.substr(0, end + 1);
  const std::size_t newline = text.rfind('\n');
  if (newline != std::string_view::npos) text = text.substr(newline + 1);
  // Nor need it be UTF-8, or be cut between two characters.
  const ordered_json cut = std::string(text.substr(0, most_bytes));
  return parse(cut.dump(-1, ' ', false, ordered_json::error_handler_t::replace)).get<std::string>();
}

bool is_once_report(const ordered_json& report) {
  constexpr std::array keys{"workload", "scheduler", "workers", "parameters",
                            "answer",   "verified",  "time_ns", "counters"};
  const auto is_there = [&](const char* key) { return report.contains(key); };
  if (!std::ranges::all_of(keys, is_there)) return false;
  const ordered_json& verified = report["verified"];
  const ordered_json& counters = report["counters"];
  const bool has_time = report["time_ns"].is_number() || report["time_ns"].is_null();
  return has_time && (verified.is_boolean() || verified.is_null()) &&
         (counters.is_object() || counters.is_null());
}

std::string text_at(const ordered_json& entry, const char* key) {
  const auto found = entry.find(key);
  return found != entry.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool is_flagged(const ordered_json& entry, const char* key) {
  const auto found = entry.find(key);
  return found != entry.end() && found->is_boolean() && found->get<bool>();
}

/// The one benchmark of what Google Benchmark printed; null if that is not its JSON.
ordered_json only_entry(const ordered_json& printed) {
  if (!printed.is_object() || !printed.contains("benchmarks")) return {};
  const ordered_json& entries = printed["benchmarks"];
  const bool is_one = entries.is_array() && entries.size() == 1 && entries.front().is_object();
  return is_one ? entries.front() : ordered_json();
}

/// Google Benchmark says in a name how it was timed.
constexpr const char* suffix = "/manual_time";

/// One run in a mode that ends with a report on the standard output.
single_run run_and_report(const target& subject, const std::vector<std::string>& mode,
                          timeout limit, system::process_runner& runner) {
  system::process_request request{subject.executable, arguments_of(subject), limit};
  request.arguments.insert(request.arguments.begin(), mode.begin(), mode.end());
  const system::process_result result = runner.run(request);

  const bool has_exited = result.how == system::ending::exited;
  if (has_exited && result.status == 2)
    throw kit::bad_input(last_line(result.errors, most_bytes_of_message));
  const std::string reason = reason_of(result, limit);
  if (!has_exited || result.status > 1) return {.report = nullptr, .failure = reason};
  ordered_json report = result.output_was_cut ? ordered_json() : parse(result.output);
  if (is_once_report(report)) {
    const bool is_wrong = report["verified"] == false;
    return {.report = std::move(report),
            .failure = is_wrong             ? "wrong answer"
                       : result.status != 0 ? reason
                                            : ""};
  }
  const bool has_failed = result.status != 0;
  return {.report = nullptr,
          .failure = has_failed ? reason : "unreadable output: not the JSON of one run"};
}

}  // namespace

std::string reason_of(const system::process_result& result, timeout limit) {
  std::string reason = system::describe_ending(result);
  if (result.how == system::ending::timed_out && limit) {
    reason += fmt::format(" after {} s", std::chrono::duration<double>(*limit).count());
  }
  const std::string words =
      result.how == system::ending::exited ? last_line(result.errors, most_bytes_in_table) : "";
  return words.empty() ? reason : fmt::format("{}: {}", reason, words);
}

std::vector<std::string> arguments_of(const target& what) {
  const dataset::cell& which = what.which;
  std::vector<std::string> arguments{what.is_figure ? "--metric" : "--workload",
                                     which.what.workload,
                                     "--size",
                                     "none",
                                     "--workers",
                                     fmt::format("{}", which.workers)};
  if (what.is_pinned) arguments.emplace_back("--pin");
  const std::size_t colon = which.scheduler.find(':');
  if (colon != std::string::npos) {
    arguments.emplace_back("--variant");
    arguments.push_back(which.scheduler.substr(colon + 1));
  }
  for (const auto& [key, value] : which.what.parameters) {
    arguments.emplace_back("--set");
    arguments.push_back(fmt::format("{}={}", key, value));
  }
  return arguments;
}

single_run run_once(const target& subject, timeout limit, system::process_runner& runner) {
  return run_and_report(subject, {"--once"}, limit, runner);
}

single_run run_counting(const target& subject, timeout limit, system::process_runner& runner) {
  return run_and_report(subject, {"--once", "--counters-only"}, limit, runner);
}

single_run run_traced(const target& subject, const trace_request& trace,
                      system::process_runner& runner) {
  return run_and_report(
      subject,
      {"--trace", trace.file.string(), "--events", std::to_string(trace.events_per_worker)}, {},
      runner);
}

timed_run run_timed(const target& subject, timeout limit, system::process_runner& runner,
                    std::chrono::milliseconds at_least) {
  system::process_request request{subject.executable, arguments_of(subject), limit};
  // Through the pipe and not by a file: a full disk must not look like a cell that failed.
  request.arguments.emplace_back("--benchmark_format=json");
  request.arguments.emplace_back("--benchmark_min_time=0");  // One iteration, after the warm-up.
  request.arguments.emplace_back("--sample-ms");
  request.arguments.push_back(fmt::format("{}", at_least.count()));

  timed_run run;
  system::process_result result;
  try {
    result = runner.run(request);
  } catch (const std::system_error& error) {
    if (system::is_shortage(error.code())) throw;
    run.failure = error.what();
    return run;
  }
  const ordered_json printed = result.output_was_cut ? ordered_json() : parse(result.output);
  run.entry = only_entry(printed);
  if (result.how == system::ending::exited && is_flagged(run.entry, "error_occurred")) {
    run.failure = text_at(run.entry, "error_message");
    if (run.failure.empty()) run.failure = "an error without a message";
    return run;
  }
  if (result.how != system::ending::exited || result.status != 0) {
    run.failure = reason_of(result, limit);
    return run;
  }
  const bool is_of_cell = text_at(run.entry, "name") == name_of(subject.which) + suffix;
  if (!dataset::sample_of(run.entry) || !is_of_cell) {
    run.failure = "unreadable output: not the Google Benchmark JSON of this benchmark";
    return run;
  }
  run.context = printed.contains("context") ? printed["context"] : ordered_json::object();
  run.entry["process_cpu_seconds"] = result.cpu_seconds;
  return run;
}

}  // namespace stealbench::rounds
