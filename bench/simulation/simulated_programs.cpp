// Every workload on one in-house strategy in simulated time: compiled once for each, and linked
// with main.cpp.
#include <tuple>
#include <vector>

#include "bench/cell/program.hpp"
#include "bench/simulation/simulated_cell.hpp"
#include "schedulers/description.hpp"
#include "schedulers/virtual_machine/machine.hpp"
#include "workloads/catalogue.hpp"

#include STEALBENCH_SCHEDULER_HEADER

namespace stealbench::simulation {
namespace {

// Its counters cost nothing in simulated time, and tell the machine who searches.
using scheduler = STEALBENCH_SCHEDULER_ON<virtual_machine::machine>::counting_variant;

#ifdef STEALBENCH_FEW_WORKLOADS
// What `stealbench calibrate` takes the prices of a strategy from, and one that is refused.
using catalogue =
    std::tuple<empty_loop::workload, fib::workload, mergesort::workload, uts::workload>;
#else
using workloads::catalogue;
#endif

template <class Workload>
program program_of() {
  return {Workload::describe(), &simulate<scheduler, Workload>};
}

}  // namespace

strategy linked_strategy() {
  return {
      .scheduler = scheduler::name,
      .deque = schedulers::deque_of<scheduler>(),
      .programs = std::apply(
          [](auto... each) { return std::vector{program_of<decltype(each)>()...}; }, catalogue{})};
}

}  // namespace stealbench::simulation
