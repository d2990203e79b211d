// The command line of every scheduler's benchmark executable. Compiled once; what differs between
// the executables is behind program.hpp.
#pragma once

namespace stealbench::cell {

/// What main does: measures what the command line says, and returns the exit status: 0; 1 if an
/// answer is wrong or a benchmark has failed; 2 for bad input. With a variant whose type is not
/// linked here it becomes the executable that has it.
[[nodiscard]] int run_process(int argc, char** argv);

}  // namespace stealbench::cell
