// Micro-figures as a table: a row for each scheduler, a column for each figure.
#pragma once

#include <string>
#include <vector>

#include "bench/compare/tables.hpp"
#include "results/report/table.hpp"

namespace stealbench::compare {

/// Names, in the order of the rows and of the columns.
struct micro_axes {
  std::vector<std::string> schedulers;
  std::vector<std::string> figures;
};

/// Median time of one operation, with its interval. A figure that the scheduler cannot have, of
/// which there is no cell, is `missing`; one that has failed is DNF.
[[nodiscard]] report::table micro_table(const std::vector<cell_result>& cells,
                                        const micro_axes& axes);

/// What the columns mean, and then why a cell of the table has no value; lines.
[[nodiscard]] std::string micro_guide(const std::vector<cell_result>& cells,
                                      const micro_axes& axes);

}  // namespace stealbench::compare
