#include "results/analysis/grain.hpp"

#include <algorithm>
#include <utility>

namespace stealbench::analysis {

grain_sweep analyse(std::vector<sweep_point> points, double workers, greater_grain greater) {
  points = descending(std::move(points), workers);
  if (greater == greater_grain::is_coarser) std::ranges::reverse(points);
  const auto fastest = std::ranges::min_element(
      points, {}, [](const sweep_point& each) { return median(each.seconds); });
  const auto best = static_cast<std::size_t>(fastest - points.begin());
  grain_sweep found{
      .workers = workers, .rows = {}, .best = best, .finest_good = best, .coarsest_good = best};
  for (const sweep_point& each : points) {
    const estimate time = estimate_median(each.seconds);
    found.rows.push_back({.grain = each.value,
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

grain_parameter grain_parameter_of(const measurements& data) {
  const json& about = data.header().at("about");
  return {.name = about.at("parameter"),
          .greater =
              about.at("greater") == "finer" ? greater_grain::is_finer : greater_grain::is_coarser,
          .is_size = about.at("unit") == "size"};
}

json json_of(const grain_parameter& parameter) {
  return {{"parameter", parameter.name},
          {"greater", parameter.greater == greater_grain::is_finer ? "finer" : "coarser"},
          {"unit", parameter.is_size ? "size" : "levels"}};
}

std::vector<swept_cells> sweeps_of(const measurements& data) {
  const grain_parameter parameter = grain_parameter_of(data);
  std::vector<swept_cells> all;
  for (sweep& each : sweeps_over(data, parameter.name)) {
    all.push_back({std::move(each)});
    if (all.back().points.empty()) continue;
    all.back().found = analyse(all.back().points, all.back().workers_used, parameter.greater);
  }
  return all;
}

}  // namespace stealbench::analysis
