// Every workload and every figure on one scheduler type, or in sequence: instantiated once for
// each.
#pragma once

#include <tuple>
#include <vector>

#include "bench/cell/cell.hpp"
#include "bench/cell/program.hpp"
#include "bench/costs/figures.hpp"
#include "schedulers/description.hpp"
#include "workloads/catalogue.hpp"

namespace stealbench::cell {

/// Whether there is a variant that counts. One whose type is erased says so at run time.
template <class Scheduler>
bool counts() {
  if constexpr (requires { Scheduler::counts; }) {
    return Scheduler::counts;
  } else {
    return true;
  }
}

template <class Scheduler, class Workload>
program program_of() {
  program made{Workload::describe(), &make_cell<Scheduler, Workload>, nullptr};
  if constexpr (requires { typename Scheduler::counting_variant; }) {
    if (counts<Scheduler>()) {
      made.counting = &make_cell<typename Scheduler::counting_variant, Workload>;
    }
  }
  return made;
}

template <class Scheduler>
std::vector<program> programs_of() {
  return std::apply(
      [](auto... each) { return std::vector{program_of<Scheduler, decltype(each)>()...}; },
      workloads::catalogue{});
}

/// As register_strategy, with what measures the figures.
template <class Scheduler>
bool register_scheduler(costs::figure_result (*measure)(costs::figure,
                                                        const schedulers::options&)) {
  return register_strategy({.scheduler = Scheduler::name,
                            .describe = &Scheduler::describe,
                            .deque = schedulers::deque_of<Scheduler>(),
                            .programs = &programs_of<Scheduler>,
                            .library = &schedulers::library_of<Scheduler>,
                            .measure = measure});
}

}  // namespace stealbench::cell
