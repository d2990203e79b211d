// Google Benchmark with this suite's exit statuses.
#pragma once

#include <string>
#include <vector>

namespace stealbench::cell {

/// Runs what is registered, with the provenance in the context. `arguments` begin with the name of
/// the program; of two that set the same flag the later one counts. Returns 0, or 2 for a flag that
/// Google Benchmark does not know and for a filter that nothing matches, of which it has told the
/// user; exits with 2 at a flag that it cannot read.
[[nodiscard]] int run_google_benchmark(std::vector<std::string> arguments);

}  // namespace stealbench::cell
