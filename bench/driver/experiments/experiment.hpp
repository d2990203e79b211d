// An experiment: what is measured, and what is said of it. The pipeline around it is the same for
// all: options, rounds of processes, the raw file, --resume, the report.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "bench/driver/experiments/settings.hpp"
#include "bench/driver/rounds/installation.hpp"
#include "bench/driver/rounds/rounds.hpp"
#include "results/dataset/measurements.hpp"
#include "results/report/document.hpp"
#include "workloads/kit/parameters.hpp"

namespace stealbench::experiments {

/// What an experiment wants measured.
struct design {
  std::vector<dataset::cell> cells;
  dataset::json about = dataset::json::object();  ///< What its report needs beyond the cells.
};

/// Where a design needs to look before it knows its cells.
struct probe {
  const rounds::installation& installed;
  std::chrono::seconds timeout;
};

/// What the pipeline has to know of an experiment.
struct traits {
  std::string name;      ///< Of the command and of the files in the output folder.
  std::string summary;   ///< The first line of its help.
  std::string notes;     ///< Below the options; ends with an empty line, or is empty.
  std::string examples;  ///< The last lines: two of them.
  /// What is said of a dataset of this experiment; pure. Throws std::invalid_argument if its
  /// values do not belong together.
  std::vector<report::section> (*report)(const dataset::measurements& data);
  unsigned budget_seconds = 120;  ///< Unless the user sets another.
  bool counts = false;            ///< Whether one more run of each cell counts its events.
  bool simulates = false;         ///< Whether its cells are simulated; its `about` has `profile`.
  bool measures_figures = false;  ///< Whether its cells are of cost figures and not of workloads.
  std::chrono::milliseconds sample_time = rounds::sample_time;  ///< Of the runs of a process.
  /// What --json prints instead of the report, a line each; none: it has no such option.
  std::vector<dataset::json> (*as_json)(const dataset::measurements& data) = nullptr;
};

/// Implemented once for each command that measures. A new one is a file NAME.cpp with
/// `std::unique_ptr<experiment> experiments::NAME::make()`, and its name in the list in
/// bench/driver/CMakeLists.txt. What is long of it is beside the file in a folder NAME.
class experiment {
 public:
  explicit experiment(traits about) : about_(std::move(about)) {}
  experiment(const experiment&) = delete;
  experiment& operator=(const experiment&) = delete;
  virtual ~experiment() = default;

  [[nodiscard]] const traits& about() const { return about_; }

  /// Declares its options.
  virtual void declare(settings& options) = 0;
  /// Before `check`, if an experiment is resumed: what its design said about it.
  virtual void recall(const dataset::json& /*about*/) {}
  /// Checks the options and replaces defaults by their values, such as the names of all schedulers.
  /// Starts no process. Throws kit::bad_input.
  virtual void check(const rounds::installation& installed) = 0;
  /// Requires: `check` has returned. May run processes: throws as rounds::run_timed.
  [[nodiscard]] virtual design make(const probe& where) = 0;

 private:
  traits about_;
};

/// Every experiment, in the order in which a report shows them.
[[nodiscard]] std::span<const std::unique_ptr<experiment>> all();

/// What the experiment of a dataset says of it. Throws kit::bad_input if there is no such
/// experiment, or the values do not belong together.
[[nodiscard]] std::vector<report::section> sections_of(const dataset::measurements& data);

/// How this program was started; it is kept in the raw file.
struct started_by {
  std::vector<std::string> arguments;
  std::string commit;  ///< That it was built from.
};

/// Adds a command for each to the program. When one is chosen, its exit status goes to `status`: 0
/// if all cells have finished, 1 if one has not. The command throws kit::bad_input before it
/// has measured anything, system::interrupted, and std::system_error.
void declare_all(CLI::App& program, const started_by& user, int& status);

/// Options that several experiments have.
CLI::Option* add_schedulers(settings& options, std::vector<std::string>& schedulers,
                            const std::string& shown_default = "all that are built");
CLI::Option* add_workers(settings& options, std::vector<unsigned>& workers);
CLI::Option* add_size(settings& options, std::string& size);

/// The sizes of an experiment on several workloads: one for all, and others for some.
class workload_sizes {
 public:
  void declare(settings& options);
  /// Throws kit::bad_input if one is given for another workload than these, or does not exist.
  void check(const std::vector<std::string>& workloads) const;
  /// Throws kit::bad_input if the workload lacks the size, or what is set.
  [[nodiscard]] std::vector<dataset::instance> instances_of(
      const std::string& workload, const std::vector<kit::assignment>& set = {}) const;

 private:
  std::string of_all_ = "standard";
  std::vector<std::string> of_some_;  // WORKLOAD=SIZE; the last for a workload counts.
};

/// Canonical names without repetitions; an empty list, or `all`, becomes all that are built. Throws
/// kit::bad_input.
void resolve_schedulers(std::vector<std::string>& schedulers,
                        const rounds::installation& installed);

}  // namespace stealbench::experiments
