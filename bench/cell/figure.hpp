// A figure of bench/costs as a benchmark of a scheduler's executable.
#pragma once

#include <string>
#include <vector>

#include "bench/costs/catalogue.hpp"
#include "schedulers/options.hpp"
#include "schedulers/variant.hpp"

namespace stealbench::cell {

/// Measures the figure on this executable's scheduler by Google Benchmark, whose flags `arguments`
/// are, and returns the exit status. Throws workloads::bad_input if the scheduler has no such
/// figure, or it is not made with so many workers.
[[nodiscard]] int run_figure(const costs::figure_description& figure,
                             const schedulers::variant& chosen, const schedulers::options& options,
                             std::vector<std::string> arguments);

}  // namespace stealbench::cell
