// The grains at which `stealbench grain` measures.
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/parameters.hpp"

namespace stealbench::experiments {

/// Of sizes, from the range's least in steps of a factor of 2, or of 4 where that would be more
/// than ten, to its most; of levels, all. The instance's own grain is among them. Ascending.
/// Requires: the workload has a grain.
[[nodiscard]] std::vector<std::uint64_t> grains_of(const workloads::description& workload,
                                                   const workloads::parameters& chosen);

}  // namespace stealbench::experiments
