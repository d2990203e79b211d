// A sparse matrix by rows whose lengths follow a power law, and the product of one row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace stealbench::spmv {

/// How long the rows are: any of them has x cells or more with the chance (shortest / x)^tail, up
/// to the longest. Follows from the seed.
struct row_law {
  std::size_t rows;
  std::size_t shortest;
  std::size_t longest;
  double tail;
  std::uint64_t seed;

  [[nodiscard]] std::vector<std::size_t> lengths() const;
};

/// Square, in compressed rows. A row's columns are drawn from all columns, its cells are about one
/// divided by its length, so that a product keeps the size of a vector's components.
class sparse_matrix {
 public:
  /// The cells of each row follow from the seed and the row's index.
  sparse_matrix(std::span<const std::size_t> lengths, std::uint64_t seed);

  [[nodiscard]] std::size_t rows() const { return begins_.size() - 1; }
  [[nodiscard]] std::size_t length(std::size_t row) const {
    return begins_[row + 1] - begins_[row];
  }
  [[nodiscard]] std::size_t longest_row() const;
  [[nodiscard]] std::size_t cell_count() const { return cells_.size(); }

  /// One component of the product with x, summed in the order of the cells. Not inline: compiled
  /// once and called by parallel and serial code alike.
  [[nodiscard]] double row_product(std::size_t row, std::span<const double> x) const;

  /// Memory of a matrix.
  [[nodiscard]] static std::uint64_t bytes(std::uint64_t rows, std::uint64_t cells);

 private:
  std::vector<std::size_t> begins_;  ///< And the end of the last row.
  std::vector<std::uint32_t> columns_;
  std::vector<double> cells_;
};

}  // namespace stealbench::spmv
