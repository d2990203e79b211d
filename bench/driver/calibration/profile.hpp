// A new profile: the digits that are no noise, and what it is worth. That is tried by simulations
// of benchmarks that it was not calibrated on, beside measurements of the same.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/driver/calibration/prices.hpp"

namespace stealbench::calibration {

/// Rounds costs and prices to four digits. Throws std::invalid_argument if it is no valid profile.
void round(virtual_machine::profile& measured);

/// The small instances of a few workloads that take milliseconds: those of `names` that are not
/// `calibrated`. At most one for each workload.
[[nodiscard]] std::vector<dataset::instance> instances_to_check(
    const std::vector<std::string>& names, const std::vector<dataset::instance>& calibrated);

/// Measures and simulates each with one and two workers, and tells `note` of it: `fib n=27 on
/// work-stealing with 2 workers: simulated 1.20 ms, measured 1.00 ms (+20.0 %)`. Returns which are
/// off by more than 15 %; empty if none is. Throws as `simulate`.
[[nodiscard]] std::string doubt_about(const virtual_machine::profile& doubtful,
                                      const strategy& which,
                                      const std::vector<dataset::instance>& instances,
                                      system::process_runner& runner,
                                      const std::function<void(const std::string&)>& note);

}  // namespace stealbench::calibration
