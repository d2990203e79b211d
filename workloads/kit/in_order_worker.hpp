// The serial elision of a part of a program that is charged for in simulated time.
#pragma once

#include <cstddef>

#include "schedulers/in_order.hpp"
#include "schedulers/scheduler.hpp"
#include "schedulers/serial/scheduler.hpp"

namespace stealbench::kit {

/// Runs every branch at once, as serial::worker does, on a machine that is told of the work: what
/// lies below a cut-off, where plain code would be free of charge.
template <class Machine>
class in_order_worker {
 public:
  using machine = Machine;

  const in_order_worker* operator->() const { return this; }

  template <class F, class G>
  auto fork_join(F&& f, G&& g) const {
    return schedulers::fork_join_in_order(*this, f, g);
  }

  template <class Body>
  void parallel_for(std::size_t first, std::size_t last, std::size_t /*grain*/,
                    const Body& body) const {
    for (std::size_t i = first; i < last; ++i) body(*this, i);
  }

  [[nodiscard]] serial::task_group<in_order_worker> task_group() const {
    return serial::task_group<in_order_worker>(*this);
  }
};

}  // namespace stealbench::kit
