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
void transform_four(points signal, complex* spectrum) {
  const auto at = [&](std::size_t k) { return signal.first[k * signal.stride]; };
  const pair even = butterfly(at(0), at(2));
  const pair odd = butterfly(at(1), at(3));
  const pair outer = butterfly(even.sum, odd.sum);
  const pair inner = butterfly(even.difference, {odd.difference.imag(), -odd.difference.real()});
  spectrum[0] = outer.sum;
  spectrum[1] = inner.sum;
  spectrum[2] = outer.difference;
  spectrum[3] = inner.difference;
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
void plain_transform(points signal, complex* spectrum, const roots& of_unity) {
  if (signal.count == 4) {
    transform_four(signal, spectrum);
    return;
  }
  if (signal.count == 1) {
    spectrum[0] = *signal.first;
    return;
  }
  plain_transform(signal.even(), spectrum, of_unity);
  plain_transform(signal.odd(), spectrum + signal.count / 2, of_unity);
  combine(spectrum, signal.count, of_unity, 0, signal.count / 2);
}

}  // namespace stealbench::fft
