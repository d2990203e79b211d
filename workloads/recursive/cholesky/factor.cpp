#include "workloads/recursive/cholesky/factor.hpp"

namespace stealbench::cholesky {
namespace {

// NOLINTNEXTLINE(misc-no-recursion): the definition
void plain_subtract_square(block c, const_block v, std::size_t leaf) {
  if (c.rows <= leaf) {
    matmul::plain_multiply(c, v.transposed(), v, -1, leaf);
    return;
  }
  const std::size_t half = middle_of(c.rows);
  const const_block left = v.left(half);
  const const_block right = v.right_of(half);
  matmul::plain_multiply(c.top(half).right_of(half), left.transposed(), right, -1, leaf);
  plain_subtract_square(c.top(half).left(half), left, leaf);
  plain_subtract_square(c.below(half).right_of(half), right, leaf);
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
  const block a22 = a.below(half).right_of(half);
  plain_factor(a11, leaf);
  lu::plain_solve_lower<solve_leaf>(const_block(a11).transposed(), a12, leaf);
  plain_subtract_square(a22, a12, leaf);
  plain_factor(a22, leaf);
}

}  // namespace stealbench::cholesky
