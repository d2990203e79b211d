#include "workloads/recursive/cholesky/kernels.hpp"

#include <cmath>
#include <cstddef>

namespace stealbench::cholesky {
namespace {

/// to[j] -= factor * from[j] for j in [first, last).
void subtract(double* __restrict to, double factor, const double* __restrict from,
              std::size_t first, std::size_t last) {
  for (std::size_t j = first; j < last; ++j) to[j] -= factor * from[j];
}

void divide(double* row, double by, std::size_t first, std::size_t last) {
  for (std::size_t j = first; j < last; ++j) row[j] /= by;
}

}  // namespace

void factor_leaf(block a) {
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

}  // namespace stealbench::cholesky
