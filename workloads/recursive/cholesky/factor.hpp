// The recursive Cholesky factorisation by upper triangles: rows are what the kernels run along.
#pragma once

#include <cstddef>
#include <cstdint>

#include "workloads/kit/charge.hpp"
#include "workloads/recursive/cholesky/kernels.hpp"
#include "workloads/recursive/lu/solve.hpp"
#include "workloads/recursive/matmul/multiply.hpp"

namespace stealbench::cholesky {

using dense::middle_of;

/// Upper triangle of c -= vᵀv: forks the two smaller triangles and the rectangle between them. A
/// leaf on the diagonal is computed whole; nobody reads what is below.
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

/// Replaces the upper triangle of a symmetric, positive definite matrix by U with UᵀU = a. The
/// quarters follow one another; what is parallel lies inside the solve and the square. Work n^3 /
/// 3; span O(m lg^2 m) leaves with m = n / leaf. Requires: leaf >= 16.
template <class Worker>
void factor(Worker worker, block a, std::size_t leaf) {
  if (a.rows <= leaf) {
    kit::compute(
        worker, [=] { factor_leaf(a); }, [=] { return units_of_factor(a); });
    return;
  }
  const std::size_t half = middle_of(a.rows);
  const block a11 = a.top(half).left(half);
  const block a12 = a.top(half).right_of(half);
  const block a22 = a.below(half).right_of(half);
  factor(worker, a11, leaf);
  lu::solve_lower<solve_leaf, units_of_solve>(worker, const_block(a11).transposed(), a12,
                                              leaf);  // By Uᵀ.
  subtract_square(worker, a22, a12, leaf);
  factor(worker, a22, leaf);
}

/// The same factor by plain recursion, bit for bit.
void plain_factor(block a, std::size_t leaf);

}  // namespace stealbench::cholesky
