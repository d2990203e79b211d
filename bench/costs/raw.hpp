// The raw costs that bound the figures on this machine: the row `reference`.
#pragma once

#include "bench/costs/catalogue.hpp"
#include "bench/costs/times.hpp"
#include "schedulers/options.hpp"

namespace stealbench::costs {

/// Measures figure_description::raw of the figure, without a scheduler and by the code that times
/// the schedulers. The cache line goes between two pinned threads; others are pinned if the options
/// say so. Throws std::runtime_error if it cannot be measured here.
[[nodiscard]] figure_result measure_raw(figure which, const schedulers::options& options);

}  // namespace stealbench::costs
