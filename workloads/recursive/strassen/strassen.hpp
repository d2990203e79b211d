// Strassen's product of matrices: seven products of quarters instead of eight, paid for with sums
// and with memory for them. Less regular than matmul, as each task first makes its own operands,
// and closer to the memory's speed.
#pragma once

#include <cstddef>
#include <cstdint>

#include "workloads/kit/dense/matrix.hpp"
#include "workloads/kit/dense/product.hpp"
#include "workloads/kit/dense/product_workload.hpp"
#include "workloads/recursive/strassen/node.hpp"
#include "workloads/workload.hpp"

namespace stealbench::strassen {

/// Makes the operand's sum, if it is one, rows in parallel, at least `grain` in a piece.
template <class Worker>
void make(Worker worker, const operand& of, std::size_t grain) {
  if (!of.is_sum()) return;
  worker->parallel_for(0, of.room.rows, grain, [&of](Worker, std::size_t i) { of.add_row(i); });
}

/// c = a · b: a spawn for each of seven products, of which each makes its own operands; then a loop
/// that puts them together. Work Θ(n^lg 7) plus the sums; span O(log^2(n / leaf)) leaves.
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

/// The same product by plain recursion, bit for bit.
void plain_multiply(block c, const_block a, const_block b, std::size_t leaf);

/// The catalogue's entry.
struct workload : dense::product_workload {
  static kit::description describe();
  /// Throws kit::bad_input for an `n` that halves do not lead to a leaf.
  static input prepare(const kit::parameters& chosen);

  template <class Worker>
  static output run(Worker worker, input& in) {
    multiply(worker, in.c.all(), in.a.all(), in.b.all(), in.leaf);
    return {};
  }

  static output sequential(input& in);
  /// Loses the first leaf of the product.
  static void corrupt(input& in, output& out);
  /// Freivalds' check, exact: Strassen's sums of whole numbers need no rounding either. O(n^2).
  static std::optional<bool> verify(const input& in, const output& out);
  static std::uint64_t fork_count(const input& in, const output& out);
};

static_assert(workloads::workload<workload>);

}  // namespace stealbench::strassen
