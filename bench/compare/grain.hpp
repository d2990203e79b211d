// `stealbench grain`: how coarse the pieces of a workload should be.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "workloads/parameters.hpp"

namespace stealbench::compare {

/// The grains at which an instance is measured: of sizes, from the range's least in steps of a
/// factor of 2, or of 4 where that would be more than ten, to its most; of levels, all. The
/// instance's own grain is among them. Ascending. Requires: the workload has a grain.
[[nodiscard]] std::vector<std::uint64_t> grains_of(const workloads::description& of,
                                                   const workloads::parameters& chosen);

/// Adds the command to the program. When it is chosen, its exit status goes to `status`: 0 if all
/// cells have finished, 1 if one has not. The command throws workloads::bad_input before it has run
/// anything, and `interrupted`. `arguments` are kept in the record.
void declare_grain(CLI::App& program, const std::vector<std::string>& arguments, int& status);

}  // namespace stealbench::compare
