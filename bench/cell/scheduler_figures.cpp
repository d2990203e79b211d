// The figures of one scheduler type: compiled once for each scheduler and for each variant that is
// a type of its own. Apart from scheduler_benchmark.cpp, which takes minutes.
#include "bench/cell/program.hpp"
#include "bench/costs/figures.hpp"

#include STEALBENCH_SCHEDULER_HEADER

namespace stealbench::cell {

costs::figure_result measure_linked(costs::figure which, const schedulers::options& options) {
  return costs::measure_figure<STEALBENCH_SCHEDULER>(which, options);
}

}  // namespace stealbench::cell
