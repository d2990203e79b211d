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

/// What the tables need of one timed run.
struct sample {
  double seconds = 0;       ///< Wall time of the workload.
  double cpu_seconds = 0;   ///< Processor time of all threads during that.
  double fork_count = 0;    ///< Branches that the program offered.
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

/// `scratch` is a file that does not matter: it is written by the process and removed. Throws
/// `interrupted`.
[[nodiscard]] timed_run run_timed(const cell& which, timeout limit,
                                  const std::filesystem::path& scratch, const signal_watch& watch);

}  // namespace stealbench::compare
