// Cells that differ in one parameter alone: the grain of a workload, or the work in each task.
//
// All functions are pure; any thread may call them.
#pragma once

#include <string>
#include <vector>

#include "results/dataset/measurements.hpp"

namespace stealbench::analysis {

/// The program at one value of the parameter.
struct sweep_point {
  double value;                 ///< In the unit of the program; 0 or more.
  std::vector<double> seconds;  ///< Element i comes from round i.
  double tasks = 0;             ///< Forked branches and spawned children; 0 or more.
};

/// One scheduler with one number of workers on one workload instance, at every value.
struct sweep {
  dataset::instance what;  ///< Without the parameter.
  std::string scheduler;
  unsigned workers;
  std::vector<const dataset::measured_cell*> cells;  ///< In the order of the dataset.
  double workers_used = 1;                           ///< Serial code has one, whatever it is given.
  /// Of the cells that have finished, in the rounds that all of these have.
  std::vector<sweep_point> points = {};
};

/// In the order of the dataset, which must outlive the result.
[[nodiscard]] std::vector<sweep> sweeps_over(const dataset::measurements& data,
                                             const std::string& parameter);

/// The points from the greatest value down. Throws std::invalid_argument unless there are a worker,
/// a point and a round, all points have the same rounds, every time is greater than 0, all are
/// finite, and no value comes twice.
[[nodiscard]] std::vector<sweep_point> descending(std::vector<sweep_point> points, double workers);

}  // namespace stealbench::analysis
