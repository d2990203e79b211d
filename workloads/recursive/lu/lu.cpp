#include "workloads/recursive/lu/lu.hpp"

#include <cstddef>
#include <vector>

#include "workloads/kit/random.hpp"

namespace stealbench::lu {
namespace {

using dense::subtract;

using vector = std::vector<double>;

double scalar_product(const double* x, const vector& y, std::size_t first, std::size_t last) {
  double sum = 0;
  for (std::size_t j = first; j < last; ++j) sum += x[j] * y[j];
  return sum;
}

}  // namespace

void workload::factor_leaf(block a) {
  for (std::size_t i = 1; i < a.rows; ++i) solve_upper_leaf(a.top(i), a.below(i).top(1));
}

void solve_lower_leaf(const_block l, block b) {
  for (std::size_t i = 1; i < b.rows; ++i) {
    for (std::size_t k = 0; k < i; ++k) subtract(b.row(i), l.at(i, k), b.row(k), 0, b.columns);
  }
}

void solve_upper_leaf(const_block u, block b) {
  for (std::size_t i = 0; i < b.rows; ++i) {
    double* row = b.row(i);
    for (std::size_t k = 0; k < u.rows; ++k) {
      row[k] /= u.at(k, k);
      subtract(row, row[k], u.row(k), k + 1, b.columns);
    }
  }
}

std::uint64_t units_of_factor(const_block a) { return a.rows * (a.rows + 1) / 2 * (216 + a.rows); }

std::uint64_t units_of_solve_lower(const_block b) {
  return b.rows * (b.rows + 1) / 2 * (32 + 7 * b.columns / 2);
}

std::uint64_t units_of_solve_upper(const_block b) { return b.rows * b.columns * (216 + b.columns); }

void workload::plain_factor(block a, std::size_t leaf) { factor(serial::worker(), a, leaf); }

double workload::residual(const_block factors, std::uint64_t seed) {
  const std::size_t n = factors.rows;
  kit::random_stream cells(seed);
  kit::random_stream components(~seed);
  vector x(n);
  for (double& each : x) each = 2 * components.fraction() - 1;
  vector ux(n);
  for (std::size_t i = 0; i < n; ++i) ux[i] = scalar_product(factors.row(i), x, i, n);
  vector difference(n);
  vector row(n);
  for (std::size_t i = 0; i < n; ++i) {
    // The rows of dense::fill_dominant, one at a time.
    for (double& cell : row) cell = 2 * cells.fraction() - 1;
    row[i] += static_cast<double>(n);
    const double lux = ux[i] + scalar_product(factors.row(i), ux, 0, i);
    difference[i] = lux - scalar_product(row.data(), x, 0, n);
  }
  return dense::in_roundings(difference);
}

}  // namespace stealbench::lu
