#include "bench/driver/experiments/metg/sections.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "results/report/format.hpp"
#include "results/sections/parts.hpp"
#include "results/sections/sections.hpp"

namespace stealbench::experiments::metg {

using namespace sections;
namespace {

using analysis::task_graph;
using analysis::task_sweep;
using report::alignment;
using report::prominence;

constexpr std::array thresholds{0.5, 0.9};

const task_sweep* find(const std::vector<task_sweep>& sweeps, const std::string& graph,
                       const task_sweep& like) {
  const auto found = std::find_if(sweeps.begin(), sweeps.end(), [&](const task_sweep& each) {
    return each.graph == graph && each.scheduler == like.scheduler && each.workers == like.workers;
  });
  return found == sweeps.end() ? nullptr : &*found;
}

std::string text_of(const task_sweep* sweep, double threshold) {
  if (sweep == nullptr) return std::string(report::missing);
  if (!sweep->failure.empty()) return "DNF: " + sweep->failure;
  if (sweep->curve.points.empty()) return std::string(report::missing);
  const auto found = analysis::estimate_metg(sweep->curve, threshold);
  const auto curve = analysis::efficiency_curve(sweep->curve);
  if (const auto* const why = std::get_if<analysis::no_crossing>(&found)) {
    return reason_of(*why, curve, threshold);
  }
  return (analysis::is_level(curve) ? "" : "≥ ") +
         report::seconds_with_interval(std::get<analysis::estimate>(found));
}

/// The efficiency of each round at one point, against the largest task in the same round.
analysis::estimate efficiency_at(const analysis::task_curve& curve,
                                 const analysis::work_point& point) {
  const auto largest = std::ranges::max_element(curve.points, {}, &analysis::work_point::work);
  return analysis::estimate_ratio(largest->seconds, point.seconds) * (point.work / largest->work);
}

/// A row for each scheduler and worker count, two columns for each graph.
report::table metg_table(const std::vector<task_graph>& graphs,
                         const std::vector<task_sweep>& sweeps, bool has_intervals) {
  report::table table{with_interval_kind("METG: smallest efficient task", has_intervals),
                      {{"scheduler", alignment::left}, {"workers"}},
                      {},
                      {},
                      2};
  for (const task_graph& graph : graphs) {
    for (const double threshold : thresholds) {
      table.columns.push_back(
          {fmt::format("{} {:.0f} %", graph.name, 100 * threshold), alignment::left});
    }
  }
  std::vector<std::pair<unsigned, std::string>> rows;
  for (const task_sweep& each : sweeps) {
    const std::pair key(each.workers, each.scheduler);
    if (std::find(rows.begin(), rows.end(), key) != rows.end()) continue;
    rows.push_back(key);
    std::vector<std::string> row{each.scheduler, fmt::format("{}", each.workers)};
    for (const task_graph& graph : graphs) {
      const task_sweep* const sweep = find(sweeps, graph.name, each);
      for (const double threshold : thresholds) row.push_back(text_of(sweep, threshold));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// Efficiency over the time per task: a curve for each scheduler, the one that is efficient with
/// the shortest tasks first.
report::plot plot_of(const task_graph& graph, unsigned workers,
                     const std::vector<task_sweep>& sweeps) {
  report::plot plot{.title = fmt::format("{} with {}: efficiency over time per task", graph.name,
                                         workers_in_words(workers)),
                    .x = {.label = "time per task, µs",
                          .is_logarithmic = true,
                          .unit = 1e-6,
                          .format = report::seconds},
                    .y = {.label = "efficiency", .format = report::ratio},
                    .curves = {}};
  for (const task_sweep& each : sweeps) {
    if (each.graph != graph.name || each.workers != workers || each.curve.points.empty()) continue;
    report::curve curve{.name = each.scheduler, .style = plot.curves.size(), .points = {}};
    for (const analysis::work_point& point : each.curve.points) {
      const double task_seconds =
          analysis::median(point.seconds) * each.curve.workers / each.curve.tasks;
      curve.points.push_back({task_seconds, efficiency_at(each.curve, point)});
    }
    plot.curves.push_back(std::move(curve));
  }
  std::ranges::stable_sort(plot.curves, {}, [](const report::curve& each) {
    return std::ranges::min(each.points, {}, &report::curve_point::x).x;
  });
  return plot;
}

section metg_guide() {
  return {"How to read METG",
          prominence::tables,
          {report::definition_list{
              {{"METG(50 %)",
                "time × workers / tasks at which work per second falls through 50 % of that of "
                "the largest task; less is better. ≥: work per second still rose there."},
               {"No crossing", "no point of the curve is above the threshold, or none below."},
               {"Graphs",
                "independent, stencil_1d, fft and tree are steps of a loop over tasks (Task "
                "Bench); the tasks of the fork tree are the leaves of a binary tree of forks."}}}}};
}

}  // namespace

std::string reason_of(analysis::no_crossing why, std::span<const analysis::efficiency_point> curve,
                      double threshold) {
  if (curve.empty()) return "no crossing: no point";
  if (why == analysis::no_crossing::none_above) {
    return fmt::format("no crossing: nowhere {:.0f} % efficient", 100 * threshold);
  }
  return fmt::format("no crossing: still {:.0f} % efficient at {} a task",
                     100 * curve.back().efficiency, report::seconds(curve.back().task_seconds));
}

std::vector<section> metg_sections(const measurements& data) {
  const std::vector<task_graph> graphs = analysis::graphs_of(data);
  const std::vector<task_sweep> sweeps = analysis::task_sweeps_of(data);
  report::plot_group plots;
  const estimates known(data);
  for (const task_graph& graph : graphs) {
    for (const unsigned workers : known.worker_counts()) {
      add_plot(plot_of(graph, workers, sweeps), plots);
    }
  }
  std::vector<section> all{{"Minimum effective task granularity",
                            prominence::summary,
                            {metg_table(graphs, sweeps, known.have_intervals())}}};
  if (!plots.plots.empty()) {
    all.push_back({"Efficiency and task size", prominence::detail, {std::move(plots)}});
  }
  all.push_back(metg_guide());
  return all;
}

}  // namespace stealbench::experiments::metg
