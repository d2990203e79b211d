// The price of a fork that nobody steals: naive Fibonacci without a cut-off.
#pragma once

#include <cstdint>
#include <string>

#include "bench/micro/measure.hpp"
#include "bench/micro/plain_fib.hpp"
#include "schedulers/options.hpp"
#include "workloads/fib/fib.hpp"

namespace stealbench::costs::micro {

// Some milliseconds, which is less than a shared machine often takes away in one piece, and a
// hundred times a wake-up.
inline constexpr unsigned fib_index = 32;
inline constexpr std::uint64_t fib_value = fib::fib_by_addition(fib_index);
inline constexpr auto fib_forks = static_cast<double>(fib::fib_by_addition(fib_index + 1) - 1);

/// The index, and the compiler does not know it.
[[nodiscard]] inline unsigned opaque_fib_index() {
  unsigned n = fib_index;
  benchmark::DoNotOptimize(n);
  return n;
}

/// `subject` computes fib(n) on `workers` workers.
template <class Subject>
void compare_with_plain_fib(benchmark::State& state, unsigned workers, const Subject& subject) {
  const medians found =
      in_turn(state, subject, [] { return plain_fib(opaque_fib_index()) == fib_value; });
  const double time = found.subject_ns * workers;
  state.counters["ns_per_fork"] = time / fib_forks;
  state.counters["plain_ns_per_call"] = found.reference_ns / fib_forks;
  state.counters["ratio"] = time / found.reference_ns;
}

template <class Scheduler>
void add_fork_on(const std::string& name, unsigned workers) {
  add("fork/" + name + "/workers:" + std::to_string(workers), [=](benchmark::State& state) {
    Scheduler pool({.workers = workers, .pin = true});
    compare_with_plain_fib(state, workers, [&] {
      return pool.run([](auto worker) { return fib::fib(worker, opaque_fib_index()); }) ==
             fib_value;
    });
  });
}

}  // namespace stealbench::costs::micro
