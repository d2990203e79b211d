// The figures of one scheduler type: compiled once for each scheduler and for each variant that is
// a type of its own. Apart from scheduler_benchmark.cpp, which takes minutes.
#include "bench/figures/benchmark.hpp"
#include "bench/figures/figures.hpp"
#include "bench/program.hpp"
#include "bench/stopwatch.hpp"

#include STEALBENCH_SCHEDULER_HEADER

namespace stealbench::bench {
namespace {

using scheduler = STEALBENCH_SCHEDULER;

figure_result make(figure which, const schedulers::options& options) {
  const clock::time_point start = clock::now();
  scheduler pool(options);
  const double start_up_seconds = nanoseconds_between(start, clock::now()) * 1e-9;
  return {.times = time_figure(which, pool),
          .worker_count = pool.worker_count(),
          .start_up_seconds = start_up_seconds};
}

[[maybe_unused]] const bool is_registered =
    register_figures({.deque = deque_of<scheduler>(), .make = &make});

}  // namespace
}  // namespace stealbench::bench
