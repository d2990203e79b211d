#include "results/analysis/grain.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "results/analysis/estimates.hpp"

namespace stealbench::analysis {
namespace {

void require_sweep(std::span<const grain_point> points, double workers) {
  require(is_positive(workers), "a sweep needs a worker");
  require_common_rounds(points);
  for (const grain_point& each : points) {
    require(std::isfinite(each.grain), "a grain is finite");
    require(std::isfinite(each.tasks) && each.tasks >= 0, "tasks are finite and not less than 0");
  }
}

std::optional<grain_sweep> sweep_over(std::vector<const dataset::measured_cell*> cells,
                                      const grain_parameter& parameter) {
  std::erase_if(cells, [](const auto* each) { return !has_finished(*each); });
  if (cells.empty()) return {};
  std::vector<grain_point> points;
  for (const dataset::measured_cell* each : cells) {
    points.push_back({.grain = dataset::number_of(each->which.what, parameter.name).value_or(0),
                      .tasks = each->samples.front()[dataset::metric::fork_count].value(),
                      .seconds = values_of(*each, dataset::metric::seconds)});
    points.back().seconds.resize(common_rounds(cells));
  }
  const double workers = cells.front()->samples.front()[dataset::metric::worker_count].value();
  return analyse(std::move(points), workers, parameter.greater);
}

}  // namespace

grain_sweep analyse(std::vector<grain_point> points, double workers, greater_grain greater) {
  require_sweep(points, workers);
  std::sort(points.begin(), points.end(), [&](const grain_point& a, const grain_point& b) {
    return greater == greater_grain::is_coarser ? a.grain < b.grain : a.grain > b.grain;
  });
  require(std::ranges::adjacent_find(points, {}, &grain_point::grain) == points.end(),
          "every grain comes once");

  const auto fastest = std::ranges::min_element(
      points, {}, [](const grain_point& each) { return median(each.seconds); });
  const auto best = static_cast<std::size_t>(fastest - points.begin());
  grain_sweep found{
      .workers = workers, .rows = {}, .best = best, .finest_good = best, .coarsest_good = best};
  for (const grain_point& each : points) {
    const estimate time = estimate_median(each.seconds);
    found.rows.push_back({.grain = each.grain,
                          .tasks = each.tasks,
                          .seconds = time,
                          .efficiency = estimate_ratio(fastest->seconds, each.seconds),
                          .task_seconds = time.median * workers / std::max(each.tasks, 1.0)});
  }
  const double limit = (1 + flatness) * found.rows[best].seconds.median;
  const auto is_good = [&](std::size_t row) { return found.rows[row].seconds.median <= limit; };
  while (found.finest_good > 0 && is_good(found.finest_good - 1)) --found.finest_good;
  while (found.coarsest_good + 1 < points.size() && is_good(found.coarsest_good + 1)) {
    ++found.coarsest_good;
  }
  return found;
}

grain_parameter grain_parameter_of(const dataset::measurements& data) {
  const dataset::json& about = data.header().at("about");
  return {.name = about.at("parameter"),
          .greater =
              about.at("greater") == "finer" ? greater_grain::is_finer : greater_grain::is_coarser,
          .is_size = about.at("unit") == "size"};
}

dataset::json json_of(const grain_parameter& parameter) {
  return {{"parameter", parameter.name},
          {"greater", parameter.greater == greater_grain::is_finer ? "finer" : "coarser"},
          {"unit", parameter.is_size ? "size" : "levels"}};
}

std::vector<swept_cells> sweeps_of(const dataset::measurements& data) {
  const grain_parameter parameter = grain_parameter_of(data);
  std::vector<swept_cells> all;
  for (const dataset::measured_cell& each : data.cells()) {
    const dataset::instance what = dataset::without(each.which.what, parameter.name);
    const auto known = std::find_if(all.begin(), all.end(), [&](const swept_cells& other) {
      return other.what == what && other.scheduler == each.which.scheduler &&
             other.workers == each.which.workers;
    });
    if (known == all.end()) {
      all.push_back({what, each.which.scheduler, each.which.workers, {&each}, {}});
    } else {
      known->cells.push_back(&each);
    }
  }
  for (swept_cells& each : all) each.found = sweep_over(each.cells, parameter);
  return all;
}

}  // namespace stealbench::analysis
