// What is said of a simulation, and what that is made of.
#pragma once

#include <string>
#include <vector>

#include "results/analysis/simulation.hpp"
#include "results/report/document.hpp"

namespace stealbench::experiments::simulate {

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

/// Throws std::invalid_argument if the values of the dataset do not belong together.
[[nodiscard]] std::vector<report::section> simulate_sections(const dataset::measurements& data);

}  // namespace stealbench::experiments::simulate
