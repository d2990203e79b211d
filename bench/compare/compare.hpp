// `stealbench compare`: every scheduler on every workload, one process per cell.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace stealbench::compare {

/// Adds the command to the program. When it is chosen, its exit status goes to `status`: 0 if all
/// cells have finished, 1 if one has not. The command throws workloads::bad_input before it has run
/// anything, and `interrupted`. `arguments` are what the program was called with; they are kept in
/// the record.
void declare_compare(CLI::App& program, const std::vector<std::string>& arguments, int& status);

}  // namespace stealbench::compare
