// The fast Fourier transform in serial code. Compiled once and called by parallel and serial code
// alike, so that both round in the same order.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

namespace stealbench::fft {

using complex = std::complex<double>;

/// The roots of unity for every transform of up to `points` points, a power of two: those of n
/// points, exp(-2πik/n) for k < n/2, stand side by side from `of(n)` on. 16 bytes for each point.
class roots {
 public:
  explicit roots(std::size_t points);
  [[nodiscard]] const complex* of(std::size_t n) const { return all_.data() + n / 2; }

 private:
  std::vector<complex> all_;
};

/// The points of an input that one transform of the recursion sees: from `first`, every stride-th.
struct points {
  const complex* first;
  std::size_t stride;
  std::size_t count;  ///< A power of two.

  [[nodiscard]] points even() const { return {first, 2 * stride, count / 2}; }
  [[nodiscard]] points odd() const { return {first + stride, 2 * stride, count / 2}; }
};

/// Makes one transform of n points from two of n / 2, which stand behind one another in `to`: the
/// part that yields the points [first, last) and [first + n / 2, last + n / 2). Requires: first and
/// last are at most n / 2.
void combine(complex* to, std::size_t n, const roots& of_unity, std::size_t first,
             std::size_t last);

/// The whole transform by plain recursion.
void plain_transform(points from, complex* to, const roots& of_unity);

}  // namespace stealbench::fft
