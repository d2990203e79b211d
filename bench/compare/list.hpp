// `stealbench list`: what there is to run.
#pragma once

#include <CLI/CLI.hpp>

namespace stealbench::compare {

/// Adds the command to the program. When it is chosen, its exit status goes to `status`.
void declare_list(CLI::App& program, int& status);

}  // namespace stealbench::compare
