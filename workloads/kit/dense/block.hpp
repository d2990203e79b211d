// A rectangle of cells inside a matrix: what the recursive algorithms pass down.
#pragma once

#include <cstddef>
#include <type_traits>

namespace stealbench::dense {

/// A view; copying it copies no cell. Rows lie `row_stride` cells apart and columns
/// `column_stride`, which is 1 but for a transposed view.
template <class Cell>
struct basic_block {
  Cell* cells;
  std::size_t rows;
  std::size_t columns;
  std::size_t row_stride;
  std::size_t column_stride = 1;

  [[nodiscard]] Cell* row(std::size_t i) const { return cells + i * row_stride; }
  [[nodiscard]] Cell& at(std::size_t i, std::size_t j) const {
    return cells[i * row_stride + j * column_stride];
  }

  [[nodiscard]] basic_block top(std::size_t count) const {
    return {cells, count, columns, row_stride, column_stride};
  }
  [[nodiscard]] basic_block below(std::size_t count) const {
    return {cells + count * row_stride, rows - count, columns, row_stride, column_stride};
  }
  [[nodiscard]] basic_block left(std::size_t count) const {
    return {cells, rows, count, row_stride, column_stride};
  }
  [[nodiscard]] basic_block right_of(std::size_t count) const {
    return {cells + count * column_stride, rows, columns - count, row_stride, column_stride};
  }
  [[nodiscard]] basic_block transposed() const {
    return {cells, columns, rows, column_stride, row_stride};
  }

  /// A view to read from, as std::span converts.
  operator basic_block<const Cell>() const requires(!std::is_const_v<Cell>) {
    return {cells, rows, columns, row_stride, column_stride};
  }
};

using block = basic_block<double>;
using const_block = basic_block<const double>;

/// A block cut after `half` rows and columns.
template <class Block>
struct quarters {
  Block a11;
  Block a12;
  Block a21;
  Block a22;

  quarters(Block whole, std::size_t half)
      : a11(whole.top(half).left(half)),
        a12(whole.top(half).right_of(half)),
        a21(whole.below(half).left(half)),
        a22(whole.below(half).right_of(half)) {}
};

/// Whether `holds` of every cell.
template <class Predicate>
[[nodiscard]] bool all_of(const_block cells, const Predicate& holds) {
  for (std::size_t i = 0; i < cells.rows; ++i) {
    for (std::size_t j = 0; j < cells.columns; ++j) {
      if (!holds(cells.at(i, j))) return false;
    }
  }
  return true;
}

/// to[j] -= factor * source[j] for j in [first, last).
inline void subtract(double* __restrict to, double factor, const double* __restrict source,
                     std::size_t first, std::size_t last) {
  for (std::size_t j = first; j < last; ++j) to[j] -= factor * source[j];
}

/// For a kit::fork_counter, which writes no cell.
[[nodiscard]] inline block unwritten(const_block target) {
  return {const_cast<double*>(target.cells), target.rows, target.columns, target.row_stride,
          target.column_stride};
}

/// Where a side of `size` cells is cut: near its middle, at a multiple of sixteen, so that only the
/// last block of a matrix can have an edge that the leaf product takes cell by cell. Requires: size
/// > 16.
[[nodiscard]] constexpr std::size_t middle_of(std::size_t size) {
  constexpr std::size_t unit = 16;
  return (size / 2 + unit - 1) / unit * unit;
}

}  // namespace stealbench::dense
