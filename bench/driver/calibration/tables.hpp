// A profile for people: the digits that are no noise, and tables.
#pragma once

#include <string>

#include "schedulers/virtual_machine/profile.hpp"

namespace stealbench::calibration {

/// Rounds costs and prices to four digits.
void round(virtual_machine::profile& measured);

/// Tables for a terminal: costs, prices of strategies, prices of units.
[[nodiscard]] std::string to_text(const virtual_machine::profile& what);

}  // namespace stealbench::calibration
