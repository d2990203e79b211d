#include "bench/costs/machine_costs.hpp"

#include <stdexcept>

#include "bench/costs/machine_timing.hpp"
#include "schedulers/operating_system/thread.hpp"

namespace stealbench::costs {

virtual_machine::costs measure_machine() {
  if (operating_system::processor_count() < 2) {
    throw std::runtime_error(
        "the costs transfer, wake_call, wake, membarrier and interrupt need two processors, and "
        "this process may use one");
  }
  return measure_costs<real_machine>();
}

}  // namespace stealbench::costs
