#include "workloads/recursive/lu/factor.hpp"

namespace stealbench::lu {
namespace {

// NOLINTNEXTLINE(misc-no-recursion): the definition
void plain_solve_upper(const_block u, block b, std::size_t leaf) {
  if (b.rows > leaf) {
    const std::size_t half = middle_of(b.rows);
    plain_solve_upper(u, b.top(half), leaf);
    plain_solve_upper(u, b.below(half), leaf);
    return;
  }
  if (b.columns <= leaf) {
    solve_upper_leaf(u, b);
    return;
  }
  const std::size_t half = middle_of(b.columns);
  plain_solve_upper(u.top(half).left(half), b.left(half), leaf);
  matmul::plain_multiply(b.right_of(half), b.left(half), u.top(half).right_of(half), -1, leaf);
  plain_solve_upper(u.below(half).right_of(half), b.right_of(half), leaf);
}

}  // namespace

// NOLINTNEXTLINE(misc-no-recursion): the definition
void plain_factor(block a, std::size_t leaf) {
  if (a.rows <= leaf) {
    factor_leaf(a);
    return;
  }
  const std::size_t half = middle_of(a.rows);
  const block a11 = a.top(half).left(half);
  const block a12 = a.top(half).right_of(half);
  const block a21 = a.below(half).left(half);
  const block a22 = a.below(half).right_of(half);
  plain_factor(a11, leaf);
  plain_solve_lower<solve_lower_leaf>(a11, a12, leaf);
  plain_solve_upper(a11, a21, leaf);
  matmul::plain_multiply(a22, a21, a12, -1, leaf);
  plain_factor(a22, leaf);
}

}  // namespace stealbench::lu
