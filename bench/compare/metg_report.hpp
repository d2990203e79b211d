// From the cells of a sweep over the work per task to METG.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench/compare/tables.hpp"
#include "results/analysis/metg.hpp"
#include "results/report/plot.hpp"
#include "results/report/table.hpp"

namespace stealbench::compare {

/// Tasks that are measured with ever less work in each.
struct task_graph {
  std::string name;
  instance what;     ///< Without the work.
  std::string work;  ///< The parameter that says how much work is in each task.
  double tasks;
};

[[nodiscard]] nlohmann::ordered_json json_of(const std::vector<task_graph>& graphs);
/// From the member "graphs" of the context of a document of kind "metg". Throws
/// nlohmann::json::exception if there is none.
[[nodiscard]] std::vector<task_graph> graphs_of(const nlohmann::ordered_json& context);

/// One scheduler with one number of workers on one graph.
struct task_sweep {
  std::string graph;
  std::string scheduler;
  unsigned workers;
  analysis::task_curve curve;  ///< Without a point if it has failed.
  std::string failure;         ///< Of a cell of it; empty if all have finished.
};

/// From the cells of a document of kind "metg" and its context; cells of no graph are left out.
[[nodiscard]] std::vector<task_sweep> task_sweeps_of(const std::vector<cell_result>& cells,
                                                     const nlohmann::ordered_json& context);

/// METG(50 %) and METG(90 %): a row for each scheduler and worker count, two columns for each
/// graph.
[[nodiscard]] std::vector<report::table> metg_tables(const std::vector<cell_result>& cells,
                                                     const nlohmann::ordered_json& context);

/// How to read the table, a paragraph of a few lines.
[[nodiscard]] std::string metg_guide();

/// Efficiency over the time per task: a plot for each graph, a curve for each scheduler and worker
/// count.
[[nodiscard]] std::vector<report::curve_plot> metg_plots(const std::vector<cell_result>& cells,
                                                         const nlohmann::ordered_json& context);

}  // namespace stealbench::compare
