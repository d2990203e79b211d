// The ablation: what each factor of a scheduler with variants does for its time, one at a time.
#pragma once

#include <string>
#include <vector>

#include "bench/compare/tables.hpp"
#include "results/report/table.hpp"

namespace stealbench::compare {

/// `serial`, the default that the variants are held against, and each variant that differs from it
/// in one setting; by canonical name.
[[nodiscard]] std::vector<std::string> ablation_schedulers();

/// A row for the default and for each variant of it among the cells, and a column for each workload
/// instance and worker count: the median time over that of the default, with the interval of
/// analysis::estimate_ratio. A cell that failed is DNF; its reason stands in the table of the
/// instance. Where the default has failed, the others have no value.
[[nodiscard]] report::table ablation_table(const std::vector<cell_result>& cells);

}  // namespace stealbench::compare
