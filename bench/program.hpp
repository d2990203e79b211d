// What a scheduler's benchmark executable offers, types erased.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench/cell.hpp"
#include "workloads/parameters.hpp"

namespace stealbench::bench {

/// A workload on the scheduler of this executable.
struct program {
  workloads::description description;
  cell_maker timed;     ///< Counts nothing.
  cell_maker counting;  ///< The same strategy with counting compiled in; null where there is none.
};

/// Defined by scheduler_benchmark.cpp, for the scheduler that it was compiled with.
[[nodiscard]] std::string_view scheduler_name();
[[nodiscard]] std::vector<program> programs();
/// Name and version of the library that schedules, or "in-house".
[[nodiscard]] std::string scheduler_library();

}  // namespace stealbench::bench
