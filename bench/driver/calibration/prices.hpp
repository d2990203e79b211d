// What a unit of work and the engine's own instructions cost on this machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/driver/calibration/runs.hpp"
#include "bench/driver/rounds/installation.hpp"
#include "results/dataset/cell.hpp"
#include "schedulers/virtual_machine/profile.hpp"

namespace stealbench::calibration {

/// A scheduler that is built for this machine and for the one in simulated time.
struct strategy {
  std::string scheduler;
  std::filesystem::path measured;
  std::filesystem::path simulated;
};

/// In the order of the suite; work stealing once for each deque.
[[nodiscard]] std::vector<strategy> strategies_in(const rounds::installation& installed);

/// The instances that prices of strategies come from: what each of them charges for at one worker.
struct priced_by {
  dataset::instance forks;
  dataset::instance spawns;
  dataset::instance pieces;
};

/// Adds prices to a profile that has costs.
class pricing_runs {
 public:
  /// `units_by` counts the units of an instance; any strategy does. Uses what it is given.
  pricing_runs(virtual_machine::profile& profile, std::filesystem::path sequential,
               strategy units_by, system::process_runner& runner);

  /// The time of the sequential version divided by the units of work. Throws as `simulate`.
  void add_unit(const dataset::instance& what);

  /// By one worker: the measured time beyond the simulated one without these prices, divided by
  /// how often each was charged. Below 0 where the simulation takes longer: the processor runs the
  /// accesses that it adds up beside the task's own instructions.
  /// Then the same for the tasks of each other workload, by its first instance with the same words,
  /// where a task is short: what it costs depends on its closure, on its group, and on what the
  /// compiler makes of its program. Requires: the instances have their prices. Throws as
  /// `simulate`.
  void add_strategy(const strategy& which, const priced_by& runs);

 private:
  using prices = virtual_machine::strategy_prices;
  /// The measured time of a run beyond the simulated one [ns].
  [[nodiscard]] double excess_of(const simulated_run& simulated, const strategy& which,
                                 const dataset::instance& what);
  [[nodiscard]] std::optional<prices> prices_of_tasks(const strategy& which,
                                                      const dataset::instance& what,
                                                      const prices& general);
  [[nodiscard]] simulated_run run_unpriced_simulation(const strategy& which,
                                                      const dataset::instance& what) const;

  virtual_machine::profile& profile_;
  std::filesystem::path sequential_;
  strategy units_by_;
  system::process_runner& runner_;
};

}  // namespace stealbench::calibration
