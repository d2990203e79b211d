#include "results/analysis/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "results/analysis/estimates.hpp"

namespace stealbench::analysis {
namespace {

using dataset::measured_cell;
using dataset::metric;

void find_points(const std::string& parameter, sweep& of_cells) {
  std::vector<const measured_cell*> finished = of_cells.cells;
  std::erase_if(finished, [](const auto* each) { return !has_finished(*each); });
  for (const measured_cell* each : finished) {
    const dataset::sample& first = each->samples.front();
    of_cells.workers_used = first[metric::worker_count].value();
    of_cells.points.push_back({.value = number_of(each->which.what, parameter).value_or(0),
                               .seconds = values_of(*each, metric::seconds),
                               .tasks = first[metric::fork_count].value()});
    of_cells.points.back().seconds.resize(common_rounds(finished));
  }
}

}  // namespace

std::vector<sweep> sweeps_over(const dataset::measurements& data, const std::string& parameter) {
  std::vector<sweep> all;
  for (const measured_cell& each : data.cells()) {
    const auto& [set, scheduler, workers, varied] = each.which;
    sweep alone{without(set, parameter), scheduler, workers, {&each}};
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

std::vector<sweep_point> descending(std::vector<sweep_point> points, double workers) {
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
