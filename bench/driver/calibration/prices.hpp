// What this machine charges for: its operations, a unit of each workload's work, and the engine's
// own instructions. All is asked of executables, each a process of its own; what does not count
// throws std::runtime_error, which names the process and says why, and a signal
// system::interrupted.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/driver/rounds/cell_process.hpp"
#include "bench/driver/rounds/installation.hpp"
#include "results/dataset/cell.hpp"
#include "results/system/process.hpp"
#include "schedulers/virtual_machine/profile.hpp"

namespace stealbench::calibration {

/// A profile without a name and prices, by the executable of the sequential versions.
[[nodiscard]] virtual_machine::profile measure_machine(const std::filesystem::path& sequential,
                                                       system::process_runner& runner);

/// Its `transfer` [ns] alone, in less than a second.
[[nodiscard]] double measure_transfer(const std::filesystem::path& sequential,
                                      system::process_runner& runner);

/// Of one run in the steady state: the least of the medians of three processes, or of two that take
/// long.
[[nodiscard]] double measure_seconds(const rounds::target& subject, system::process_runner& runner);

/// A value for each of what a strategy charges for: forks, spawns, and pieces of loops. A worker
/// either forks or, in a team of one, calls both branches in order: the two are priced as one.
using by_charge = std::array<double, 3>;

/// What a simulated executable reports about one run.
struct simulated_run {
  double seconds = 0;
  double work_units = 0;
  by_charge counts = {};
};

/// `subject` names an executable that simulates.
[[nodiscard]] simulated_run simulate(const rounds::target& subject,
                                     const virtual_machine::profile& profile,
                                     system::process_runner& runner);

/// A scheduler that is built for this machine and for the one in simulated time.
struct strategy {
  std::string scheduler;
  std::filesystem::path measured;
  std::filesystem::path simulated;
};

/// In the order of the suite; work stealing once for each deque.
[[nodiscard]] std::vector<strategy> strategies_in(const rounds::installation& installed);

/// The instances that prices of strategies come from: what each of them charges for at one worker.
using priced_by = std::array<dataset::instance, std::tuple_size_v<by_charge>>;

/// Adds prices to a profile that has costs.
struct pricing_runs {
  virtual_machine::profile& profile;
  std::filesystem::path sequential;  ///< The executable of the sequential versions.
  strategy units_by;                 ///< Counts the units of an instance; any strategy does.
  system::process_runner& runner;

  /// The time of the sequential version divided by the units of work.
  void add_unit(const dataset::instance& what) const;

  /// By one worker: the measured time beyond the simulated one without these prices, divided by
  /// how often each was charged. Below 0 where the simulation takes longer: the processor runs the
  /// accesses that it adds up beside the task's own instructions.
  /// Then the same for the tasks of each other workload, by its first instance with the same words,
  /// where a task is short: what it costs depends on its closure, on its group, and on what the
  /// compiler makes of its program. Requires: the instances have their prices.
  void add_strategy(const strategy& which, const priced_by& runs) const;
};

}  // namespace stealbench::calibration
