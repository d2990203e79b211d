#include "workloads/loops/heat/grid.hpp"

#include <cmath>
#include <numbers>

#include "workloads/kit/fingerprint.hpp"

namespace stealbench::heat {
namespace {

// Rows that were a power of two apart would fall into the same sets of the cache.
constexpr std::size_t stride_of(std::size_t n) {
  constexpr std::size_t cells_per_line = 8;
  const std::size_t lines = (n + 2 + cells_per_line - 1) / cells_per_line;
  return (lines | 1U) * cells_per_line;
}

double half_wave_at(std::size_t i, std::size_t n) {
  return std::sin(std::numbers::pi * static_cast<double>(i) / static_cast<double>(n + 1));
}

}  // namespace

grid::grid(std::size_t n) : n_(n), stride_(stride_of(n)), cells_((n + 2) * stride_) {}

void grid::fill_with_slowest_mode() {
  std::vector<double> wave(n_ + 1);
  for (std::size_t i = 1; i <= n_; ++i) wave[i] = half_wave_at(i, n_);
  for (std::size_t i = 1; i <= n_; ++i) {
    for (std::size_t j = 1; j <= n_; ++j) row(i)[j] = wave[i] * wave[j];
  }
}

std::uint64_t grid::fingerprint() const {
  std::uint64_t hash = 0;
  for (std::size_t i = 1; i <= n_; ++i) hash = kit::fingerprint({row(i) + 1, n_}, hash);
  return hash;
}

double decay(std::size_t n) { return std::cos(std::numbers::pi / static_cast<double>(n + 1)); }

void relax_row(const grid& from, grid& to, std::size_t i) {
  const double* above = from.row(i - 1);
  const double* here = from.row(i);
  const double* below = from.row(i + 1);
  double* __restrict result = to.row(i);
  const std::size_t n = from.n();
  for (std::size_t j = 1; j <= n; ++j) {
    result[j] = 0.25 * ((above[j] + below[j]) + (here[j - 1] + here[j + 1]));
  }
}

}  // namespace stealbench::heat
