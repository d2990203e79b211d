// The product of two square matrices by divide and conquer on the longest side: regular, compute
// bound, with ample parallelism, so a scheduler has no excuse. The example "matmul" of Cilk, after
// the cache-oblivious algorithm of Frigo, Leiserson, Prokop & Ramachandran (FOCS 1999).
#pragma once

#include <cstddef>
#include <cstdint>

#include "workloads/kit/dense/block.hpp"
#include "workloads/kit/dense/product.hpp"
#include "workloads/workload.hpp"

namespace stealbench::matmul {

using dense::block;
using dense::const_block;
using dense::middle_of;

/// c += a · b.
struct product {
  block c;
  const_block a;
  const_block b;

  [[nodiscard]] bool is_within(std::size_t leaf) const {
    return c.rows <= leaf && c.columns <= leaf && b.rows <= leaf;
  }
};

/// A product as two, by its longest side.
struct product_halves {
  product first;
  product second;
  bool
      are_independent;  ///< Halves of the rows or columns of c; those of the depth share its cells.

  explicit product_halves(const product& whole);
};

/// c += scale · a · b, here and in lu and cholesky. Halves of the rows or columns of c are forked;
/// halves of the depth add to the same cells and follow one another, so that no cell's order of
/// summation depends on the schedule. Work O(rows · columns · depth), span depth / leaf leaves.
/// Requires: as dense::add_product; leaf >= 16.
template <class Worker>
void multiply(Worker worker, block c, const_block a, const_block b, double scale,
              std::size_t leaf) {
  if (product{c, a, b}.is_within(leaf)) {
    kit::compute(
        worker, [=] { dense::add_product(c, a, b, scale); },
        [=] { return dense::units_of_product(c, b.rows); });
    return;
  }
  const product_halves cut({c, a, b});
  const auto half = [scale, leaf](Worker w, const product& part) {
    multiply(w, part.c, part.a, part.b, scale, leaf);
  };
  if (cut.are_independent) {
    worker->fork_join([&](Worker w) { half(w, cut.first); },
                      [&](Worker w) { half(w, cut.second); });
  } else {
    half(worker, cut.first);
    half(worker, cut.second);
  }
}

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

  static output sequential(input& in) { return run(serial::worker(), in); }
  /// Takes the first leaf's product away again.
  static void corrupt(input& in, output& out);
  /// Ones: every cell is n. Whole numbers: Freivalds' check, exact. O(n^2), without a reference.
  static std::optional<bool> verify(const input& in, const output& out);
  static std::uint64_t fork_count(const input& in, const output& out);
};

}  // namespace stealbench::matmul
