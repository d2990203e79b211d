#include "results/analysis/metg.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace stealbench::analysis {
namespace {

/// The most work first.
task_curve checked(task_curve curve) {
  require(is_positive(curve.tasks), "a curve needs tasks");
  curve.points = descending(std::move(curve.points), curve.workers);
  require(curve.points.front().value > 0, "the largest task needs work");
  return curve;
}

/// With the time of each point from `seconds_of(point)`. Requires: points as `checked` leaves them.
template <class F>
std::vector<efficiency_point> points_with(const task_curve& curve, const F& seconds_of) {
  std::vector<efficiency_point> points;
  points.reserve(curve.points.size());
  double best_rate = 0;
  for (const sweep_point& each : curve.points) {
    const double seconds = seconds_of(each);
    const double rate = each.value / seconds;
    if (points.empty()) best_rate = rate;
    points.push_back({.work = each.value,
                      .task_seconds = seconds * curve.workers / curve.tasks,
                      .efficiency = rate / best_rate});
  }
  return points;
}

double median_seconds(const sweep_point& point) { return median(point.seconds); }

}  // namespace

std::vector<efficiency_point> efficiency_curve(const task_curve& curve) {
  return points_with(checked(curve), median_seconds);
}

std::optional<double> crossing(std::span<const efficiency_point> curve, double threshold) {
  std::size_t least = 0;  // The largest task is as efficient as itself.
  for (std::size_t i = 1; i < curve.size(); ++i) {
    if (curve[i].efficiency < threshold) continue;
    if (curve[i].task_seconds <= curve[least].task_seconds) least = i;
  }
  const efficiency_point& above = curve[least];
  for (const efficiency_point& below : curve.subspan(least + 1)) {
    if (below.efficiency >= threshold) continue;
    const double share = (above.efficiency - threshold) / (above.efficiency - below.efficiency);
    // Where noise makes less work take longer, the point above is the least one all the same.
    return std::min(above.task_seconds, std::lerp(above.task_seconds, below.task_seconds, share));
  }
  return {};
}

std::optional<estimate> estimate_metg(const task_curve& curve, double threshold) {
  require(threshold > 0 && threshold <= 1, "a threshold is in (0, 1]");
  const task_curve ordered = checked(curve);
  const auto middle = crossing(points_with(ordered, median_seconds), threshold);
  if (!middle) return {};
  std::vector<double> resample(ordered.points.front().seconds.size());
  const auto figure_of = [&](std::span<const std::size_t> rounds) {
    const auto resampled = points_with(ordered, [&](const sweep_point& point) {
      std::ranges::transform(rounds, resample.begin(),
                             [&](std::size_t round) { return point.seconds[round]; });
      return median(resample);
    });
    return crossing(resampled, threshold).value_or(resampled.back().task_seconds);
  };
  return estimate{*middle, bootstrap_rounds_interval(resample.size(), *middle, figure_of)};
}

bool is_level(std::span<const efficiency_point> curve) {
  constexpr double nearly_all = 0.95;
  return std::ranges::any_of(curve, [&](const efficiency_point& each) {
    return 2 * each.work <= curve.front().work && each.efficiency >= nearly_all;
  });
}

json json_of(const std::vector<task_graph>& graphs) {
  json all = dataset::json::array();
  for (const task_graph& each : graphs) {
    all.push_back({{"name", each.name}, {"work", each.work}, {"tasks", each.tasks}});
    all.back().update(dataset::json_of(each.what));
  }
  return {{"graphs", std::move(all)}};
}

std::vector<task_graph> graphs_of(const measurements& data) {
  std::vector<task_graph> graphs;
  for (const json& each : data.header().at("about").at("graphs")) {
    graphs.push_back({.name = each.at("name"),
                      .what = dataset::instance_of(each),
                      .work = each.at("work"),
                      .tasks = each.at("tasks")});
  }
  return graphs;
}

std::vector<task_sweep> task_sweeps_of(const measurements& data) {
  std::vector<task_sweep> all;
  for (const task_graph& graph : graphs_of(data)) {
    for (sweep& each : sweeps_over(data, graph.work)) {
      if (each.what != graph.what) continue;
      task_sweep& added = all.emplace_back(task_sweep{
          graph.name, each.scheduler, each.workers, {each.workers_used, graph.tasks, {}}, {}});
      const auto failed = std::ranges::find_if_not(
          each.cells, [](const auto* cell) { return has_finished(*cell); });
      if (failed == each.cells.end()) {
        added.curve.points = std::move(each.points);
      } else {
        added.failure = reason_of(**failed);
      }
    }
  }
  return all;
}

}  // namespace stealbench::analysis
