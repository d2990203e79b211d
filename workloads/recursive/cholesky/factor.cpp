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

// NOLINTNEXTLINE(misc-no-recursion): follows the recursion of `subtract_square`
std::uint64_t forks_of_square(std::size_t side, std::size_t depth, std::size_t leaf) {
  if (side <= leaf) return 0;
  const std::size_t half = middle_of(side);
  return 2 + forks_of_square(half, depth, leaf) + forks_of_square(side - half, depth, leaf) +
         matmul::forks_of_product({.rows = half, .columns = side - half, .depth = depth}, leaf);
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

// NOLINTNEXTLINE(misc-no-recursion): follows the recursion of `factor`
std::uint64_t forks_of_factor(std::size_t side, std::size_t leaf) {
  if (side <= leaf) return 0;
  const std::size_t half = middle_of(side);
  const std::size_t rest = side - half;
  return forks_of_factor(half, leaf) + lu::forks_of_solve(half, rest, leaf) +
         forks_of_square(rest, half, leaf) + forks_of_factor(rest, leaf);
}

}  // namespace stealbench::cholesky
