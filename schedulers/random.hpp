// Random numbers that are the same on every machine.
#pragma once

#include <cstdint>

namespace stealbench::schedulers {

/// A bijection of 64-bit numbers in which every bit of the result depends on every bit of `x`: the
/// output function of SplitMix64 (Steele, Lea & Flood, "Fast splittable pseudorandom number
/// generators", OOPSLA 2014, with Stafford's constants "Mix13").
[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// SplitMix64's increment: the odd number nearest to 2^64 divided by the golden ratio. Added before
/// mixed(), neighbouring seeds begin far apart.
inline constexpr std::uint64_t golden_gamma = 0x9e3779b97f4a7c15;

/// Draws by xorshift (Marsaglia 2003), whose state is one word of its user's. Requires and keeps:
/// the state is not 0.
constexpr std::uint64_t next_random(std::uint64_t& state) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}
constexpr std::uint32_t next_random(std::uint32_t& state) {
  state ^= state << 13;
  state ^= state >> 17;
  return state ^= state << 5;
}

}  // namespace stealbench::schedulers
