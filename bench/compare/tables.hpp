// From measured cells to tables.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench/compare/cells.hpp"
#include "bench/compare/measure.hpp"
#include "results/report/table.hpp"

namespace stealbench::compare {

/// A cell with all that is known of it.
struct cell_result {
  cell which;
  std::vector<sample> samples;               ///< One for each round that it finished.
  nlohmann::ordered_json counted = nullptr;  ///< Counters of a separate run; null if it has none.
  bool was_counted = false;                  ///< Whether that run has been made.
  std::string failure;                       ///< Why it did not finish; empty if it did.
};

[[nodiscard]] bool has_finished(const cell_result& of);

/// One figure of every round.
[[nodiscard]] std::vector<double> values_of(const cell_result& of, double sample::*member);

/// Whether every cell that has finished was measured often enough for an interval. Below six rounds
/// the interval of a median is the range of what was measured, and a heading says so.
[[nodiscard]] bool have_intervals(const std::vector<cell_result>& cells);

/// One table for each workload instance, a row for each scheduler and worker count, in the order of
/// `cells` within a worker count. A cell that failed is a row too.
[[nodiscard]] std::vector<report::table> tables_of(const std::vector<cell_result>& cells);

/// How to read the tables, a paragraph of three lines.
[[nodiscard]] std::string reading_guide();

/// Where a record comes from: the scalar members of its context, but for names and paths.
[[nodiscard]] report::table provenance_of(const nlohmann::ordered_json& context);

/// A summary in Markdown, the tables, how to read them, and where they come from: the scalar
/// members of the context of the record.
[[nodiscard]] std::string markdown_of(const std::string& summary,
                                      const std::vector<report::table>& tables,
                                      const nlohmann::ordered_json& context);

}  // namespace stealbench::compare
