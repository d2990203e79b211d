// An ablation: which strategies are compared with which, so that a row differs in one factor.
#pragma once

#include <string>
#include <vector>

#include "bench/driver/rounds/installation.hpp"
#include "results/analysis/ablation.hpp"

namespace stealbench::experiments {

using analysis::contrast;

/// Of the schedulers named, each against the strategy that it says it is compared with, or work
/// stealing, where that is among them; and each value of their settings against the default. Where
/// a value requires a value of another setting, both sides have that.
[[nodiscard]] std::vector<contrast> contrasts_among(const std::vector<std::string>& schedulers,
                                                    const rounds::installation& installed);

/// Every strategy in the contrasts, once.
[[nodiscard]] std::vector<std::string> strategies_in(const std::vector<contrast>& all);

}  // namespace stealbench::experiments
