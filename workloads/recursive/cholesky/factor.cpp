#include "workloads/recursive/cholesky/factor.hpp"

namespace stealbench::cholesky {
namespace {

// NOLINTNEXTLINE(misc-no-recursion): the definition
void plain_solve(const_block u, block b, std::size_t leaf) {
  if (b.columns > leaf) {
    const std::size_t half = middle_of(b.columns);
    plain_solve(u, b.left(half), leaf);
    plain_solve(u, b.right_of(half), leaf);
    return;
  }
  if (b.rows <= leaf) {
    solve_leaf(u, b);
    return;
  }
  const std::size_t half = middle_of(b.rows);
  plain_solve(u.top(half).left(half), b.top(half), leaf);
  matmul::plain_multiply(b.below(half), u.top(half).right_of(half).transposed(), b.top(half), -1,
                         leaf);
  plain_solve(u.below(half).right_of(half), b.below(half), leaf);
}

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

// NOLINTNEXTLINE(misc-no-recursion): follows the recursion of `solve`
std::uint64_t forks_of_solve(std::size_t rows, std::size_t columns, std::size_t leaf) {
  if (columns > leaf) {
    const std::size_t half = middle_of(columns);
    return 1 + forks_of_solve(rows, half, leaf) + forks_of_solve(rows, columns - half, leaf);
  }
  if (rows <= leaf) return 0;
  const std::size_t half = middle_of(rows);
  return forks_of_solve(half, columns, leaf) +
         matmul::forks_of_product({.rows = rows - half, .columns = columns, .depth = half}, leaf) +
         forks_of_solve(rows - half, columns, leaf);
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
  plain_solve(a11, a12, leaf);
  plain_subtract_square(a22, a12, leaf);
  plain_factor(a22, leaf);
}

// NOLINTNEXTLINE(misc-no-recursion): follows the recursion of `factor`
std::uint64_t forks_of_factor(std::size_t side, std::size_t leaf) {
  if (side <= leaf) return 0;
  const std::size_t half = middle_of(side);
  const std::size_t rest = side - half;
  return forks_of_factor(half, leaf) + forks_of_solve(half, rest, leaf) +
         forks_of_square(rest, half, leaf) + forks_of_factor(rest, leaf);
}

}  // namespace stealbench::cholesky
