// Work of a known amount and nothing else: it touches no memory, and no step can begin before the
// one before it has ended.
#pragma once

#include <cstdint>

namespace stealbench::kit {

/// x -> factor * x + term, modulo 2^64.
struct affine_map {
  std::uint64_t factor;
  std::uint64_t term;

  [[nodiscard]] constexpr std::uint64_t of(std::uint64_t x) const { return factor * x + term; }
  /// First `inner`, then this one.
  [[nodiscard]] constexpr affine_map after(const affine_map& inner) const {
    return {.factor = factor * inner.factor, .term = of(inner.term)};
  }
};

/// The generator of Knuth's MMIX, of full period: from any start, the first 2^64 steps lead to
/// different numbers, so that a step too many or too few is always seen.
inline constexpr affine_map one_step{.factor = 6364136223846793005, .term = 1442695040888963407};

/// Where so many steps lead from `start`, taken one by one: a multiplication and an addition each,
/// whose latency (4 cycles, about a nanosecond) is the time. Linear.
[[nodiscard]] std::uint64_t stepped(std::uint64_t start, std::uint64_t steps);

/// The map of so many steps at once, by squaring: O(log steps). What a check computes (F. Brown,
/// "Random number generation with arbitrary strides", Transactions of the ANS 71, 1994).
[[nodiscard]] constexpr affine_map leap(std::uint64_t steps) {
  affine_map whole{.factor = 1, .term = 0};
  affine_map power = one_step;
  for (; steps > 0; steps /= 2) {
    if (steps % 2 == 1) whole = power.after(whole);
    power = power.after(power);
  }
  return whole;
}

}  // namespace stealbench::kit
