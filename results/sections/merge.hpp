// Runs of several machines or commits beside each other. No value of two runs is ever pooled: a
// ratio is of one run, or of two on the same machine.
#pragma once

#include <vector>

#include "results/dataset/measurements.hpp"
#include "results/report/document.hpp"

namespace stealbench::sections {

/// Of two runs or more, of which each build is one, by machine and date: what they are; then for
/// each experiment who leads in each run, the times, the ranks within each run, and what has
/// changed from a run to the next one on the same machine, by `threshold` at least.
[[nodiscard]] std::vector<report::section> merged_sections(std::vector<dataset::measurements> runs,
                                                           double threshold);

}  // namespace stealbench::sections
