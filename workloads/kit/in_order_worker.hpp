// The serial elision of a part of a program that is charged for in simulated time.
#pragma once

#include "schedulers/serial/scheduler.hpp"

namespace stealbench::kit {

/// Runs every branch at once, as serial::worker does, on a machine that is told of the work: what
/// is below a cut-off, where plain code would be free of charge.
template <class Machine>
class in_order_worker : public serial::elision<in_order_worker<Machine>> {
 public:
  using machine = Machine;
};

}  // namespace stealbench::kit
