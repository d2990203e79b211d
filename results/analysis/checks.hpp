// What the functions of this room ask of their arguments.
#pragma once

#include <cmath>
#include <stdexcept>

namespace stealbench::analysis {

[[nodiscard]] inline bool is_positive(double value) { return std::isfinite(value) && value > 0; }

/// Throws std::invalid_argument unless the condition holds.
inline void require(bool holds, const char* message) {
  if (!holds) throw std::invalid_argument(message);
}

}  // namespace stealbench::analysis
