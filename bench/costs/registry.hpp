// The scheduler types of an executable whose figures can be made.
#pragma once

#include <string_view>
#include <vector>

#include "bench/costs/catalogue.hpp"
#include "bench/costs/times.hpp"
#include "schedulers/options.hpp"

namespace stealbench::costs {

struct figure_result {
  figure_times times;
  unsigned worker_count = 0;    ///< Workers that the scheduler really has.
  double start_up_seconds = 0;  ///< Of making the scheduler.
};

/// One scheduler type of this executable: what one compilation of scheduler_figures.cpp gives.
struct figure_maker {
  std::string_view deque;  ///< As in `strategy`.
  figure_result (*make)(figure which, const schedulers::options& options);
};

/// As register_strategy.
bool register_figures(const figure_maker& added);

/// Those that are linked here.
[[nodiscard]] const std::vector<figure_maker>& figure_makers();

}  // namespace stealbench::costs
