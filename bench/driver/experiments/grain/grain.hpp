// Which grains `stealbench grain` measures, and what is said of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "results/analysis/grain.hpp"
#include "results/dataset/measurements.hpp"
#include "results/report/document.hpp"
#include "workloads/kit/parameters.hpp"

namespace stealbench::experiments::grain {

/// The grains that are measured. Of sizes, from the range's least in steps of a factor of 2, or of
/// 4 where that would be more than ten, to its most; of levels, all. The instance's own grain is
/// among them. Ascending. Requires: the workload has a grain.
[[nodiscard]] std::vector<std::uint64_t> grains_of(const kit::description& workload,
                                                   const kit::parameters& chosen);

/// The best grain, how flat it is, and where overhead and imbalance set in, in four sentences at
/// most.
[[nodiscard]] std::string verdict_of(const analysis::grain_sweep& sweep,
                                     const std::string& parameter);

/// Throws std::invalid_argument if the values of the dataset do not belong together.
[[nodiscard]] std::vector<report::section> grain_sections(const dataset::measurements& data);

}  // namespace stealbench::experiments::grain
