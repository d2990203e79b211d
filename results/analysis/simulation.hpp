// Curves over simulated worker counts: speedup, where the workers' time went, and which costs of
// the profile decide.
//
// All functions are pure; any thread may call them.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "results/analysis/estimates.hpp"

namespace stealbench::analysis {

/// A cache line that workers waited for.
struct hot_line {
  std::string name;
  double share;  ///< Of workers × seconds.
};

/// One scheduler on one workload instance. Cells are named by their index in the dataset.
struct simulated_curve {
  dataset::instance what;
  std::string scheduler;
  std::vector<std::size_t> points;  ///< By ascending worker count.
  std::vector<std::size_t> varied;  ///< The same with one cost of the profile multiplied.
};

/// In the order of the dataset. Of the worker counts those that the first line says to report: one
/// worker may be simulated for the speedup alone. Requires: the dataset is simulated.
[[nodiscard]] std::vector<simulated_curve> curves_of(const estimates& known);

/// A cell with one cost of the profile multiplied.
struct cost_variation {
  std::string cost;  ///< transfer, wake or jitter.
  double factor;
  std::optional<estimate> ratio;  ///< Its time over that with the profile's own cost.
};
/// Requires: the cell has one.
[[nodiscard]] cost_variation variation_of(const estimates& known, std::size_t cell);

/// What the workers' time can go to, in the order of the metrics from `work_share` on.
inline constexpr std::array share_names{"work", "overhead", "search", "lines", "asleep"};

/// The mean of a share over the seeds, so that the sum of all is 1. `share` is an index of
/// `share_names`. Requires: the cell has finished.
[[nodiscard]] double share_of(const measured_cell& cell, std::size_t share);

/// The cache lines that workers waited for, by the mean of the share over the seeds, the hottest
/// first.
[[nodiscard]] std::vector<hot_line> hot_lines_of(const measured_cell& cell);

/// The instance whose price of a unit was taken; empty for the cell's own, and without a
/// simulation.
[[nodiscard]] std::string foreign_unit_of(const measured_cell& cell);

/// A curve for other programs, as `stealbench simulate --json` prints it.
[[nodiscard]] json json_of(const simulated_curve& curve, const estimates& known);

}  // namespace stealbench::analysis
