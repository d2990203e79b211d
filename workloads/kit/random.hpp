// Random numbers that are the same on every machine, for inputs that follow from a seed.
#pragma once

#include <cstdint>
#include <span>

#include "schedulers/random.hpp"

namespace stealbench::kit {

using schedulers::golden_gamma;
using schedulers::mixed;

/// SplitMix64. Starts far apart for neighbouring seeds, whose sequences would be shifts of each
/// other else.
class random_stream {
 public:
  explicit constexpr random_stream(std::uint64_t seed) : state_(mixed(seed)) {}

  /// Any 64-bit number, all as likely.
  constexpr std::uint64_t next() {
    state_ += golden_gamma;
    return mixed(state_);
  }
  /// A number in [0, limit), all as likely up to limit / 2^64. Requires: limit >= 1.
  constexpr std::uint64_t below(std::uint64_t limit) { return next() % limit; }
  /// A number in [0, 1), a multiple of 2^-53.
  constexpr double fraction() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

/// Writes any 64-bit numbers; equal seeds give equal numbers.
constexpr void fill_with_random_numbers(std::span<std::uint64_t> numbers, std::uint64_t seed) {
  random_stream random(seed);
  for (std::uint64_t& number : numbers) number = random.next();
}

}  // namespace stealbench::kit
