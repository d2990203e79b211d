// Charges for work in simulated time (schedulers/virtual_machine/).
#pragma once

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
/// computes `units`: what takes a computation stands behind `if constexpr
/// (charged_worker<Worker>)`.
template <class Worker>
[[gnu::always_inline]] inline void charge([[maybe_unused]] Worker worker,
                                          [[maybe_unused]] std::uint64_t units) {
  if constexpr (charged_worker<Worker>) machine_of<Worker>::work(units);
}

}  // namespace stealbench::kit
