// Cells that differ in one parameter alone: the grain of a workload, or the work in each task.
//
// All functions are pure; any thread may call them.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "results/analysis/estimates.hpp"
#include "schedulers/input.hpp"

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
  std::vector<const measured_cell*> cells;  ///< In the order of the dataset.
  double workers_used = 1;                  ///< Serial code has one, whatever it is given.
  /// Of the cells that have finished, in the rounds that all of these have.
  std::vector<sweep_point> points = {};
};

inline void find_points(const std::string& parameter, sweep& of_cells) {
  std::vector<const measured_cell*> finished = of_cells.cells;
  std::erase_if(finished, [](const auto* each) { return !has_finished(*each); });
  for (const measured_cell* each : finished) {
    const dataset::sample& first = each->samples.front();
    of_cells.workers_used = first[dataset::metric::worker_count].value();
    of_cells.points.push_back({.value = number_of(each->which.what, parameter).value_or(0),
                               .seconds = values_of(*each, dataset::metric::seconds),
                               .tasks = first[dataset::metric::fork_count].value()});
    of_cells.points.back().seconds.resize(common_rounds(finished));
  }
}

/// In the order of the dataset, which must outlive the result. Throws schedulers::bad_input if the
/// parameter is set to something else than a whole number.
[[nodiscard]] inline std::vector<sweep> sweeps_over(const measurements& data,
                                                    const std::string& parameter) {
  std::vector<sweep> all;
  for (const measured_cell& each : data.cells()) {
    const auto& [set, scheduler, workers, varied, build, machine] = each.which;
    sweep alone{without(set, parameter), scheduler, workers, {&each}};
    if (alone.what != set && !number_of(set, parameter)) {
      throw schedulers::bad_input(fmt::format("{} of {} is no whole number; valid: 0 or more",
                                              parameter, dataset::shown(name_of(each.which))));
    }
    const auto known = std::ranges::find_if(all, [&](const sweep& other) {
      return other.what == alone.what && other.scheduler == alone.scheduler &&
             other.workers == alone.workers;
    });
    if (known == all.end()) {
      all.push_back(std::move(alone));
    } else {
      known->cells.push_back(&each);
    }
  }
  for (sweep& each : all) find_points(parameter, each);
  return all;
}

/// The points from the greatest value down. Throws std::invalid_argument unless there are a worker,
/// a point and a round, all points have the same rounds, every time is greater than 0, all are
/// finite, and no value comes twice.
[[nodiscard]] inline std::vector<sweep_point> descending(std::vector<sweep_point> points,
                                                         double workers) {
  require(is_positive(workers), "a sweep needs a worker");
  require(!points.empty(), "a sweep needs a point");
  for (const sweep_point& each : points) {
    require_positive(each.seconds, "a point needs rounds, and times that are finite and above 0");
    require(each.seconds.size() == points.front().seconds.size(),
            "the points of a sweep come from the same rounds");
  }
  const auto is_quantity = [](double value) { return std::isfinite(value) && value >= 0; };
  require(std::ranges::all_of(points, is_quantity, &sweep_point::value) &&
              std::ranges::all_of(points, is_quantity, &sweep_point::tasks),
          "values and tasks are finite and not less than 0");
  std::ranges::sort(points, std::ranges::greater(), &sweep_point::value);
  require(std::ranges::adjacent_find(points, {}, &sweep_point::value) == points.end(),
          "every value comes once");
  return points;
}

}  // namespace stealbench::analysis
