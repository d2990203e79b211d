// What a calibration asks of the executables, each a process of its own. All throw
// std::runtime_error, which names the process and why it does not count, and system::interrupted.
#pragma once

#include <filesystem>
#include <string>

#include "bench/driver/rounds/cell_process.hpp"
#include "results/system/process.hpp"
#include "schedulers/virtual_machine/profile.hpp"

namespace stealbench::calibration {

struct machine {
  virtual_machine::costs costs;
  std::string processor;  ///< Its model, and how many processors there are.
  std::string build;      ///< Of what measured: `commit 0123456789ab, GNU 12.2.0`.
};

/// By the executable of the sequential versions.
[[nodiscard]] machine measure_machine(const std::filesystem::path& sequential,
                                      system::process_runner& runner);

/// Its `transfer` [ns] alone, in less than a second.
[[nodiscard]] double measure_transfer(const std::filesystem::path& sequential,
                                      system::process_runner& runner);

/// Of one run in the steady state: the least of the medians of three processes, or of two that take
/// long.
[[nodiscard]] double measure_seconds(const rounds::target& subject, system::process_runner& runner);

/// What a simulated executable says of one run.
struct simulated_run {
  double seconds = 0;
  double work_units = 0;
  double forks = 0;  ///< How often each price of a strategy was charged.
  double calls = 0;
  double spawns = 0;
  double pieces = 0;
};

/// `subject` names an executable that simulates.
[[nodiscard]] simulated_run simulate(const rounds::target& subject,
                                     const nlohmann::ordered_json& profile,
                                     system::process_runner& runner);

}  // namespace stealbench::calibration
