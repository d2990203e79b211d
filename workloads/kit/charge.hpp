// Charges for work in simulated time (schedulers/virtual_machine/).
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace stealbench::kit {

/// What the worker runs on, if it says so.
template <class Worker>
using machine_of = typename std::remove_pointer_t<Worker>::machine;

/// A worker that has to be told of its work, because it runs in simulated time.
template <class Worker>
concept charged_worker = requires {
  machine_of<Worker>::work(std::uint64_t{});
};

/// The calling task has done `units` of its workload's work (kit::profile::unit). On a worker in
/// simulated time, its clock goes on by their price; on a real machine this is no code, but it
/// computes `units`.
template <class Worker>
[[gnu::always_inline]] inline void charge([[maybe_unused]] Worker worker,
                                          [[maybe_unused]] std::uint64_t units) {
  if constexpr (charged_worker<Worker>) machine_of<Worker>::work(units);
}

/// The same where to compute the units takes time: `units()` is called in simulated time alone.
template <class Worker, std::invocable Units>
[[gnu::always_inline]] inline void charge([[maybe_unused]] Worker worker,
                                          [[maybe_unused]] const Units& units) {
  if constexpr (charged_worker<Worker>) machine_of<Worker>::work(units());
}

/// What a task does where it forks no more: `work`, of `units()` units. A kit::fork_counter skips
/// it, so no fork may depend on its results.
template <class Worker, class Work, class Units>
[[gnu::always_inline]] inline void compute([[maybe_unused]] Worker worker, const Work& work,
                                           [[maybe_unused]] const Units& units) {
  if constexpr (!requires { requires !Worker::computes; }) work();
  charge(worker, units);
}

}  // namespace stealbench::kit
