// The figures of one scheduler type: compiled once for each scheduler and for each variant that is
// a type of its own. Apart from scheduler_benchmark.cpp, which takes minutes.
#include "bench/cell/program.hpp"
#include "bench/costs/figures.hpp"
#include "bench/costs/registry.hpp"
#include "bench/costs/stopwatch.hpp"

#include STEALBENCH_SCHEDULER_HEADER

namespace stealbench::cell {
namespace {

using scheduler = STEALBENCH_SCHEDULER;

costs::figure_result make(costs::figure which, const schedulers::options& options) {
  const costs::clock::time_point start = costs::clock::now();
  scheduler pool(options);
  const double start_up_seconds = costs::nanoseconds_between(start, costs::clock::now()) * 1e-9;
  return {.times = costs::time_figure(which, pool),
          .worker_count = pool.worker_count(),
          .start_up_seconds = start_up_seconds};
}

[[maybe_unused]] const bool is_registered =
    costs::register_figures({.deque = deque_of<scheduler>(), .make = &make});

}  // namespace
}  // namespace stealbench::cell
