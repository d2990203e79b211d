// A cell in the process that measures it: from its cold start to its steady state.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "bench/cell/cell.hpp"
#include "results/system/usage.hpp"

namespace stealbench::cell {

/// Several runs of a cell, one after the other. All figures are of one run.
struct steady_state {
  double seconds;                       ///< Median of the wall times.
  system::usage used;                   ///< Mean.
  std::optional<double> energy_joules;  ///< Mean, with what lies between the runs; where readable.
  /// Threads that waited for a processor, on average over all runs, their resets and checks
  /// included; where readable.
  std::optional<double> waiting_threads;
  std::size_t runs;
  bool is_wrong;  ///< One of the answers was; the runs end with it.
};

/// Runs a cell once, which faults in its memory, fills the caches and starts what threads its
/// scheduler starts late; and then as often as it is asked.
class warm_cell {
 public:
  /// `slowed_by` is for tests: the part of its time that each run is made longer. So are a meter of
  /// other counters than this machine's, and the folder of another process than this one.
  explicit warm_cell(std::unique_ptr<cell> made, double slowed_by = 0,
                     system::energy_meter energy = system::energy_meter(),
                     std::filesystem::path process = "/proc/self")
      : cell_(std::move(made)),
        slowed_by_(slowed_by),
        first_(cell_->run(slowed_by)),
        energy_(std::move(energy)),
        process_(std::move(process)) {}

  /// Once at least, and until the runs have lasted for `at_least` together.
  [[nodiscard]] steady_state run_for(std::chrono::nanoseconds at_least);

  [[nodiscard]] const cell& subject() const { return *cell_; }
  [[nodiscard]] const measurement& first_run() const { return first_; }

 private:
  std::unique_ptr<cell> cell_;
  double slowed_by_;
  measurement first_;
  system::energy_meter energy_;
  std::filesystem::path process_;  // As /proc has it.
};

}  // namespace stealbench::cell
