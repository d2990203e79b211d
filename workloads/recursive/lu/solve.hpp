// The solve with a lower triangle, of LU and of Cholesky, which differ in what they do to one
// block.
#pragma once

#include <cstddef>
#include <cstdint>

#include "workloads/kit/charge.hpp"
#include "workloads/kit/dense/block.hpp"
#include "workloads/recursive/matmul/multiply.hpp"

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

/// The same by plain recursion, bit for bit.
template <void (*Leaf)(const_block l, block b)>
// NOLINTNEXTLINE(misc-no-recursion): the definition
void plain_solve_lower(const_block l, block b, std::size_t leaf) {
  if (b.columns > leaf) {
    const std::size_t half = middle_of(b.columns);
    plain_solve_lower<Leaf>(l, b.left(half), leaf);
    plain_solve_lower<Leaf>(l, b.right_of(half), leaf);
    return;
  }
  if (b.rows <= leaf) {
    Leaf(l, b);
    return;
  }
  const std::size_t half = middle_of(b.rows);
  plain_solve_lower<Leaf>(l.top(half).left(half), b.top(half), leaf);
  matmul::plain_multiply(b.below(half), l.below(half).left(half), b.top(half), -1, leaf);
  plain_solve_lower<Leaf>(l.below(half).right_of(half), b.below(half), leaf);
}

}  // namespace stealbench::lu
