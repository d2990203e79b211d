// A figure as a benchmark of a scheduler's executable.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench/figures/catalogue.hpp"
#include "bench/figures/times.hpp"
#include "bench/variant.hpp"
#include "schedulers/options.hpp"

namespace stealbench::bench {

struct figure_result {
  figure_times times;
  unsigned worker_count = 0;    ///< Workers that the scheduler really has.
  double start_up_seconds = 0;  ///< Of making the scheduler.
};

/// One scheduler type of this executable: what one compilation of scheduler_figures.cpp gives.
struct figure_maker {
  std::string_view deque;  ///< As in `strategy`.
  figure_result (*make)(figure which, const schedulers::options& options);
};

/// As register_strategy.
bool register_figures(const figure_maker& added);

/// Measures the figure on this executable's scheduler by Google Benchmark, whose flags `arguments`
/// are, and returns the exit status. Throws workloads::bad_input if the scheduler has no such
/// figure, or it is not made with so many workers.
[[nodiscard]] int run_figure(const figure_description& of, const variant& chosen,
                             const schedulers::options& options,
                             std::vector<std::string> arguments);

}  // namespace stealbench::bench
