// Every workload and every figure on one scheduler type, and linked with main.cpp: compiled once
// for each scheduler and for each variant that is a type of its own, or for the erased type of them
// all.
#include "bench/cell/registration.hpp"

#include STEALBENCH_SCHEDULER_HEADER

namespace stealbench::cell {
namespace {

[[maybe_unused]] const bool is_registered =
    register_scheduler<STEALBENCH_SCHEDULER>(&costs::measure_figure<STEALBENCH_SCHEDULER>);

}  // namespace
}  // namespace stealbench::cell
