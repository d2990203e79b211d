// How far workers are from each other on this machine.
#pragma once

#include <vector>

namespace stealbench::operating_system {

/// The workers 0 to `workers` - 1, the nearest to `worker` first, beginning with itself: by the
/// smallest part of the machine (core, cache, package) that holds the processors to which pinning
/// assigns the two; among equally near ones, those that follow it first. Throws std::bad_alloc.
[[nodiscard]] std::vector<unsigned> workers_by_distance(unsigned worker, unsigned workers);

}  // namespace stealbench::operating_system
