// `stealbench run`: one workload once, on one scheduler.
#pragma once

#include <CLI/CLI.hpp>

namespace stealbench::compare {

/// Adds the command to the program. When it is chosen, its exit status goes to `status`: 0 for a
/// right answer or one that nobody knows, 1 for a wrong answer or a crash. The command throws
/// workloads::bad_input and `interrupted`.
void declare_run(CLI::App& program, int& status);

}  // namespace stealbench::compare
