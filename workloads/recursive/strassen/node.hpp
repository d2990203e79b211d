// One step of Strassen's recursion without the recursion: which seven products are made of which
// quarters, and where they go.
#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "workloads/kit/dense/block.hpp"

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

}  // namespace stealbench::strassen
