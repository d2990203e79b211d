// The scheduler types of an executable whose figures can be measured.
#pragma once

#include <string_view>
#include <vector>

#include "bench/costs/catalogue.hpp"
#include "bench/costs/times.hpp"
#include "schedulers/options.hpp"

namespace stealbench::costs {

/// One scheduler type of this executable: one compilation of scheduler_figures.cpp, or the raw
/// costs.
struct figure_maker {
  std::string_view deque;  ///< As in `strategy`.
  figure_result (*measure)(figure which, const schedulers::options& options);
};

/// Those that are linked here.
inline std::vector<figure_maker>& figure_makers() {
  static std::vector<figure_maker> all;  // In a function, because it is used before main.
  return all;
}

/// As register_strategy.
inline bool register_figures(const figure_maker& added) {
  figure_makers().push_back(added);
  return true;
}

}  // namespace stealbench::costs
