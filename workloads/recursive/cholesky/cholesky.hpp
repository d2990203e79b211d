// Cholesky factorisation of a dense, symmetric, positive definite matrix by divide and conquer.
// Like lu with half the work and triangles for squares: less parallelism at the same n, and pieces
// of uneven size.
#pragma once

#include <cstddef>
#include <cstdint>

#include "workloads/kit/dense/block.hpp"
#include "workloads/kit/dense/factorisation.hpp"
#include "workloads/recursive/lu/lu.hpp"
#include "workloads/recursive/matmul/matmul.hpp"
#include "workloads/workload.hpp"

namespace stealbench::cholesky {

using dense::block;
using dense::const_block;

// The leaves. Compiled once and called by parallel and serial code alike, so that both round in the
// same order. By upper triangles: rows are what they run along.

/// b <- L⁻¹ b, with L on and below the diagonal of l: Uᵀ, as a transposed view.
void solve_leaf(const_block l, block b);

// Their units of work, as those of lu; the products, of which the first factor is transposed, take
// less time here.
[[nodiscard]] std::uint64_t units_of_factor(const_block a);
[[nodiscard]] std::uint64_t units_of_solve(const_block b);

using dense::middle_of;

/// Upper triangle of c -= vᵀv: forks the two smaller triangles and the rectangle between them. A
/// leaf on the diagonal is computed whole; no one reads what is below.
template <class Worker>
void subtract_square(Worker worker, block c, const_block v, std::size_t leaf) {
  if (c.rows <= leaf) {
    matmul::multiply(worker, c, v.transposed(), v, -1, leaf);
    return;
  }
  const std::size_t half = middle_of(c.rows);
  const const_block left = v.left(half);
  const const_block right = v.right_of(half);
  worker->fork_join(
      [=](Worker w) {
        matmul::multiply(w, c.top(half).right_of(half), left.transposed(), right, -1, leaf);
      },
      [=](Worker w) {
        w->fork_join(
            [=](Worker x) { subtract_square(x, c.top(half).left(half), left, leaf); },
            [=](Worker x) { subtract_square(x, c.below(half).right_of(half), right, leaf); });
      });
}

struct workload : dense::factorisation<workload> {
  static kit::description describe() { return kit::description_of("cholesky"); }

  /// Replaces the upper triangle of a by U with UᵀU = a. What is below the diagonal is not read.
  static void factor_leaf(block a);

  /// Replaces the upper triangle of a symmetric, positive definite matrix by U with UᵀU = a. The
  /// quarters follow one another; what is parallel is inside the solve and the square. Work n^3 /
  /// 3; span O(m lg^2 m) leaves with m = n / leaf. Requires: leaf >= 16.
  template <class Worker>
  static void factor(Worker worker, block a, std::size_t leaf) {
    if (a.rows <= leaf) {
      kit::compute(
          worker, [=] { factor_leaf(a); }, [=] { return units_of_factor(a); });
      return;
    }
    const dense::quarters q(a, middle_of(a.rows));
    factor(worker, q.a11, leaf);
    lu::solve_lower<solve_leaf, units_of_solve>(worker, const_block(q.a11).transposed(), q.a12,
                                                leaf);  // By Uᵀ.
    subtract_square(worker, q.a22, q.a12, leaf);
    factor(worker, q.a22, leaf);
  }

  /// The same factor by the serial elision, compiled once.
  static void plain_factor(block a, std::size_t leaf);

  /// Uᵀ(Ux) - Ax for a random vector x with components in [-1, 1), where A is what
  /// dense::fill_dominant makes of the seed, as dense::in_roundings. O(n^2).
  [[nodiscard]] static double residual(const_block factor, std::uint64_t seed);
};

}  // namespace stealbench::cholesky
