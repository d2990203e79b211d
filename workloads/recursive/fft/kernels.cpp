#include <cmath>
#include <numbers>

#include "workloads/recursive/fft/fft.hpp"

namespace stealbench::fft {
namespace {

/// Two points that are added and subtracted.
struct pair {
  complex sum;
  complex difference;
};

pair butterfly(complex x, complex y) { return {x + y, x - y}; }

/// Four points, whose roots are 1 and -i.
void transform_four(points from, complex* to) {
  const auto at = [&](std::size_t k) { return from.first[k * from.stride]; };
  const pair even = butterfly(at(0), at(2));
  const pair odd = butterfly(at(1), at(3));
  const pair outer = butterfly(even.sum, odd.sum);
  const pair inner = butterfly(even.difference, {odd.difference.imag(), -odd.difference.real()});
  to[0] = outer.sum;
  to[1] = inner.sum;
  to[2] = outer.difference;
  to[3] = inner.difference;
}

}  // namespace

roots::roots(std::size_t points) : all_(points) {
  for (std::size_t k = 0; k < points / 2; ++k) {
    const double angle =
        -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(points);
    all_[points / 2 + k] = {std::cos(angle), std::sin(angle)};
  }
  // Those of half as many points are every other one.
  for (std::size_t i = points / 2; i-- > 1;) all_[i] = all_[2 * i];
}

void combine(complex* to, std::size_t n, const roots& of_unity, std::size_t first,
             std::size_t last) {
  const complex* __restrict root = of_unity.of(n);
  complex* __restrict low = to;
  complex* __restrict high = to + n / 2;
  for (std::size_t k = first; k < last; ++k) {
    // By parts: the product of std::complex looks for infinities.
    const double real = root[k].real() * high[k].real() - root[k].imag() * high[k].imag();
    const double imag = root[k].real() * high[k].imag() + root[k].imag() * high[k].real();
    const complex even = low[k];
    low[k] = {even.real() + real, even.imag() + imag};
    high[k] = {even.real() - real, even.imag() - imag};
  }
}

// NOLINTNEXTLINE(misc-no-recursion): the definition
void plain_transform(points from, complex* to, const roots& of_unity) {
  if (from.count == 4) {
    transform_four(from, to);
    return;
  }
  if (from.count == 1) {
    to[0] = *from.first;
    return;
  }
  plain_transform(from.even(), to, of_unity);
  plain_transform(from.odd(), to + from.count / 2, of_unity);
  combine(to, from.count, of_unity, 0, from.count / 2);
}

}  // namespace stealbench::fft
