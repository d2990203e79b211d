// A matrix of doubles that owns its cells, and the inputs that the dense workloads have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workloads/kit/dense/block.hpp"

namespace stealbench::dense {

/// Square, by rows, zero at first. Rows lie an odd number of cache lines apart: in a matrix whose
/// side is a power of two the rows of a small block would all fall into the same few sets of the
/// cache.
class matrix {
 public:
  explicit matrix(std::size_t side);

  [[nodiscard]] std::size_t side() const { return side_; }
  [[nodiscard]] block all() { return {cells_.data(), side_, side_, stride_}; }
  [[nodiscard]] const_block all() const { return {cells_.data(), side_, side_, stride_}; }

  /// Memory of a matrix of that side.
  [[nodiscard]] static std::uint64_t bytes(std::uint64_t side);

 private:
  std::size_t side_;
  std::size_t stride_;
  std::vector<double> cells_;
};

/// Writes the same value to every cell.
void fill(block to, double value);

/// Writes whole numbers in [-512, 511] that follow from the seed. Their products and sums are exact
/// in doubles, whatever their order, as long as fewer than 2^34 of them meet.
void fill_with_whole_numbers(block to, std::uint64_t seed);

/// Writes numbers in [-1, 1) that follow from the seed, and as much as there are rows more on the
/// diagonal: a matrix that needs no pivoting, and whose upper triangle is that of a symmetric one
/// that is positive definite. Equal seeds give equal cells.
void fill_dominant(block to, std::uint64_t seed);

/// A hash of every bit of every cell and its place: equal for blocks that are equal bit for bit,
/// for others with a chance of 2^-64.
[[nodiscard]] std::uint64_t fingerprint(const_block values);

}  // namespace stealbench::dense
