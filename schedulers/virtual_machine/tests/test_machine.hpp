// Machines for tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "schedulers/contract/test_limit.hpp"
#include "schedulers/counters.hpp"
#include "schedulers/options.hpp"
#include "schedulers/virtual_machine/machine.hpp"

namespace stealbench::virtual_machine {

/// Round figures, with jitter.
inline constexpr costs round_costs{.hit = 1,
                                   .rmw = 5,
                                   .fence = 5,
                                   .transfer = 100,
                                   .remote_transfer = 300,
                                   .processors_per_socket = 0,
                                   .shared_gap = 5,
                                   .look = 2,
                                   .pause = 20,
                                   .yield = 300,
                                   .system_call = 200,
                                   .sleep = 2'000,
                                   .wake_call = 3'000,
                                   .wake = 10'000,
                                   .membarrier = 2'000,
                                   .interrupt = 500,
                                   .thread_start = 30'000,
                                   .jitter = 0.2};

/// Where nothing but work takes time, as far as it can be: who waits must get on.
inline constexpr costs no_costs{.pause = 0.001, .yield = 0.001};

inline constexpr std::size_t test_stack_bytes = std::size_t{1} << 20;

/// The same without jitter, for tests that count nanoseconds.
inline settings exactly(unsigned job_stacks = 1) {
  settings chosen{.costs = round_costs, .prices = {}, .job_stacks = job_stacks};
  chosen.costs.jitter = 0;
  return chosen;
}

constexpr picoseconds in_ps(picoseconds nanoseconds) { return nanoseconds * 1000; }

/// Of the running thread.
inline void sleep_ns(picoseconds time) { running.all->sleep_for(in_ps(time)); }

/// What a step takes, in nanoseconds.
inline picoseconds took(const std::function<void()>& step) {
  const picoseconds before = running.now;
  step();
  return (running.now - before) / 1000;
}

inline std::unique_ptr<machine::thread> started(const std::function<void()>& body) {
  return std::make_unique<machine::thread>(test_stack_bytes, std::nullopt, body);
}

using number = machine::atomic<std::uint32_t>;

struct alignas(line_bytes) own_line {
  number value;
};

/// Runs `body` as the first thread of a simulation, and returns the time at its end.
inline picoseconds simulated(const settings& chosen, const std::function<void()>& body) {
  picoseconds end = 0;
  simulation machine(chosen);
  machine.run(test_stack_bytes, [&] {
    body();
    end = running.now;
  });
  return end;
}

/// A run of a program on a scheduler, from when its workers sleep on.
struct observed_run {
  picoseconds begun = 0;
  window seen;
  schedulers::counters counted;
};
template <class Scheduler, class Program>
observed_run observed(settings chosen, schedulers::options options, const Program& program) {
  observed_run run;
  chosen.job_stacks = options.workers;
  options.stack_bytes = test_stack_bytes;
  simulated(chosen, [&] {
    typename Scheduler::counting_variant scheduler(options);
    running.all->await_stillness();
    running.all->begin_window();
    run.begun = running.now;
    scheduler.run(program);
    run.seen = running.all->end_window();
    run.counted = scheduler.counters().value();
  });
  return run;
}

}  // namespace stealbench::virtual_machine
