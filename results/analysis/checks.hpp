// What the functions of this room ask of their arguments.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>

namespace stealbench::analysis {

[[nodiscard]] inline bool is_positive(double value) { return std::isfinite(value) && value > 0; }

/// Throws std::invalid_argument unless the condition holds.
inline void require(bool holds, const char* message) {
  if (!holds) throw std::invalid_argument(message);
}

/// Throws std::invalid_argument unless there are values and all are finite and greater than 0.
inline void require_positive(std::span<const double> values, const char* message) {
  require(!values.empty() && std::ranges::all_of(values, is_positive), message);
}

/// Of points that are compared with one another, each with the member `seconds`: throws
/// std::invalid_argument unless all have the same rounds, and one at least.
template <class Point>
void require_common_rounds(std::span<const Point> points) {
  require(!points.empty(), "a curve needs a point");
  for (const Point& each : points) {
    require_positive(each.seconds, "a curve needs rounds, and times that are finite and above 0");
    require(each.seconds.size() == points.front().seconds.size(),
            "the points of a curve come from the same rounds");
  }
}

}  // namespace stealbench::analysis
