// Runs one cell in a process of its own and reads what it has to say.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "bench/compare/cells.hpp"
#include "bench/compare/process.hpp"

namespace stealbench::compare {

using timeout = std::optional<std::chrono::milliseconds>;

/// One run in once mode.
struct single_run {
  nlohmann::ordered_json report;  ///< What the process printed; null if it cannot be read.
  std::string failure;            ///< Why it does not count; empty if all went well.
};

/// Throws workloads::bad_input with the process's own message if it refuses its input,
/// `interrupted`, and std::system_error if it cannot be started.
[[nodiscard]] single_run run_once(const cell& which, timeout limit, const signal_watch& watch);

/// Where a recorded run goes, and how much of it at most.
struct trace_request {
  std::filesystem::path file;  ///< Replaced as a whole, and only if all goes well.
  std::uint64_t events_per_worker = 0;
};

/// One recorded run, without a deadline. Its report has also `events` and `dropped_stretches`.
/// Throws as run_once.
[[nodiscard]] single_run run_traced(const cell& which, const trace_request& trace,
                                    const signal_watch& watch);

/// What one timed process gave. The figures of a run are those of its steady state: the runs after
/// the first one.
struct sample {
  double seconds = 0;      ///< Wall time of a run; the median where there were several.
  double cpu_seconds = 0;  ///< Processor time of all threads during a run: user and system.
  double user_seconds = 0;
  double system_seconds = 0;
  double voluntary_switches = 0;             ///< Of threads during a run.
  double forced_switches = 0;                ///< Likewise.
  std::optional<double> energy_joules = {};  ///< Of the whole machine during a run.
  double runs = 1;                           ///< How many runs the above are of.
  double start_up_seconds = 0;               ///< Making the scheduler.
  double first_run_seconds = 0;              ///< Wall time of the run before those.
  double fork_count = 0;                     ///< Branches that the program offered.
  double worker_count = 0;  ///< Workers that the scheduler had: serial has one, whatever is asked.
  double peak_rss_bytes = 0;  ///< Of the whole process.
};

/// From the entry that Google Benchmark wrote of one run; none if that is not what it is.
[[nodiscard]] std::optional<sample> sample_of(const nlohmann::ordered_json& entry);

/// One timed run.
struct timed_run {
  nlohmann::ordered_json context;  ///< As Google Benchmark wrote it.
  nlohmann::ordered_json entry;    ///< Likewise, with what the operating system has accounted.
  sample measured;
  std::string failure;  ///< Why it does not count; empty if all went well.
};

/// A process goes on with its runs until they have lasted for so long together: a short run is
/// measured more often than a long one, for little time.
inline constexpr std::chrono::milliseconds sample_time{150};

/// Runs until the runs after the first have lasted for `at_least`. `scratch` is a file that does
/// not matter: it is written by the process and removed. Throws `interrupted`.
[[nodiscard]] timed_run run_timed(const cell& which, timeout limit,
                                  const std::filesystem::path& scratch, const signal_watch& watch,
                                  std::chrono::milliseconds at_least = sample_time);

}  // namespace stealbench::compare
