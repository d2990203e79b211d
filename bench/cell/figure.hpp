// A figure of bench/costs as a benchmark of a scheduler's executable.
#pragma once

#include <string>
#include <vector>

#include "bench/costs/catalogue.hpp"
#include "bench/costs/times.hpp"
#include "schedulers/options.hpp"
#include "schedulers/variant.hpp"

namespace stealbench::cell {

/// Measures a figure on the scheduler type of this executable, or its raw cost. Each executable has
/// one definition: that of scheduler_figures.cpp, or that of reference_benchmark.cpp.
[[nodiscard]] costs::figure_result measure_linked(costs::figure which,
                                                  const schedulers::options& options);

/// Measures the figure on this executable's scheduler by Google Benchmark, whose flags `arguments`
/// are, and returns the exit status. Throws workloads::bad_input if the scheduler has no such
/// figure, or it is not made with so many workers.
[[nodiscard]] int run_figure(const costs::figure_description& figure,
                             const schedulers::variant& chosen, const schedulers::options& options,
                             std::vector<std::string> arguments);

}  // namespace stealbench::cell
