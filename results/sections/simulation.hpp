// What the sections of a simulation are made of.
#pragma once

#include <string>
#include <vector>

#include "results/analysis/simulation.hpp"
#include "results/report/table.hpp"

namespace stealbench::sections {

/// Of one workload instance, with a row for each point of its curves. One that failed has a reason.
struct simulation_tables {
  report::table times;       ///< Time, speedup, tasks moved, steal attempts.
  report::table shares;      ///< Of the workers' time.
  report::table lines;       ///< The hottest cache lines.
  report::table variations;  ///< The time with one cost varied, and its ratio; no row if none is.
};

[[nodiscard]] simulation_tables simulation_tables_of(
    const std::vector<analysis::simulated_curve>& curves, const analysis::estimates& known,
    const dataset::instance& what);

/// What `share_text` does not write as 0.
inline constexpr double least_share = 0.0005;

/// `58.3 %`.
[[nodiscard]] std::string share_text(double share);

}  // namespace stealbench::sections
