// The figures of one scheduler type: compiled once for each scheduler and for each variant that is
// a type of its own. Apart from scheduler_benchmark.cpp, which takes minutes.
#include "bench/cell/program.hpp"
#include "bench/costs/figures.hpp"
#include "bench/costs/registry.hpp"

#include STEALBENCH_SCHEDULER_HEADER

namespace stealbench::cell {
namespace {

using scheduler = STEALBENCH_SCHEDULER;

[[maybe_unused]] const bool is_registered = costs::register_figures(
    {.deque = deque_of<scheduler>(), .measure = &costs::measure_figure<scheduler>});

}  // namespace
}  // namespace stealbench::cell
