#include "bench/compare/metg_report.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "results/analysis/statistics.hpp"
#include "results/report/format.hpp"

namespace stealbench::compare {
namespace {

using nlohmann::ordered_json;
using report::alignment;

constexpr std::array thresholds{0.5, 0.9};

/// The work that a cell of this graph has in each task; none of a cell of another.
std::optional<double> work_in(const cell& which, const task_graph& graph) {
  instance rest = which.what;
  std::optional<double> work;
  for (const auto& [key, value] : rest.set) {
    if (key != graph.work) continue;
    std::uint64_t parsed = 0;
    const auto result = std::from_chars(value.data(), value.data() + value.size(), parsed);
    if (result.ec == std::errc{}) work = static_cast<double>(parsed);
  }
  std::erase_if(rest.set, [&](const auto& each) { return each.first == graph.work; });
  if (rest != graph.what) return {};
  return work;
}

void add(const cell_result& of, double work, task_sweep& to) {
  if (!has_finished(of)) {
    to.failure = of.failure.empty() ? "not measured" : of.failure;
    return;
  }
  to.curve.workers = of.samples.front().worker_count;
  to.curve.points.push_back({.work = work, .seconds = values_of(of, &sample::seconds)});
}

/// Whole rounds only: a measurement may have ended inside one.
void keep_common_rounds(task_sweep& of) {
  if (!of.failure.empty()) of.curve.points.clear();
  std::size_t rounds = ~std::size_t{0};
  for (const auto& each : of.curve.points) rounds = std::min(rounds, each.seconds.size());
  for (auto& each : of.curve.points) each.seconds.resize(rounds);
}

const task_sweep* find(const std::vector<task_sweep>& all, const std::string& graph,
                       const task_sweep& like) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const task_sweep& each) {
    return each.graph == graph && each.scheduler == like.scheduler && each.workers == like.workers;
  });
  return found == all.end() ? nullptr : &*found;
}

std::string text_of(const task_sweep* of, double threshold) {
  if (of == nullptr) return std::string(report::missing);
  if (!of->failure.empty()) return "DNF: " + of->failure;
  if (of->curve.points.empty()) return std::string(report::missing);
  const auto found = analysis::estimate_metg(of->curve, threshold);
  const auto curve = analysis::efficiency_curve(of->curve);
  if (const auto* const why = std::get_if<analysis::no_crossing>(&found)) {
    return analysis::reason_of(*why, curve, threshold);
  }
  return (analysis::is_level(curve) ? "" : "≥ ") +
         report::seconds_with_interval(std::get<analysis::estimate>(found));
}

/// The efficiency of each round at one point, against the largest task in the same round.
analysis::estimate efficiency_at(const analysis::task_curve& of,
                                 const analysis::work_point& point) {
  const auto largest = std::max_element(
      of.points.begin(), of.points.end(),
      [](const analysis::work_point& a, const analysis::work_point& b) { return a.work < b.work; });
  analysis::estimate found = analysis::estimate_ratio(largest->seconds, point.seconds);
  const double scale = point.work / largest->work;
  return {found.median * scale, {found.around.low * scale, found.around.high * scale}};
}

}  // namespace

ordered_json json_of(const std::vector<task_graph>& graphs) {
  ordered_json all = ordered_json::array();
  for (const task_graph& each : graphs) {
    ordered_json parameters = ordered_json::object();
    for (const auto& [key, value] : each.what.set) parameters[key] = value;
    all.push_back({{"name", each.name},
                   {"workload", each.what.workload},
                   {"parameters", std::move(parameters)},
                   {"work", each.work},
                   {"tasks", each.tasks}});
  }
  return all;
}

std::vector<task_graph> graphs_of(const ordered_json& context) {
  std::vector<task_graph> graphs;
  for (const ordered_json& each : context.at("graphs")) {
    instance what{each.at("workload").get<std::string>(), {}};
    for (const auto& [key, value] : each.at("parameters").items()) {
      what.set.emplace_back(key, value.get<std::string>());
    }
    graphs.push_back({.name = each.at("name").get<std::string>(),
                      .what = std::move(what),
                      .work = each.at("work").get<std::string>(),
                      .tasks = each.at("tasks").get<double>()});
  }
  return graphs;
}

