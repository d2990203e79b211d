#include <array>

#include "bench/driver/experiments/metg/metg.hpp"
#include "results/sections/parts.hpp"

namespace stealbench::experiments::metg {

using namespace sections;
namespace {

using analysis::sweep_point;
using analysis::task_graph;
using analysis::task_sweep;

constexpr std::array thresholds{0.5, 0.9};

std::string text_of(const task_sweep& sweep, double threshold) {
  if (!sweep.failure.empty()) return "DNF: " + sweep.failure;
  if (sweep.curve.points.empty()) return std::string(missing);
  const auto found = analysis::estimate_metg(sweep.curve, threshold);
  const auto curve = analysis::efficiency_curve(sweep.curve);
  if (found) return (analysis::is_level(curve) ? "" : "≥ ") + report::seconds_with_interval(found);
  return fmt::format("no crossing: still {:.0f} % efficient at {} a task",
                     100 * curve.back().efficiency, report::seconds(curve.back().task_seconds));
}

/// A row for each scheduler and worker count, two columns for each graph.
report::table metg_table(const std::vector<task_graph>& graphs,
                         const std::vector<task_sweep>& sweeps, const estimates& known) {
  report::table table{with_interval_kind("METG: smallest efficient task", known.have_intervals()),
                      {{"scheduler", alignment::left}, {"workers"}}};
  table.keys = 2;
  for (const task_graph& graph : graphs) {
    for (const double threshold : thresholds) {
      table.columns.push_back(
          {fmt::format("{} {:.0f} %", graph.name, 100 * threshold), alignment::left});
    }
  }
  std::vector<std::pair<std::string, unsigned>> rows;
  rows.reserve(sweeps.size());
  for (const task_sweep& each : sweeps) rows.emplace_back(each.scheduler, each.workers);
  for (const auto& row : dataset::distinct(rows)) {
    std::vector<std::string>& texts = table.rows.emplace_back();
    texts = {row.first, workers_in(known.data(), row.first, row.second)};
    for (const task_graph& graph : graphs) {
      const auto found = std::ranges::find_if(sweeps, [&](const task_sweep& each) {
        return each.graph == graph.name && each.scheduler == row.first &&
               each.workers == row.second;
      });
      for (const double threshold : thresholds) {
        texts.push_back(found == sweeps.end() ? std::string(missing) : text_of(*found, threshold));
      }
    }
  }
  return table;
}

/// Efficiency over the time per task: a curve for each scheduler, the one that is efficient with
/// the shortest tasks first.
report::plot plot_of(const task_graph& graph, unsigned workers,
                     const std::vector<task_sweep>& sweeps, const measurements& data) {
  report::plot plot{.title = fmt::format("{} with {}: efficiency over time per task", graph.name,
                                         workers_in_words(data, workers)),
                    .x = {.label = "time per task, µs",
                          .is_logarithmic = true,
                          .unit = 1e-6,
                          .format = report::seconds},
                    .y = {.label = "efficiency", .format = report::ratio}};
  for (const task_sweep& each : sweeps) {
    const auto& [workers_used, tasks, points] = each.curve;
    if (each.graph != graph.name || each.workers != workers || points.empty()) continue;
    std::vector<report::curve_point> shown;
    shown.reserve(points.size());
    // Against the largest task in the same round.
    const sweep_point& largest = *std::ranges::max_element(points, {}, &sweep_point::value);
    for (const sweep_point& point : points) {
      shown.push_back({analysis::median(point.seconds) * workers_used / tasks,
                       analysis::estimate_ratio(largest.seconds, point.seconds) *
                           (point.value / largest.value)});
    }
    add_curve(scheduler_in(data, each.scheduler, workers), std::move(shown), plot);
  }
  std::ranges::stable_sort(plot.curves, {}, [](const report::curve& each) {
    return std::ranges::min(each.points, {}, &report::curve_point::x).x;
  });
  return plot;
}

}  // namespace

std::vector<section> metg_sections(const measurements& data) {
  const std::vector<task_graph> graphs = analysis::graphs_of(data);
  const std::vector<task_sweep> sweeps = analysis::task_sweeps_of(data);
  report::plot_group plots;
  const estimates known(data);
  for (const task_graph& graph : graphs) {
    for (const unsigned workers : known.worker_counts()) {
      add_plot(plot_of(graph, workers, sweeps, data), plots);
    }
  }
  std::vector<section> all{{"Minimum effective task granularity",
                            prominence::summary,
                            {metg_table(graphs, sweeps, known)}}};
  if (!plots.plots.empty()) {
    all.push_back({"Efficiency and task size", prominence::detail, {std::move(plots)}});
  }
  all.push_back(guide("How to read METG"));
  return all;
}

}  // namespace stealbench::experiments::metg
