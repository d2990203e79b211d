// What a machine charges for, each cost by a measurement of its own. calibration.md in
// schedulers/virtual_machine says how, and why so.
#pragma once

#include "schedulers/virtual_machine/costs.hpp"

namespace stealbench::costs {

/// Takes some seconds and the first two processors that the process may use. Throws
/// std::runtime_error if there is one processor, or the clock is too coarse.
[[nodiscard]] virtual_machine::costs measure_machine();

}  // namespace stealbench::costs
