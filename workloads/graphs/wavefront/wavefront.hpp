// Longest common subsequence of two random strings, by blocks of the table of dynamic programming.
// A block needs those above and to the left of it, so the work passes over the table as a wave: one
// block at first, many in the middle, one at last.
//
// Fork-join cannot say so directly, and pays for it in one of two ways. `quadrants`, the recursion
// of the cache-oblivious algorithms, is the customary one and the default: it joins only what has
// to be joined in each quadrant, keeps its blocks near to each other, and has the span n^1.58 for n
// blocks in a row. `diagonals` has the shorter span n, at the price of a barrier for each diagonal.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "workloads/workload.hpp"

namespace stealbench::wavefront {

enum class order_kind : std::uint8_t { quadrants, diagonals };

/// What is left of the table while the wave passes over it: its edge. Blocks are counted from the
/// top left.
struct table {
  std::size_t blocks;                 ///< In a row, and in a column.
  std::size_t block;                  ///< Letters of a block's side.
  std::vector<std::uint8_t> down;     ///< The string along the left edge.
  std::vector<std::uint8_t> across;   ///< The string along the top.
  std::vector<std::uint32_t> above;   ///< The lowest row of finished cells, for each column.
  std::vector<std::uint32_t> left;    ///< The rightmost finished cells, for each row.
  std::vector<std::uint32_t> corner;  ///< The last finished corner on each diagonal of blocks.
  std::vector<std::uint64_t> digest;  ///< Of each block's lower and right edge, row by row.
};

/// Fills a block, and moves the edges from its upper and left side to its lower and right one.
/// Work block^2. Requires: the blocks above and to the left are filled.
void fill_block(table& in, std::size_t row, std::size_t column);

/// Fills the square of `size` blocks whose first is (row, column): its upper left quadrant, then
/// the two that need nothing else, then the lower right one. Requires: a power of two.
template <class Worker>
void fill_quadrants(Worker worker, table& in, std::size_t row, std::size_t column,
                    std::size_t size) {
  if (size == 1) {
    fill_block(in, row, column);
    kit::charge(worker, in.block * in.block);
    return;
  }
  const std::size_t half = size / 2;
  fill_quadrants(worker, in, row, column, half);
  worker->fork_join([=, &in](Worker w) { fill_quadrants(w, in, row, column + half, half); },
                    [=, &in](Worker w) { fill_quadrants(w, in, row + half, column, half); });
  fill_quadrants(worker, in, row + half, column + half, half);
}

/// Fills the table by one loop for each of its 2 blocks - 1 rising diagonals.
template <class Worker>
void fill_diagonals(Worker worker, table& in) {
  for (std::size_t diagonal = 0; diagonal + 1 < 2 * in.blocks; ++diagonal) {
    const std::size_t first = diagonal < in.blocks ? 0 : diagonal - in.blocks + 1;
    const std::size_t last = std::min(diagonal + 1, in.blocks);
    worker->parallel_for(first, last, std::size_t{1}, [&in, diagonal](Worker w, std::size_t row) {
      fill_block(in, row, diagonal - row);
      kit::charge(w, in.block * in.block);
    });
  }
}

struct workload : workloads::defaults<workload> {
  struct input {
    order_kind order;
    table cells;
    mutable std::vector<std::uint64_t> expected;  ///< Digests; empty until asked for.
  };
  using output = std::uint32_t;  ///< Length of the longest common subsequence.

  static kit::description describe() { return kit::description_of("wavefront"); }
  /// Throws kit::bad_input if the blocks are not a power of two.
  static input prepare(const kit::parameters& chosen);
  static void reset(input& in);

  template <class Worker>
  static output run(Worker worker, input& in) {
    if (in.order == order_kind::quadrants) {
      fill_quadrants(worker, in.cells, 0, 0, in.cells.blocks);
    } else {
      fill_diagonals(worker, in.cells);
    }
    return in.cells.above.back();
  }

  static output sequential(input& in);
  static void corrupt(input& in, output& /*unused*/) { fill_block(in.cells, 0, 0); }
  /// The edges of every block, against the serial program's; computes those once for each input.
  static std::optional<bool> verify(const input& in, const output& out);
  /// A fork for every square of more than one block, or a piece for every block.
  static std::uint64_t fork_count(const input& in, const output& /*unused*/) {
    const std::uint64_t all = in.cells.blocks * in.cells.blocks;
    return in.order == order_kind::quadrants ? (all - 1) / 3 : all;
  }
};

}  // namespace stealbench::wavefront
