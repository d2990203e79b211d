#include "results/analysis/metg.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

namespace stealbench::analysis {
namespace {

/// The work that a cell of this graph has in each task; none of a cell of another.
std::optional<double> work_in(const dataset::cell& which, const task_graph& graph) {
  if (dataset::without(which.what, graph.work) != graph.what) return {};
  return dataset::number_of(which.what, graph.work);
}

void add(const dataset::measured_cell& cell, double work, task_sweep& sweep) {
  if (!has_finished(cell)) {
    sweep.failure = reason_of(cell);
    return;
  }
  sweep.curve.workers = cell.samples.front()[dataset::metric::worker_count].value();
  sweep.curve.points.push_back(
      {.work = work, .seconds = values_of(cell, dataset::metric::seconds)});
}

/// Whole rounds only: a measurement may have ended inside one.
void keep_common_rounds(task_sweep& sweep) {
  std::vector<work_point>& points = sweep.curve.points;
  if (!sweep.failure.empty()) points.clear();
  std::size_t rounds = ~std::size_t{0};
  for (const work_point& each : points) rounds = std::min(rounds, each.seconds.size());
  for (work_point& each : points) each.seconds.resize(rounds);
}

/// Coarsest first.
task_curve checked(task_curve of) {
  require(is_positive(of.workers) && is_positive(of.tasks), "a curve needs workers and tasks");
  require_common_rounds<work_point>(of.points);
  for (const work_point& each : of.points) {
    require(std::isfinite(each.work) && each.work >= 0, "work is finite and not less than 0");
  }
  std::ranges::sort(of.points, std::ranges::greater(), &work_point::work);
  require(of.points.front().work > 0, "the largest task needs work");
  require(std::ranges::adjacent_find(of.points, {}, &work_point::work) == of.points.end(),
          "every work comes once");
  return of;
}

/// With the time of each point from `seconds_of(point)`. Requires: points as `checked` leaves them.
template <class F>
std::vector<efficiency_point> curve_of(const task_curve& of, const F& seconds_of) {
  std::vector<efficiency_point> curve;
  curve.reserve(of.points.size());
  double best_rate = 0;
  for (const work_point& each : of.points) {
    const double seconds = seconds_of(each);
    const double rate = each.work / seconds;
    if (curve.empty()) best_rate = rate;
    curve.push_back({.work = each.work,
                     .task_seconds = seconds * of.workers / of.tasks,
                     .efficiency = rate / best_rate});
  }
  return curve;
}

double median_seconds(const work_point& of) { return median(of.seconds); }

double task_seconds_at(const std::vector<efficiency_point>& curve, double threshold) {
  const auto found = crossing(curve, threshold);
  if (const double* const seconds = std::get_if<double>(&found)) return *seconds;
  const bool is_above = std::get<no_crossing>(found) == no_crossing::none_above;
  return (is_above ? curve.front() : curve.back()).task_seconds;
}

}  // namespace

std::vector<efficiency_point> efficiency_curve(const task_curve& of) {
  return curve_of(checked(of), median_seconds);
}

std::variant<double, no_crossing> crossing(std::span<const efficiency_point> curve,
                                           double threshold) {
  std::optional<std::size_t> least;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    if (curve[i].efficiency < threshold) continue;
    if (!least || curve[i].task_seconds <= curve[*least].task_seconds) least = i;
  }
  if (!least) return no_crossing::none_above;
  const efficiency_point& above = curve[*least];
  for (const efficiency_point& below : curve.subspan(*least + 1)) {
    if (below.efficiency >= threshold) continue;
    const double share = (above.efficiency - threshold) / (above.efficiency - below.efficiency);
    // Where noise makes less work take longer, the point above is the least one all the same.
    return std::min(above.task_seconds, std::lerp(above.task_seconds, below.task_seconds, share));
  }
  return no_crossing::none_below;
}

std::variant<estimate, no_crossing> estimate_metg(const task_curve& of, double threshold) {
  require(threshold > 0 && threshold <= 1, "a threshold lies in (0, 1]");
  const task_curve points = checked(of);
  const auto found = crossing(curve_of(points, median_seconds), threshold);
  if (const auto* const why = std::get_if<no_crossing>(&found)) return *why;
  const double middle = std::get<double>(found);
  std::vector<double> resample(points.points.front().seconds.size());
  const auto figure_of = [&](std::span<const std::size_t> rounds) {
    const auto curve = curve_of(points, [&](const work_point& point) {
      std::transform(rounds.begin(), rounds.end(), resample.begin(),
                     [&](std::size_t round) { return point.seconds[round]; });
      return median(resample);
    });
    return task_seconds_at(curve, threshold);
  };
  return estimate{middle, bootstrap_rounds_interval(resample.size(), middle, figure_of)};
}

bool is_level(std::span<const efficiency_point> curve) {
  constexpr double nearly_all = 0.95;
  return std::ranges::any_of(curve, [&](const efficiency_point& each) {
    return 2 * each.work <= curve.front().work && each.efficiency >= nearly_all;
  });
}

dataset::json json_of(const std::vector<task_graph>& graphs) {
  dataset::json all = dataset::json::array();
  for (const task_graph& each : graphs) {
    all.push_back({{"name", each.name}, {"work", each.work}, {"tasks", each.tasks}});
    all.back().update(dataset::json_of(each.what));
  }
  return {{"graphs", std::move(all)}};
}

std::vector<task_graph> graphs_of(const dataset::measurements& data) {
  std::vector<task_graph> graphs;
  for (const dataset::json& each : data.header().at("about").at("graphs")) {
    graphs.push_back({.name = each.at("name"),
                      .what = dataset::instance_of(each),
                      .work = each.at("work"),
                      .tasks = each.at("tasks")});
  }
  return graphs;
}

std::vector<task_sweep> task_sweeps_of(const dataset::measurements& data) {
  std::vector<task_sweep> all;
  for (const task_graph& graph : graphs_of(data)) {
    for (const dataset::measured_cell& each : data.cells()) {
      const std::optional<double> work = work_in(each.which, graph);
      if (!work) continue;
      const auto known = std::find_if(all.begin(), all.end(), [&](const task_sweep& other) {
        return other.graph == graph.name && other.scheduler == each.which.scheduler &&
               other.workers == each.which.workers;
      });
      task_sweep& sweep = known != all.end() ? *known
                                             : all.emplace_back(task_sweep{graph.name,
                                                                           each.which.scheduler,
                                                                           each.which.workers,
                                                                           {1, graph.tasks, {}},
                                                                           {}});
      add(each, *work, sweep);
    }
  }
  for (task_sweep& each : all) keep_common_rounds(each);
  return all;
}

}  // namespace stealbench::analysis
