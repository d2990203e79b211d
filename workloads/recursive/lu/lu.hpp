// LU factorisation of a dense matrix by divide and conquer, without pivoting: the example "lu" of
// Cilk. Products dominate, but every quarter of the matrix waits for the one before it, so the
// parallelism grows with n only and swells and ebbs during a run.
#pragma once

#include <cstddef>
#include <cstdint>

#include "workloads/kit/dense/block.hpp"
#include "workloads/kit/dense/factorisation.hpp"
#include "workloads/recursive/matmul/matmul.hpp"
#include "workloads/workload.hpp"

namespace stealbench::lu {

using dense::block;
using dense::const_block;
using dense::middle_of;

/// b <- L⁻¹ b, by `Leaf` for one block, whose work is `UnitsOf` it. Columns do not depend on each
/// other and are forked; within the leaf's width, the rows follow one another. Span O(m lg m)
/// leaves for m leaves on top of each other.
template <void (*Leaf)(const_block l, block b), std::uint64_t (*UnitsOf)(const_block b),
          class Worker>
void solve_lower(Worker worker, const_block l, block b, std::size_t leaf) {
  if (b.columns > leaf) {
    const std::size_t half = middle_of(b.columns);
    worker->fork_join([=](Worker w) { solve_lower<Leaf, UnitsOf>(w, l, b.left(half), leaf); },
                      [=](Worker w) { solve_lower<Leaf, UnitsOf>(w, l, b.right_of(half), leaf); });
    return;
  }
  if (b.rows <= leaf) {
    kit::compute(
        worker, [=] { Leaf(l, b); }, [=] { return UnitsOf(b); });
    return;
  }
  const std::size_t half = middle_of(b.rows);
  solve_lower<Leaf, UnitsOf>(worker, l.top(half).left(half), b.top(half), leaf);
  matmul::multiply(worker, b.below(half), l.below(half).left(half), b.top(half), -1, leaf);
  solve_lower<Leaf, UnitsOf>(worker, l.below(half).right_of(half), b.below(half), leaf);
}

// The leaves. Compiled once and called by parallel and serial code alike, so that both round in the
// same order.

/// b <- L⁻¹ b, with L below the diagonal of l.
void solve_lower_leaf(const_block l, block b);

/// b <- b U⁻¹, with U on and above the diagonal of u.
void solve_upper_leaf(const_block u, block b);

// Their units of work: the multiplications and additions that a product makes in the time that they
// take. They run along rows, and so pay something for each row, and divide. Fitted to blocks with
// sides of 16 to 128 cells (g++ 12 -O3 -march=native, AMD EPYC).
[[nodiscard]] std::uint64_t units_of_factor(const_block a);
[[nodiscard]] std::uint64_t units_of_solve_lower(const_block b);
[[nodiscard]] std::uint64_t units_of_solve_upper(const_block b);

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

struct workload : dense::factorisation<workload> {
  static kit::description describe() { return kit::description_of("lu"); }

  /// Replaces a by its factors: below the diagonal L, whose diagonal is one, and from it on U.
  static void factor_leaf(block a);

  /// Replaces a by its factors L and U, without pivoting. The quarters follow one another but for
  /// the two solves, which are forked; what is parallel is inside them and in the product. Work
  /// 2/3 n^3; span O(m lg^2 m) leaves with m = n / leaf. Requires: no pivot vanishes, as in a
  /// diagonally dominant matrix; leaf >= 16.
  template <class Worker>
  static void factor(Worker worker, block a, std::size_t leaf) {
    if (a.rows <= leaf) {
      kit::compute(
          worker, [=] { factor_leaf(a); }, [=] { return units_of_factor(a); });
      return;
    }
    const dense::quarters q(a, middle_of(a.rows));
    factor(worker, q.a11, leaf);
    worker->fork_join(
        [=](Worker w) {
          solve_lower<solve_lower_leaf, units_of_solve_lower>(w, q.a11, q.a12, leaf);
        },
        [=](Worker w) { solve_upper(w, q.a11, q.a21, leaf); });
    matmul::multiply(worker, q.a22, q.a21, q.a12, -1, leaf);
    factor(worker, q.a22, leaf);
  }

  /// The same factors by the serial elision, compiled once.
  static void plain_factor(block a, std::size_t leaf);

  /// L(Ux) - Ax for a random vector x with components in [-1, 1), where A is what
  /// dense::fill_dominant makes of the seed, as dense::in_roundings. O(n^2).
  [[nodiscard]] static double residual(const_block factors, std::uint64_t seed);
};

}  // namespace stealbench::lu
