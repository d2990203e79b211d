// The product of two square matrices by divide and conquer on the longest side: regular, compute
// bound, with ample parallelism, so a scheduler has no excuse. The example "matmul" of Cilk, after
// the cache-oblivious algorithm of Frigo, Leiserson, Prokop & Ramachandran (FOCS 1999).
#pragma once

#include <cstddef>
#include <cstdint>

#include "workloads/kit/charge.hpp"
#include "workloads/kit/dense/block.hpp"
#include "workloads/kit/dense/product.hpp"
#include "workloads/workload.hpp"

namespace stealbench::matmul {

using dense::block;
using dense::const_block;
using dense::middle_of;

/// Which side a product is cut along: the longest. Nothing where all are within the leaf.
enum class cut : std::uint8_t { none, rows, columns, depth };

struct product_size {
  std::size_t rows;
  std::size_t columns;
  std::size_t depth;
};

[[nodiscard]] constexpr cut cut_of(product_size size, std::size_t leaf) {
  if (size.rows <= leaf && size.columns <= leaf && size.depth <= leaf) return cut::none;
  if (size.rows >= size.columns && size.rows >= size.depth) return cut::rows;
  return size.columns >= size.depth ? cut::columns : cut::depth;
}

/// c += scale · a · b, here and in lu and cholesky. Halves of the rows or columns of c are forked;
/// halves of the depth add to the same cells and follow one another, so that no cell's order of
/// summation depends on the schedule. Work O(rows · columns · depth), span depth / leaf leaves.
/// Requires: as dense::add_product; leaf >= 16.
template <class Worker>
void multiply(Worker worker, block c, const_block a, const_block b, double scale,
              std::size_t leaf) {
  switch (cut_of({c.rows, c.columns, b.rows}, leaf)) {
    case cut::none:
      kit::compute(
          worker, [=] { dense::add_product(c, a, b, scale); },
          [=] { return dense::units_of_product(c, b.rows); });
      break;
    case cut::rows: {
      const std::size_t half = middle_of(c.rows);
      worker->fork_join(
          [=](Worker w) { multiply(w, c.top(half), a.top(half), b, scale, leaf); },
          [=](Worker w) { multiply(w, c.below(half), a.below(half), b, scale, leaf); });
      break;
    }
    case cut::columns: {
      const std::size_t half = middle_of(c.columns);
      worker->fork_join(
          [=](Worker w) { multiply(w, c.left(half), a, b.left(half), scale, leaf); },
          [=](Worker w) { multiply(w, c.right_of(half), a, b.right_of(half), scale, leaf); });
      break;
    }
    case cut::depth: {
      const std::size_t half = middle_of(b.rows);
      multiply(worker, c, a.left(half), b.top(half), scale, leaf);
      multiply(worker, c, a.right_of(half), b.below(half), scale, leaf);
      break;
    }
  }
}

/// The same product by plain recursion, bit for bit.
void plain_multiply(block c, const_block a, const_block b, double scale, std::size_t leaf);

enum class cells : std::uint8_t { ones, random };

struct workload : dense::product_workload {
  struct input : dense::product_input {
    cells kind;
  };

  static kit::description describe() { return kit::description_of("matmul"); }
  static input prepare(const kit::parameters& chosen);

  template <class Worker>
  static output run(Worker worker, input& in) {
    multiply(worker, in.c.all(), in.a.all(), in.b.all(), 1, in.leaf);
    return {};
  }

  static output sequential(input& in);
  /// Takes the first leaf's product away again.
  static void corrupt(input& in, output& out);
  /// Ones: every cell is n. Whole numbers: Freivalds' check, exact. O(n^2), without a reference.
  static std::optional<bool> verify(const input& in, const output& out);
  static std::uint64_t fork_count(const input& in, const output& out);
};

}  // namespace stealbench::matmul
