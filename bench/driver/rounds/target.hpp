// What one process runs: a cell, and the executable that measures it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "results/dataset/cell.hpp"
#include "workloads/parameters.hpp"

namespace stealbench::rounds {

struct target {
  dataset::cell which;
  std::filesystem::path executable;
  bool is_figure = false;  ///< Whether the cell is of a cost figure and not of a workload.
};

/// What every run of the cell's executable is given: the scheduler's settings, workload or figure,
/// workers and parameters.
[[nodiscard]] std::vector<std::string> arguments_of(const target& what);

/// What was set on a workload.
[[nodiscard]] dataset::instance instance_of(const std::string& workload,
                                            const workloads::parameters& chosen);

/// What a size of a workload runs, with the user's assignments laid over it. Throws
/// workloads::bad_input.
[[nodiscard]] std::vector<dataset::instance> instances_of(
    const workloads::description& workload, std::string_view size,
    const std::vector<workloads::assignment>& by_user);

}  // namespace stealbench::rounds
