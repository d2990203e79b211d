// Strassen's product of matrices: seven products of quarters instead of eight, paid for with sums
// and with memory for them. Less regular than matmul, as each task first makes its own operands,
// and closer to the memory's speed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "workloads/kit/dense/block.hpp"
#include "workloads/kit/dense/matrix.hpp"
#include "workloads/kit/dense/product.hpp"
#include "workloads/workload.hpp"

namespace stealbench::strassen {

using dense::block;
using dense::const_block;

/// One side of a product: a quarter as it is, or the sum or difference of two.
struct operand {
  const_block first;
  const_block second;
  double sign;  ///< Of the second; 0 where there is none.
  block room;   ///< For the sum.

  [[nodiscard]] bool is_sum() const { return sign != 0; }
  /// Computes row i of the sum. Requires: is_sum().
  void add_row(std::size_t i) const;
  /// The operand's cells, once all rows are added.
  [[nodiscard]] const_block value() const { return is_sum() ? const_block(room) : first; }
};

struct product {
  block to;
  operand left;
  operand right;
};

/// The seven products of c = a · b and the room for their operands. Four of them go to the quarters
/// of c at first, so that 3 products and 10 sums, each a quarter of c, are all that is allocated:
/// 26 n^2 bytes, once for seven tasks.
class node {
 public:
  static constexpr std::size_t product_count = 7;
  static constexpr std::size_t sum_count = 10;

  /// Requires: square blocks whose side is even.
  node(block c, const_block a, const_block b);

  [[nodiscard]] const product& part(std::size_t index) const { return products_[index]; }
  [[nodiscard]] std::size_t half() const { return half_; }

  /// Makes row i of all four quarters of c from the products, which must be there.
  void combine_row(std::size_t i) const;

  /// What one node allocates for blocks of that side.
  [[nodiscard]] static std::size_t bytes(std::size_t side);

 private:
  std::size_t half_;
  std::unique_ptr<double[]> room_;
  std::array<product, product_count> products_;
};

/// Makes the operand's sum, if it is one, rows in parallel, at least `grain` in a piece.
template <class Worker>
void make(Worker worker, const operand& factor, std::size_t grain) {
  if (!factor.is_sum()) return;
  worker->parallel_for(0, factor.room.rows, grain,
                       [&factor](Worker, std::size_t i) { factor.add_row(i); });
}

/// c = a · b: a spawn for each of seven products, of which each makes its own operands; then a loop
/// that puts them together. Work Θ(n^lg 7) plus the sums; span O(leaf^3 + n · leaf).
/// Allocates one strassen::node for each unfinished step: 35 n^2 bytes for one worker, and 9 n^2
/// more for each of the first few that steal from it. Requires: blocks with a side of leaf · 2^k.
template <class Worker>
void multiply(Worker worker, block c, const_block a, const_block b, std::size_t leaf) {
  if (c.rows <= leaf) {
    dense::fill(c, 0);
    dense::add_product(c, a, b);
    return;
  }
  const node step(c, a, b);
  auto group = worker->task_group();
  for (std::size_t index = 0; index < node::product_count; ++index) {
    group.spawn([&step, index, leaf](Worker w) {
      const product& part = step.part(index);
      make(w, part.left, leaf);
      make(w, part.right, leaf);
      multiply(w, part.to, part.left.value(), part.right.value(), leaf);
    });
  }
  group.sync();
  worker->parallel_for(0, step.half(), leaf,
                       [&step](Worker, std::size_t i) { step.combine_row(i); });
}

struct workload : dense::product_workload {
  static kit::description describe() { return kit::description_of("strassen"); }
  /// Throws kit::bad_input for an `n` that halves do not lead to a leaf.
  static input prepare(const kit::parameters& chosen);

  template <class Worker>
  static output run(Worker worker, input& in) {
    multiply(worker, in.c.all(), in.a.all(), in.b.all(), in.leaf);
    return {};
  }

  static output sequential(input& in) { return run(serial::worker(), in); }
  /// Loses the first leaf of the product.
  static void corrupt(input& in, output& out);
  /// Freivalds' check, exact: Strassen's sums of whole numbers need no rounding either. O(n^2).
  static std::optional<bool> verify(const input& in, const output& out);
  static std::uint64_t fork_count(const input& in, const output& out);
};

}  // namespace stealbench::strassen
