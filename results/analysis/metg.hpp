// How small a task may be: the minimum effective task granularity, METG, of Task Bench (Slaughter
// et al., SC 2020). The same tasks are run with ever less work in each. As they shrink, what the
// scheduler adds to each weighs more, and the efficiency falls; METG(50 %) is the time per task,
// overhead included, where it falls through 50 %.
//
// All functions are pure; any thread may call them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/analysis/sweep.hpp"

namespace stealbench::analysis {

/// What was measured on one scheduler: the same number of tasks at every point.
struct task_curve {
  double workers;
  double tasks;
  std::vector<sweep_point> points;  ///< By the work in each task, in any order.
};

struct efficiency_point {
  double work;
  double task_seconds;  ///< Time × workers ÷ tasks: what a worker spends on one task.
  double efficiency;    ///< Work per second, relative to that of the point with the most work.
};

/// By the medians over the rounds, the most work first, whose efficiency is 1. Throws as
/// `descending`, and std::invalid_argument unless there are a task and a point with work.
[[nodiscard]] std::vector<efficiency_point> efficiency_curve(const task_curve& curve);

/// The task time in seconds at which the efficiency falls through `threshold`: of the points that
/// are at least so efficient the one with the least task time, and from there linearly to the next
/// point, with less work, that is not; none if there is no such point: it is off the curve. So a
/// dip among large tasks, which is noise, does not count. Requires: a curve as `efficiency_curve`
/// makes it, and a threshold of 1 at most. Linear.
[[nodiscard]] std::optional<double> crossing(std::span<const efficiency_point> curve,
                                             double threshold);

/// METG with its 95 % interval, if there is a crossing: a bootstrap over whole rounds, as for a
/// ratio, since what slows a round slows all its points. A resample that has no crossing counts as
/// the task time at the end of the curve. With fewer than six rounds the interval is the range of
/// the METG of single rounds.
/// `threshold` is in (0, 1]. Throws std::invalid_argument if it does not, and as
/// `efficiency_curve` does. Cost: points × rounds × resamples.
[[nodiscard]] std::optional<estimate> estimate_metg(const task_curve& curve, double threshold);

/// Whether the curve has become level where tasks are largest: half the work, or less, is still at
/// least 95 % efficient. Where it has not, larger tasks would be more efficient yet, all
/// efficiencies are too high, and METG is a lower bound. False of a single point.
[[nodiscard]] bool is_level(std::span<const efficiency_point> curve);

/// Tasks that are measured with ever less work in each.
struct task_graph {
  std::string name;
  dataset::instance what;  ///< Without the work.
  std::string work;        ///< The parameter that says how much work is in each task.
  double tasks;
};

/// As the first line of an experiment `metg` has it in the member `about`.
[[nodiscard]] json json_of(const std::vector<task_graph>& graphs);

/// Requires: the dataset is of that experiment.
[[nodiscard]] std::vector<task_graph> graphs_of(const measurements& data);

/// One scheduler with one number of workers on one graph.
struct task_sweep {
  std::string graph;
  std::string scheduler;
  unsigned workers;
  task_curve curve;     ///< Without a point if it has failed.
  std::string failure;  ///< Of a cell of it; empty if all have finished.
};

/// Cells of no graph are left out. Throws as graphs_of.
[[nodiscard]] std::vector<task_sweep> task_sweeps_of(const measurements& data);

}  // namespace stealbench::analysis
