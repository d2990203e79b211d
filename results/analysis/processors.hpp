// Which benchmarks had fewer processors than they have workers.
#pragma once

#include <string>
#include <vector>

#include "results/dataset/measurements.hpp"

namespace stealbench::analysis {

/// Whether others had a processor that this process wanted: its threads were ready to run and
/// waited for more than a tenth of its workers' time. False where that is not known.
[[nodiscard]] bool lost_processor(const dataset::sample& of);

/// Whether a third of the rounds of a cell at least lost a processor: fewer do not move its median.
[[nodiscard]] bool lost_processor(const dataset::measured_cell& of);

/// Whether any process recorded how long its threads waited.
[[nodiscard]] bool is_waiting_known(const dataset::measurements& data);

/// The cells of which that is so, by name.
[[nodiscard]] std::vector<std::string> cells_without_processor(const dataset::measurements& data);

}  // namespace stealbench::analysis