std::vector<task_sweep> task_sweeps_of(const std::vector<cell_result>& cells,
                                       const ordered_json& context) {
  std::vector<task_sweep> all;
  for (const task_graph& graph : graphs_of(context)) {
    for (const cell_result& each : cells) {
      const std::optional<double> work = work_in(each.which, graph);
      if (!work) continue;
      const auto known = std::find_if(all.begin(), all.end(), [&](const task_sweep& other) {
        return other.graph == graph.name && other.scheduler == each.which.scheduler &&
               other.workers == each.which.workers;
      });
      task_sweep& to = known != all.end()
                           ? *known
                           : all.emplace_back(task_sweep{
                                 .graph = graph.name,
                                 .scheduler = each.which.scheduler,
                                 .workers = each.which.workers,
                                 .curve = {.workers = 1, .tasks = graph.tasks, .points = {}},
                                 .failure = {}});
      add(each, *work, to);
    }
  }
  for (task_sweep& each : all) keep_common_rounds(each);
  return all;
}

std::vector<report::table> metg_tables(const std::vector<cell_result>& cells,
                                       const ordered_json& context) {
  const std::vector<task_graph> graphs = graphs_of(context);
  const std::vector<task_sweep> all = task_sweeps_of(cells, context);
  report::table made{
      fmt::format("METG: smallest efficient task [{}]", have_intervals(cells) ? "95 %" : "range"),
      {{"scheduler", alignment::left}, {"workers"}},
      {}};
  for (const task_graph& graph : graphs) {
    for (const double threshold : thresholds) {
      made.columns.push_back(
          {fmt::format("{} {:.0f} %", graph.name, 100 * threshold), alignment::left});
    }
  }
  std::vector<std::pair<unsigned, std::string>> rows;
  for (const task_sweep& each : all) {
    if (std::find(rows.begin(), rows.end(), std::pair(each.workers, each.scheduler)) !=
        rows.end()) {
      continue;
    }
    rows.emplace_back(each.workers, each.scheduler);
    std::vector<std::string> row{each.scheduler, fmt::format("{}", each.workers)};
    for (const task_graph& graph : graphs) {
      const task_sweep* const of = find(all, graph.name, each);
      for (const double threshold : thresholds) row.push_back(text_of(of, threshold));
    }
    made.rows.push_back(std::move(row));
  }
  return {made};
}

std::string metg_guide() {
  return "METG(50 %): time × workers / tasks at which work per second falls through 50 % of that "
         "of the largest task; less is better.\n"
         "Interval: bootstrap over whole rounds (below six rounds: their range). ≥: work per "
         "second still rose at the largest task, so the figure is a lower bound.\n"
         "no crossing: no point of the curve lies above the threshold, or none below, so there is "
         "no such figure; DNF: a cell of the curve did not finish.\n"
         "independent, stencil_1d, fft, tree: steps of a loop over tasks (Task Bench); fork tree: "
         "the leaves of a binary tree of forks.\n";
}

std::vector<report::curve_plot> metg_plots(const std::vector<cell_result>& cells,
                                           const ordered_json& context) {
  const std::vector<task_sweep> all = task_sweeps_of(cells, context);
  std::vector<report::curve_plot> plots;
  for (const task_graph& graph : graphs_of(context)) {
    report::curve_plot& plot = plots.emplace_back(
        report::curve_plot{.title = fmt::format("{}: efficiency over time per task", graph.name),
                           .x = {.label = "time per task, µs",
                                 .is_logarithmic = true,
                                 .unit = 1e-6,
                                 .format = report::seconds},
                           .y = {.label = "efficiency", .format = report::ratio},
                           .curves = {}});
    for (const task_sweep& each : all) {
      if (each.graph != graph.name || each.curve.points.empty()) continue;
      report::curve& curve = plot.curves.emplace_back(
          report::curve{.name = fmt::format("{}, {} worker{}", each.scheduler, each.workers,
                                            each.workers == 1 ? "" : "s"),
                        .style = plot.curves.size(),
                        .points = {}});
      for (const analysis::work_point& point : each.curve.points) {
        const double task_seconds =
            analysis::median(point.seconds) * each.curve.workers / each.curve.tasks;
        curve.points.push_back({task_seconds, efficiency_at(each.curve, point)});
      }
      std::sort(
          curve.points.begin(), curve.points.end(),
          [](const report::curve_point& a, const report::curve_point& b) { return a.x < b.x; });
    }
  }
  return plots;
}

}  // namespace stealbench::compare
