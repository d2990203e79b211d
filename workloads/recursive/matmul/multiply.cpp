#include "workloads/recursive/matmul/multiply.hpp"

namespace stealbench::matmul {

// NOLINTNEXTLINE(misc-no-recursion): the definition
void plain_multiply(block c, const_block a, const_block b, double scale, std::size_t leaf) {
  switch (cut_of({c.rows, c.columns, b.rows}, leaf)) {
    case cut::none:
      dense::add_product(c, a, b, scale);
      break;
    case cut::rows: {
      const std::size_t half = middle_of(c.rows);
      plain_multiply(c.top(half), a.top(half), b, scale, leaf);
      plain_multiply(c.below(half), a.below(half), b, scale, leaf);
      break;
    }
    case cut::columns: {
      const std::size_t half = middle_of(c.columns);
      plain_multiply(c.left(half), a, b.left(half), scale, leaf);
      plain_multiply(c.right_of(half), a, b.right_of(half), scale, leaf);
      break;
    }
    case cut::depth: {
      const std::size_t half = middle_of(b.rows);
      plain_multiply(c, a.left(half), b.top(half), scale, leaf);
      plain_multiply(c, a.right_of(half), b.below(half), scale, leaf);
      break;
    }
  }
}

}  // namespace stealbench::matmul
