// The measurement itself: rounds over all cells, one process for each, and their counters.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "bench/driver/rounds/cell_process.hpp"
#include "bench/driver/rounds/host.hpp"
#include "bench/driver/rounds/schedule.hpp"
#include "results/dataset/appender.hpp"

namespace stealbench::rounds {

/// What is simulated: all cells of an experiment, or those that name a machine.
struct simulation {
  /// The machine (schedulers/virtual_machine/profile.hpp); null if each cell names its own.
  nlohmann::ordered_json profile;
  nlohmann::ordered_json context;       ///< What is recorded of the build.
  unsigned jobs = usable_processors();  ///< Processes side by side, at least 1.
  /// Profiles by the name that cells have of them.
  std::map<std::string, nlohmann::ordered_json> machines = {};
};

struct plan {
  std::vector<target> targets;  ///< One for each cell of the dataset, in its order.
  stopping_rule until = {};
  unsigned timeout_seconds = 120;
  unsigned calm_seconds = 0;  ///< How long to wait at most until other programs stop.
  std::uint64_t seed = std::random_device{}();
  bool counts = false;  ///< Whether one more run of each cell counts its events.
  std::chrono::milliseconds sample_time = rounds::sample_time;  ///< Of the runs of a process.
  /// Set if cells are simulated and not measured: each round then has its number as seed.
  std::optional<rounds::simulation> simulation = {};
  /// Whether some cells are measured: those that name no machine.
  bool measures_too = false;
  /// Of the machine, just before this process measures: it prints their warnings.
  nlohmann::ordered_json host_checks = nlohmann::ordered_json::array();

  [[nodiscard]] bool simulates_all() const { return simulation && !measures_too; }
  [[nodiscard]] bool simulates(const dataset::cell& which) const {
    return simulates_all() || !which.machine.empty();
  }
};

/// Measures all that has not been measured yet, in shuffled rounds, and adds a line to the raw file
/// for each process. A cell that fails is not run again, and the others go on. If it is stopped
/// before its end, it prints what remains and `command_to_go_on`. Throws system::interrupted,
/// kit::bad_input if a resumed experiment was begun by another build or on another machine,
/// and std::system_error if the raw file cannot be written, or if the machine has no process,
/// memory or file left to start a cell with; what was measured before is on disk.
void measure(const plan& what, dataset::appender& file, const std::string& command_to_go_on);

}  // namespace stealbench::rounds
