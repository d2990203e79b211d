// The recursive LU factorisation: forked in its solves and products, in order elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>

#include "workloads/kit/charge.hpp"
#include "workloads/recursive/lu/kernels.hpp"
#include "workloads/recursive/lu/solve.hpp"
#include "workloads/recursive/matmul/multiply.hpp"

namespace stealbench::lu {

/// b <- b U⁻¹: as solve_lower with rows and columns exchanged.
template <class Worker>
void solve_upper(Worker worker, const_block u, block b, std::size_t leaf) {
  if (b.rows > leaf) {
    const std::size_t half = middle_of(b.rows);
    worker->fork_join([=](Worker w) { solve_upper(w, u, b.top(half), leaf); },
                      [=](Worker w) { solve_upper(w, u, b.below(half), leaf); });
    return;
  }
  if (b.columns <= leaf) {
    kit::compute(
        worker, [=] { solve_upper_leaf(u, b); }, [=] { return units_of_solve_upper(b); });
    return;
  }
  const std::size_t half = middle_of(b.columns);
  solve_upper(worker, u.top(half).left(half), b.left(half), leaf);
  matmul::multiply(worker, b.right_of(half), b.left(half), u.top(half).right_of(half), -1, leaf);
  solve_upper(worker, u.below(half).right_of(half), b.right_of(half), leaf);
}

/// Replaces a by its factors L and U, without pivoting. The quarters follow one another but for the
/// two solves, which are forked; what is parallel lies inside them and in the product. Work
/// 2/3 n^3; span O(m lg^2 m) leaves with m = n / leaf. Requires: no pivot vanishes, as in a
/// diagonally dominant matrix; leaf >= 16.
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
  const block a21 = a.below(half).left(half);
  const block a22 = a.below(half).right_of(half);
  factor(worker, a11, leaf);
  worker->fork_join(
      [=](Worker w) { solve_lower<solve_lower_leaf, units_of_solve_lower>(w, a11, a12, leaf); },
      [=](Worker w) { solve_upper(w, a11, a21, leaf); });
  matmul::multiply(worker, a22, a21, a12, -1, leaf);
  factor(worker, a22, leaf);
}

/// The same factors by plain recursion, bit for bit.
void plain_factor(block a, std::size_t leaf);

}  // namespace stealbench::lu
