// `stealbench trace`: what each worker did and when, in one run.
#pragma once

#include <CLI/CLI.hpp>

namespace stealbench::compare {

/// Adds the command to the program. When it is chosen, its exit status goes to `status`: 0 if the
/// trace was written, 1 for a wrong answer or a crash, and then an older file stays. The command
/// throws workloads::bad_input and `interrupted`.
void declare_trace(CLI::App& program, int& status);

}  // namespace stealbench::compare
