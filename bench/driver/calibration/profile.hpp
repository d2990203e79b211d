// A new profile: the digits that are no noise, its tables, and what it is worth. That is tried by
// simulations of benchmarks that it was not calibrated on, beside measurements of the same.
#pragma once

#include <string>
#include <vector>

#include "bench/driver/calibration/prices.hpp"

namespace stealbench::calibration {

/// Rounds costs and prices to four digits. Throws std::invalid_argument if it is no valid profile.
void round(virtual_machine::profile& measured);

/// Tables for a terminal: costs, prices of strategies, prices of units.
[[nodiscard]] std::string to_text(const virtual_machine::profile& what);

/// The size of an error that makes a profile doubtful.
inline constexpr double worst_accepted_error = 0.15;

struct check {
  dataset::cell which;
  double measured;   ///< Seconds.
  double simulated;  ///< Likewise.

  /// Signed, as a part of the measured time.
  [[nodiscard]] double error() const { return simulated / measured - 1; }
};

/// The small instances of a few workloads that take milliseconds: those of `names` that are not
/// `calibrated`. At most one for each workload.
[[nodiscard]] std::vector<dataset::instance> instances_to_check(
    const std::vector<std::string>& names, const std::vector<dataset::instance>& calibrated);

/// With one and two workers. Throws as `simulate`.
[[nodiscard]] std::vector<check> run_checks(const virtual_machine::profile& doubtful,
                                            const strategy& which,
                                            const std::vector<dataset::instance>& instances,
                                            system::process_runner& runner);

/// `fib n=27 on work-stealing with 2 workers: simulated 1.20 ms, measured 1.00 ms (+20.0 %)`.
[[nodiscard]] std::string to_text(const check& one);

/// Which checks miss the bound; empty if none does.
[[nodiscard]] std::string doubt_of(const std::vector<check>& all);

}  // namespace stealbench::calibration
