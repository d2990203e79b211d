// Charges for work in simulated time (schedulers/virtual_machine/).
#pragma once

#include <cstdint>
#include <type_traits>

namespace stealbench::kit {

/// The calling task has done `units` of its workload's work (kit::profile::unit). On a worker in
/// simulated time, its clock goes on by their price; on a real machine this is no code.
template <class Worker>
[[gnu::always_inline]] inline void charge([[maybe_unused]] Worker worker,
                                          [[maybe_unused]] std::uint64_t units) {
  if constexpr (requires { std::remove_pointer_t<Worker>::machine::work(units); }) {
    std::remove_pointer_t<Worker>::machine::work(units);
  }
}

}  // namespace stealbench::kit
