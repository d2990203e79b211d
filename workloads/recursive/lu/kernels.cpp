#include "workloads/recursive/lu/kernels.hpp"

#include <cstddef>

namespace stealbench::lu {
namespace {

/// to[j] -= factor * from[j] for j in [first, last).
void subtract(double* __restrict to, double factor, const double* __restrict from,
              std::size_t first, std::size_t last) {
  for (std::size_t j = first; j < last; ++j) to[j] -= factor * from[j];
}

}  // namespace

void factor_leaf(block a) {
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

}  // namespace stealbench::lu
