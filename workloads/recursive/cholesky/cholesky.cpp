#include "workloads/recursive/cholesky/cholesky.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

#include "workloads/kit/random.hpp"

namespace stealbench::cholesky {
namespace {

using dense::subtract;

void divide(double* row, double by, std::size_t first, std::size_t last) {
  for (std::size_t j = first; j < last; ++j) row[j] /= by;
}

}  // namespace

void workload::factor_leaf(block a) {
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t k = 0; k < i; ++k) subtract(a.row(i), a.at(k, i), a.row(k), i, a.columns);
    a.at(i, i) = std::sqrt(a.at(i, i));
    divide(a.row(i), a.at(i, i), i + 1, a.columns);
  }
}

void solve_leaf(const_block l, block b) {
  for (std::size_t i = 0; i < b.rows; ++i) {
    for (std::size_t k = 0; k < i; ++k) subtract(b.row(i), l.at(i, k), b.row(k), 0, b.columns);
    divide(b.row(i), l.at(i, i), 0, b.columns);
  }
}

std::uint64_t units_of_factor(const_block a) {
  return a.rows * (a.rows + 1) / 2 * (143 + 2 * a.rows);
}

std::uint64_t units_of_solve(const_block b) {
  return b.rows * (b.rows + 1) / 2 * (50 + 6 * b.columns);
}

void workload::plain_factor(block a, std::size_t leaf) { factor(serial::worker(), a, leaf); }

double workload::residual(const_block factor, std::uint64_t seed) {
  const std::size_t n = factor.rows;
  const auto size = static_cast<double>(n);
  kit::random_stream cells(seed);
  kit::random_stream components(~seed);
  std::vector<double> x(n);
  for (double& each : x) each = 2 * components.fraction() - 1;
  std::vector<double> difference(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double* row = factor.row(i);
    double ux = 0;
    for (std::size_t j = i; j < n; ++j) ux += row[j] * x[j];
    for (std::size_t j = i; j < n; ++j) difference[j] += row[j] * ux;
    // Row i of dense::fill_dominant; what is below the diagonal is drawn, too, and has no meaning.
    for (std::size_t j = 0; j < n; ++j) {
      const double cell = 2 * cells.fraction() - 1;
      if (j == i) difference[i] -= (cell + size) * x[i];
      if (j <= i) continue;
      difference[i] -= cell * x[j];
      difference[j] -= cell * x[i];
    }
  }
  return dense::in_roundings(difference);
}

}  // namespace stealbench::cholesky
