// The workloads that can be simulated, for the commands that take them.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace stealbench::driver {

/// In the order of the suite.
[[nodiscard]] std::vector<std::string> simulated_workloads();

/// One of them, or `all`. The message says why another workload cannot be simulated.
[[nodiscard]] CLI::Validator simulated_workload();

}  // namespace stealbench::driver
