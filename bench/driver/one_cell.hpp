// The options that name one cell: what `run` and `trace` have in common.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "bench/driver/rounds/target.hpp"

namespace stealbench::driver {

/// As typed. Names are not yet checked.
struct one_cell {
  std::string workload;
  std::string scheduler;
  unsigned workers = 1;
  std::string size = "standard";
  std::vector<std::string> set;
};

/// Adds WORKLOAD, --scheduler, --workers, --size and --set to the command, which fill `typed`: it
/// outlives the parsing.
void declare_one_cell(CLI::App& command, one_cell& typed);

/// Throws workloads::bad_input.
[[nodiscard]] rounds::target find_target(const one_cell& typed);

}  // namespace stealbench::driver
