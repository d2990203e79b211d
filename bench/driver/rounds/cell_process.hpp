// Runs one cell in a process of its own and reads what it reports.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "results/dataset/cell.hpp"
#include "results/system/process.hpp"

namespace stealbench::rounds {

/// What one process runs: a cell, and the executable that measures or simulates it.
struct target {
  dataset::cell which;
  std::filesystem::path executable;
  bool is_figure = false;  ///< Whether the cell is of a cost figure and not of a workload.
  bool is_pinned = false;  ///< Whether each worker stays on one processor.
};

/// What every run of the cell's executable is given: the scheduler's settings, workload or figure,
/// workers and parameters.
[[nodiscard]] std::vector<std::string> arguments_of(const target& what);

using timeout = std::optional<std::chrono::milliseconds>;

/// How a process ended and, where it has said something, its last words; empty if it ended well.
[[nodiscard]] std::string why_ended(const system::process_result& result, timeout limit);

/// What one process gave.
struct cell_run {
  nlohmann::ordered_json context;  ///< As Google Benchmark wrote it; of a timed run alone.
  nlohmann::ordered_json entry;    ///< What it reports of the cell; null if it cannot be read.
  std::string failure;             ///< Why it does not count; empty if all went well.
};

/// One run in the mode that these arguments choose:
/// - `--once`;
/// - `--once --counters-only`: its report has counters, null if the scheduler counts nothing, but
///   no answer and no time;
/// - `--trace FILE --events N`: its report has also `events` and `dropped_intervals`. The file is
///   replaced as a whole, and only if all goes well.
/// Throws kit::bad_input with the process's own message if it refuses its input,
/// system::interrupted, and std::system_error if it cannot be started.
[[nodiscard]] cell_run run_once(const target& subject, const std::vector<std::string>& mode,
                                timeout limit, system::process_runner& runner);

/// A process goes on with its runs until they have lasted for so long together: a short run is
/// measured more often than a long one, for little time.
inline constexpr std::chrono::milliseconds sample_time{150};

/// The process that runs until the runs after the first have lasted for `at_least`.
[[nodiscard]] system::process_request timing_of(const target& subject, timeout limit,
                                                std::chrono::milliseconds at_least);

/// What it has reported, but not what its whole process used.
[[nodiscard]] cell_run read_timing(const system::process_result& result, const target& subject,
                                   timeout limit);

/// Runs it to its end. The entry is Google Benchmark's,
/// with what the operating system has accounted. Throws system::interrupted, and std::system_error
/// if no program can be started (system::is_shortage).
[[nodiscard]] cell_run run_timed(const target& subject, timeout limit,
                                 system::process_runner& runner,
                                 std::chrono::milliseconds at_least = sample_time);

/// The process that simulates the cell with a seed, on the machine of a profile
/// (schedulers/virtual_machine/profile.hpp).
[[nodiscard]] system::process_request simulation_of(const target& subject, std::uint64_t seed,
                                                    const nlohmann::ordered_json& profile,
                                                    timeout limit);

/// What it has reported: the entry is the object that it printed.
[[nodiscard]] cell_run read_simulation(const system::process_result& result, const target& subject,
                                       std::uint64_t seed, timeout limit);

}  // namespace stealbench::rounds
