#include "bench/compare/measure.hpp"

#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace stealbench::compare {
namespace {

using nlohmann::ordered_json;

/// A file that is gone at the beginning of the scope, whatever a killed driver has left, and at its
/// end.
class scratch_file {
 public:
  explicit scratch_file(std::filesystem::path path) : path_(std::move(path)) { remove(); }
  scratch_file(const scratch_file&) = delete;
  scratch_file& operator=(const scratch_file&) = delete;
  ~scratch_file() { remove(); }

 private:
  void remove() const {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }

  std::filesystem::path path_;
};

/// Null if the text is no JSON.
ordered_json parse(std::string_view text) {
  ordered_json parsed = ordered_json::parse(text, nullptr, false);
  return parsed.is_discarded() ? ordered_json() : parsed;
}

ordered_json parse_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return parse(std::string(std::istreambuf_iterator<char>(file), {}));
}

std::string last_line(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n";
  const std::size_t end = text.find_last_not_of(blank);
  if (end == std::string_view::npos) return {};
  text = text.substr(0, end + 1);
  const std::size_t newline = text.rfind('\n');
  if (newline != std::string_view::npos) text = text.substr(newline + 1);
  constexpr std::size_t most_bytes = 120;  // It is going to stand in a table.
  // Nor need it be UTF-8, or be cut between two characters.
  const ordered_json cut = std::string(text.substr(0, most_bytes));
  return parse(cut.dump(-1, ' ', false, ordered_json::error_handler_t::replace)).get<std::string>();
}

/// How it ended and, where it has said something, its last words.
std::string reason_of(const process_result& result, timeout limit) {
  std::string reason = describe_ending(result);
  if (result.how == ending::timed_out && limit) {
    reason += fmt::format(" after {} s", std::chrono::duration<double>(*limit).count());
  }
  const std::string words = result.how == ending::exited ? last_line(result.errors) : "";
  return words.empty() ? reason : fmt::format("{}: {}", reason, words);
}

bool is_once_report(const ordered_json& report) {
  constexpr std::array keys{"workload", "scheduler", "workers", "parameters",
                            "answer",   "verified",  "time_ns", "counters"};
  for (const char* const key : keys) {
    if (!report.is_object() || !report.contains(key)) return false;
  }
  const ordered_json& verified = report["verified"];
  const ordered_json& counters = report["counters"];
  return report["time_ns"].is_number() && (verified.is_boolean() || verified.is_null()) &&
         (counters.is_object() || counters.is_null());
}

/// Seconds in one of Google Benchmark's units; 0 for a word that is none.
double seconds_in(const std::string& unit) {
  constexpr std::array<std::pair<std::string_view, double>, 4> units{
      {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1.0}}};
  for (const auto& [name, seconds] : units) {
    if (name == unit) return seconds;
  }
  return 0;
}

double number_at(const ordered_json& entry, const char* key) {
  const auto found = entry.find(key);
  return found != entry.end() && found->is_number() ? found->get<double>() : std::nan("");
}

std::string text_at(const ordered_json& entry, const char* key) {
  const auto found = entry.find(key);
  return found != entry.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool is_flagged(const ordered_json& entry, const char* key) {
  const auto found = entry.find(key);
  return found != entry.end() && found->is_boolean() && found->get<bool>();
}

/// The one benchmark of a file that Google Benchmark wrote; null if it is not such a file.
ordered_json only_entry(const ordered_json& file) {
  if (!file.is_object() || !file.contains("benchmarks")) return {};
  const ordered_json& entries = file["benchmarks"];
  const bool is_one = entries.is_array() && entries.size() == 1 && entries.front().is_object();
  return is_one ? entries.front() : ordered_json();
}

/// What every entry has, by its name there.
constexpr std::array<std::pair<const char*, double sample::*>, 11> members{
    {{"cpu_seconds", &sample::cpu_seconds},
     {"user_seconds", &sample::user_seconds},
     {"system_seconds", &sample::system_seconds},
     {"voluntary_switches", &sample::voluntary_switches},
     {"forced_switches", &sample::forced_switches},
     {"runs", &sample::runs},
     {"start_up_seconds", &sample::start_up_seconds},
     {"first_run_seconds", &sample::first_run_seconds},
     {"fork_count", &sample::fork_count},
     {"worker_count", &sample::worker_count},
     {"peak_rss_bytes", &sample::peak_rss_bytes}}};

/// Google Benchmark says in a name how it was timed.
constexpr const char* suffix = "/manual_time";

}  // namespace

