// `stealbench metg`: how small a task may be on each scheduler.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace stealbench::compare {

/// Adds the command to the program. When it is chosen, its exit status goes to `status`: 0 if all
/// cells have finished, 1 if one has not. The command throws workloads::bad_input before it has run
/// anything, and `interrupted`. `arguments` are kept in the record.
void declare_metg(CLI::App& program, const std::vector<std::string>& arguments, int& status);

}  // namespace stealbench::compare
