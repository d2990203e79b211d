// From the cells of a sweep over grains to what is said of them: tables, verdicts, curves.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench/compare/tables.hpp"
#include "results/analysis/sweep.hpp"
#include "results/report/plot.hpp"
#include "results/report/table.hpp"

namespace stealbench::compare {

/// One scheduler with one number of workers on one workload instance, at every grain.
struct swept {
  instance what;  ///< Without the grain.
  std::string scheduler;
  unsigned workers;
  std::vector<const cell_result*> cells;  ///< In the order of the record.
  /// Of the cells that have finished; none if none has.
  std::optional<analysis::grain_sweep> found;
};

/// From the cells of a document of kind "grain" and its context, whose member "sweep" names the
/// parameter and whose "greater_grain" says whether a greater one is coarser or finer. The cells
/// must outlive the result. Throws nlohmann::json::exception if the context has no such members.
[[nodiscard]] std::vector<swept> sweeps_of(const std::vector<cell_result>& cells,
                                           const nlohmann::ordered_json& context);

/// A table for each workload instance with a row for each grain, and one of the sweet spots.
[[nodiscard]] std::vector<report::table> grain_tables(const std::vector<cell_result>& cells,
                                                      const nlohmann::ordered_json& context);

/// The sweet spot, how flat it is and what is wrong on either side: a paragraph for each scheduler,
/// worker count and instance.
[[nodiscard]] std::vector<std::string> grain_verdicts(const std::vector<cell_result>& cells,
                                                      const nlohmann::ordered_json& context);

/// How to read the tables, a paragraph of a few lines.
[[nodiscard]] std::string grain_guide();

/// Efficiency over the grain: a plot for each workload instance, a curve for each scheduler and
/// worker count.
[[nodiscard]] std::vector<report::curve_plot> grain_plots(const std::vector<cell_result>& cells,
                                                          const nlohmann::ordered_json& context);

}  // namespace stealbench::compare
