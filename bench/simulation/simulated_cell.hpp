// One workload instance on one scheduler in simulated time: the shipped engine on the virtual
// machine, types erased.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench/cell/cell.hpp"
#include "schedulers/counters.hpp"
#include "schedulers/options.hpp"
#include "schedulers/virtual_machine/machine.hpp"
#include "workloads/kit/parameters.hpp"

namespace stealbench::simulation {

/// What a simulated run gave.
struct outcome {
  std::optional<bool> verified;
  nlohmann::ordered_json answer;
  std::uint64_t fork_count = 0;
  schedulers::counters counters;  ///< Of the run alone, but for maxima and per_worker.
  virtual_machine::window seen;
};

/// What is simulated: a workload with its parameters on a scheduler with its options, on a machine.
struct request {
  const kit::parameters& chosen;
  const schedulers::options& options;
  const virtual_machine::settings& machine;
};

/// What the run added to the sums, in which the start of the workers counts too.
[[nodiscard]] inline schedulers::counters since(const schedulers::counters& before,
                                                schedulers::counters all) {
  for (const auto& [name, value, is_sum] : schedulers::every_counter) {
    if (is_sum) all.*value -= before.*value;
  }
  return all;
}

/// One run, which begins when all workers but the first sleep, as after a pause on a real machine.
/// Throws what the workload's `prepare` and the constructor of the scheduler throw.
template <class Scheduler, class Workload>
outcome simulate(const request& what) {
  outcome made;
  virtual_machine::simulation machine(what.machine);
  machine.run(what.options.stack_bytes, [&] {
    typename Workload::input input = Workload::prepare(what.chosen);
    Workload::reset(input);
    Scheduler scheduler(what.options);
    machine.await_stillness();
    const schedulers::counters before = scheduler.counters().value();
    machine.begin_window();
    typename Workload::output output = scheduler.run(
        [&input](typename Scheduler::worker worker) { return Workload::run(worker, input); });
    made.seen = machine.end_window();
    made.counters = since(before, scheduler.counters().value());
    if (cell::error_is_planted(Workload::describe().name)) Workload::corrupt(input, output);
    made.verified = Workload::verify(input, output);
    made.answer = Workload::answer(input, output);
    made.fork_count = Workload::fork_count(input, output);
  });
  return made;
}

struct program {
  kit::description description;
  outcome (*simulate)(const request&);
};

/// The scheduler of this executable.
struct strategy {
  std::string_view scheduler;
  std::string_view deque;  ///< Empty where it has one type only.
  std::vector<program> programs;
};

/// Defined by the one compilation of simulated_programs.cpp that is linked.
[[nodiscard]] strategy linked_strategy();

}  // namespace stealbench::simulation
