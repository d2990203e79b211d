// What is said of the task lengths that `stealbench metg` has measured.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "results/analysis/metg.hpp"
#include "results/dataset/measurements.hpp"
#include "results/report/document.hpp"

namespace stealbench::experiments::metg {

/// For a cell of a table: `no crossing: …`.
[[nodiscard]] std::string reason_of(analysis::no_crossing why,
                                    std::span<const analysis::efficiency_point> curve,
                                    double threshold);

/// Throws std::invalid_argument if the values of the dataset do not belong together.
[[nodiscard]] std::vector<report::section> metg_sections(const dataset::measurements& data);

}  // namespace stealbench::experiments::metg
