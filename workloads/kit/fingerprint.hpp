// Compares long results bit for bit without keeping both.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "workloads/kit/random.hpp"

namespace stealbench::kit {

/// A hash of every bit of every value, in order: equal for values that are equal bit for bit; never
/// for two sequences that differ in one value, and for others with a chance of 2^-64. `before` is
/// the fingerprint of what comes before the values. Linear.
[[nodiscard]] inline std::uint64_t fingerprint(std::span<const double> values,
                                               std::uint64_t before = 0) {
  for (const double value : values) {
    before = mixed((before + golden_gamma) ^ std::bit_cast<std::uint64_t>(value));
  }
  return before;
}

}  // namespace stealbench::kit
