// Every workload and every figure on one scheduler type, and linked with main.cpp: compiled once
// for each scheduler and for each variant that is a type of its own, or for the erased type of them
// all.
#include <string>
#include <tuple>
#include <vector>

#include "bench/cell/cell.hpp"
#include "bench/cell/program.hpp"
#include "bench/costs/figures.hpp"
#include "schedulers/description.hpp"
#include "workloads/catalogue.hpp"

#include STEALBENCH_SCHEDULER_HEADER

namespace stealbench::cell {
namespace {

using scheduler = STEALBENCH_SCHEDULER;

// One whose type is erased says at run time whether it has a counting variant.
template <class Scheduler>
bool counts() {
  if constexpr (requires { Scheduler::counts; }) {
    return Scheduler::counts;
  } else {
    return true;
  }
}

// Scheduler depends on a parameter, so that it is only asked for what it has.
template <class Workload, class Scheduler = scheduler>
program program_of() {
  program made{Workload::describe(), &make_cell<Scheduler, Workload>, nullptr};
  if constexpr (requires { typename Scheduler::counting_variant; }) {
    if (counts<Scheduler>()) {
      made.counting = &make_cell<typename Scheduler::counting_variant, Workload>;
    }
  }
  return made;
}

std::vector<program> programs() {
  return std::apply([](auto... each) { return std::vector{program_of<decltype(each)>()...}; },
                    workloads::catalogue{});
}

[[maybe_unused]] const bool is_registered =
    register_strategy({.scheduler = scheduler::name,
                       .describe = &scheduler::describe,
                       .deque = schedulers::deque_of<scheduler>(),
                       .programs = &programs,
                       .library = &schedulers::library_of<scheduler>,
                       .measure = &costs::measure_figure<scheduler>});

}  // namespace
}  // namespace stealbench::cell
