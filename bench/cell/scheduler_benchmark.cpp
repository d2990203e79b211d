// Every workload and every figure on one scheduler type: compiled once for each scheduler and for
// each variant that is a type of its own, and linked with main.cpp.
#include <string>
#include <tuple>
#include <vector>

#include "bench/cell/cell.hpp"
#include "bench/cell/program.hpp"
#include "bench/costs/figures.hpp"
#include "workloads/catalogue.hpp"

#include STEALBENCH_SCHEDULER_HEADER

namespace stealbench::cell {
namespace {

using scheduler = STEALBENCH_SCHEDULER;

#ifdef STEALBENCH_FEW_WORKLOADS
// With what `stealbench calibrate` takes the prices of a strategy from.
using catalogue =
    std::tuple<empty_loop::workload, fib::workload, mergesort::workload, uts::workload>;
#else
using workloads::catalogue;
#endif

// Scheduler depends on a parameter, so that it is only asked for what it has.
template <class Workload, class Scheduler = scheduler>
program program_of() {
  program made{Workload::describe(), &make_cell<Scheduler, Workload>, nullptr};
  if constexpr (requires { typename Scheduler::counting_variant; }) {
    made.counting = &make_cell<typename Scheduler::counting_variant, Workload>;
  }
  return made;
}

template <class Scheduler>
std::string library_of() {
  if constexpr (requires { Scheduler::library(); }) {
    return Scheduler::library();
  } else {
    return "in-house";
  }
}

std::vector<program> programs() {
  return std::apply([](auto... each) { return std::vector{program_of<decltype(each)>()...}; },
                    catalogue{});
}

[[maybe_unused]] const bool is_registered =
    register_strategy({.scheduler = scheduler::name,
                       .describe = &scheduler::describe,
                       .deque = deque_of<scheduler>(),
                       .programs = &programs,
                       .library = &library_of<scheduler>,
                       .measure = &costs::measure_figure<scheduler>});

}  // namespace
}  // namespace stealbench::cell