std::optional<sample> sample_of(const ordered_json& entry) {
  sample read{.seconds = number_at(entry, "real_time") * seconds_in(text_at(entry, "time_unit"))};
  // Written so that what is not a number fails too.
  bool is_usable = read.seconds > 0 && std::isfinite(read.seconds);
  for (const auto& [key, member] : members) {
    read.*member = number_at(entry, key);
    is_usable = is_usable && read.*member >= 0;
  }
  if (!is_usable || read.worker_count < 1 || read.runs < 1) return std::nullopt;
  const double joules = number_at(entry, "energy_joules");
  if (joules >= 0) read.energy_joules = joules;
  return read;
}

namespace {

/// One run in a mode that ends with a report on the standard output.
single_run run_and_report(const cell& which, const std::vector<std::string>& mode, timeout limit,
                          const signal_watch& watch) {
  process_request request{which.executable, arguments_of(which), limit};
  request.arguments.insert(request.arguments.begin(), mode.begin(), mode.end());
  const process_result result = run_process(request, watch);

  single_run run;
  const bool has_exited = result.how == ending::exited;
  if (has_exited && result.status == 2) throw workloads::bad_input(last_line(result.errors));
  if (!has_exited || result.status > 1) {
    run.failure = reason_of(result, limit);
    return run;
  }
  ordered_json report = result.output_was_cut ? ordered_json() : parse(result.output);
  if (!is_once_report(report)) {
    run.failure = result.status == 0 ? "unreadable output: not the JSON of one run"
                                     : reason_of(result, limit);
    return run;
  }
  run.report = std::move(report);
  if (run.report["verified"] == false) {
    run.failure = "wrong answer";
  } else if (result.status != 0) {
    run.failure = reason_of(result, limit);
  }
  return run;
}

}  // namespace

single_run run_once(const cell& which, timeout limit, const signal_watch& watch) {
  return run_and_report(which, {"--once"}, limit, watch);
}

single_run run_traced(const cell& which, const trace_request& trace, const signal_watch& watch) {
  return run_and_report(
      which, {"--trace", trace.file.string(), "--events", std::to_string(trace.events_per_worker)},
      {}, watch);
}

timed_run run_timed(const cell& which, timeout limit, const std::filesystem::path& scratch,
                    const signal_watch& watch, std::chrono::milliseconds at_least) {
  const scratch_file removed_at_the_end(scratch);
  process_request request{which.executable, arguments_of(which), limit};
  request.arguments.push_back("--benchmark_out=" + scratch.string());
  request.arguments.emplace_back("--benchmark_out_format=json");
  request.arguments.emplace_back("--benchmark_min_time=0");  // One iteration, after the warm-up.
  request.arguments.emplace_back("--sample-ms");
  request.arguments.push_back(fmt::format("{}", at_least.count()));

  timed_run run;
  process_result result;
  try {
    result = run_process(request, watch);
  } catch (const std::system_error& error) {
    run.failure = error.what();
    return run;
  }
  const ordered_json file = parse_file(scratch);
  run.entry = only_entry(file);
  if (result.how == ending::exited && is_flagged(run.entry, "error_occurred")) {
    run.failure = text_at(run.entry, "error_message");
    if (run.failure.empty()) run.failure = "an error without a message";
    return run;
  }
  if (result.how != ending::exited || result.status != 0) {
    run.failure = reason_of(result, limit);
    return run;
  }
  const std::optional<sample> measured = sample_of(run.entry);
  if (!measured || text_at(run.entry, "name") != name_of(which) + suffix) {
    run.failure = "unreadable output: not the Google Benchmark JSON of this cell";
    return run;
  }
  run.measured = *measured;
  run.context = file.contains("context") ? file["context"] : ordered_json::object();
  run.entry["process_cpu_seconds"] = result.cpu_seconds;
  return run;
}

}  // namespace stealbench::compare
