// An experiment: what is measured, and what is reported of it. The pipeline around it is the same
// for all: options, rounds of processes, the raw file, --resume, the report.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "bench/driver/experiments/settings.hpp"
#include "bench/driver/experiments/shares.hpp"
#include "bench/driver/rounds/installation.hpp"
#include "bench/driver/rounds/rounds.hpp"
#include "results/dataset/measurements.hpp"
#include "results/report/document.hpp"

namespace stealbench::experiments {

/// What an experiment wants measured.
struct design {
  std::vector<dataset::cell> cells = {};
  dataset::json about = dataset::json::object();  ///< What its report needs beyond the cells.
};

/// What is known of an experiment before its options: its command's help, and its report.
struct description {
  std::string name;        ///< Of the command and of the files in the output folder.
  std::string summary;     ///< The first line of the help.
  std::string notes = {};  ///< Below the options; ends with an empty line, or is empty.
  std::string method =
      "A benchmark is one scheduler, one workload with all its parameters and one worker count. A "
      "round runs every benchmark once, in random order, each in its own process.";
  /// When the exit status is 0, and when 1.
  std::string status = "0 if every benchmark finished, 1 if one failed";
  std::array<std::string, 2> examples;  ///< Arguments.
  /// What is reported of a dataset of this experiment; pure. Throws std::invalid_argument if its
  /// values do not belong together.
  std::vector<report::section> (*report)(const dataset::measurements& data);
  /// What --json prints instead of the report, a line each; null: no such option.
  std::vector<dataset::json> (*values)(const dataset::measurements& data) = nullptr;
  std::string json_help = {};
  unsigned budget_seconds = 120;
};

/// Implemented once for each command that measures. A new one is a file NAME.cpp with
/// `std::unique_ptr<experiment> experiments::NAME::make()`, and its name in the list in
/// bench/driver/CMakeLists.txt. What is long of it is beside the file in a folder NAME.
class experiment {
 public:
  explicit experiment(description about) : about_(std::move(about)) {
    plan_.until.budget_seconds = about_.budget_seconds;
  }
  experiment(const experiment&) = delete;
  experiment& operator=(const experiment&) = delete;
  virtual ~experiment() = default;

  [[nodiscard]] const description& about() const { return about_; }
  [[nodiscard]] const std::string& name() const { return about_.name; }

  /// Declares its options, but for those of `plan`.
  virtual void declare(settings& options) = 0;
  /// Checks the options, replaces defaults by their values, such as the names of all schedulers,
  /// and returns what is to be measured. Starts no process. Throws bad_input.
  [[nodiscard]] virtual design check(const rounds::installation& installed) = 0;
  /// Adds the cells that a few runs find, unless it is resumed. Throws as rounds::run_timed.
  virtual void search(const rounds::installation& /*installed*/, design& /*found*/) {}

  /// Of the command, when all is measured.
  [[nodiscard]] virtual int status_of(const dataset::measurements& data) const;

  /// How its cells are measured, as the options have it, but for the targets; one that has a
  /// `simulation` is simulated. Of an experiment that is resumed, its profile is known to `check`.
  [[nodiscard]] rounds::plan& plan() { return plan_; }
  [[nodiscard]] const rounds::plan& plan() const { return plan_; }
  /// What the processes of all cells have in common.
  [[nodiscard]] rounds::target& pattern() { return pattern_; }
  /// The process that runs a cell.
  [[nodiscard]] virtual rounds::target target_of(const dataset::cell& which,
                                                 const rounds::installation& installed) const;

 private:
  description about_;
  rounds::plan plan_;
  rounds::target pattern_;
};

/// Every experiment, in the order in which a report shows them.
[[nodiscard]] std::span<const std::unique_ptr<experiment>> all();

/// What the experiment of a dataset says of it. Throws bad_input if there is no such experiment, or
/// the values do not belong together.
[[nodiscard]] std::vector<report::section> sections_of(const dataset::measurements& data);

/// How this program was started; the raw file keeps it, but for the place of the program.
struct started_by {
  std::string program;  ///< As the user called it.
  std::vector<std::string> arguments;
  std::string commit;  ///< That it was built from.
  member among = this_member();
};

/// Adds a command for each to the program. When one is chosen, its exit status goes to `status`, as
/// its description says. The command throws bad_input before it has
/// measured anything, system::interrupted, and std::system_error.
void declare_all(CLI::App& program, const started_by& user, int& status);

}  // namespace stealbench::experiments
