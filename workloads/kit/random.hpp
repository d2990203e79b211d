// Random numbers that are the same on every machine, for inputs that follow from a seed.
#pragma once

#include <cstdint>

namespace stealbench::kit {

/// A bijection of 64-bit numbers in which every bit of the result depends on every bit of `x`: the
/// output function of SplitMix64 (Steele, Lea & Flood, "Fast splittable pseudorandom number
/// generators", OOPSLA 2014, with Stafford's constants "Mix13").
[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// SplitMix64's increment: the odd number nearest to 2^64 divided by the golden ratio.
inline constexpr std::uint64_t golden_gamma = 0x9e3779b97f4a7c15;

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

}  // namespace stealbench::kit
