// Every workload on one scheduler: compiled once for each scheduler, and linked with main.cpp.
#include <string>
#include <tuple>
#include <vector>

#include "bench/cell.hpp"
#include "bench/program.hpp"
#include "workloads/catalogue.hpp"

#include STEALBENCH_SCHEDULER_HEADER

namespace stealbench::bench {
namespace {

using scheduler = STEALBENCH_SCHEDULER;

// The maker of counting cells, or null for a scheduler that cannot count.
template <class Scheduler, class Workload>
cell_maker counting_maker() {
  if constexpr (requires { typename Scheduler::counting_variant; }) {
    return &make_cell<typename Scheduler::counting_variant, Workload>;
  } else {
    return nullptr;
  }
}

template <class Workload>
program program_of() {
  return {.description = Workload::describe(),
          .timed = &make_cell<scheduler, Workload>,
          .counting = counting_maker<scheduler, Workload>()};
}

template <class Scheduler>
std::string library_of() {
  if constexpr (requires { Scheduler::library(); }) {
    return Scheduler::library();
  } else {
    return "in-house";
  }
}

}  // namespace

std::string scheduler_library() { return library_of<scheduler>(); }

std::string_view scheduler_name() { return scheduler::name; }

std::vector<program> programs() {
  return std::apply([](auto... each) { return std::vector{program_of<decltype(each)>()...}; },
                    workloads::catalogue{});
}

}  // namespace stealbench::bench
