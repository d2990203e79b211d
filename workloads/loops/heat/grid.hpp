// A plate with edges that are kept at zero, and one row of a Jacobi step on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stealbench::heat {

/// n x n inner cells inside a frame of zeros. Inner rows and columns count from 1 to n.
class grid {
 public:
  explicit grid(std::size_t n);

  [[nodiscard]] std::size_t n() const { return n_; }
  [[nodiscard]] double* row(std::size_t i) { return cells_.data() + i * stride_; }
  [[nodiscard]] const double* row(std::size_t i) const { return cells_.data() + i * stride_; }

  /// Writes the product of one half wave along the rows and one along the columns: the plate's
  /// slowest mode, of which each Jacobi step leaves the `decay`-th part and nothing else.
  void fill_with_slowest_mode();

  /// A hash of every bit of every inner cell.
  [[nodiscard]] std::uint64_t fingerprint() const;

 private:
  std::size_t n_;
  std::size_t stride_;
  std::vector<double> cells_;
};

/// What a Jacobi step leaves of the slowest mode of an n x n plate: cos(π / (n + 1)).
[[nodiscard]] double decay(std::size_t n);

/// Row i of `to` after one Jacobi step from `from`: each cell the mean of its four neighbours.
/// Requires: 1 <= i <= n; grids of the same size.
void relax_row(const grid& from, grid& to, std::size_t i);

}  // namespace stealbench::heat
