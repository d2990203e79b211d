// Products of a sparse matrix with a vector, one after the other, by parallel loops over the rows.
// A few rows hold as much as thousands of others, so equal shares of rows are unequal shares of
// work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "workloads/workload.hpp"

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

struct workload {
  struct input {
    std::size_t products;
    std::size_t grain;
    sparse_matrix matrix;
    std::vector<double> even;  ///< The vector at first and after every second product.
    std::vector<double> odd;
    /// Computed by the first `verify`.
    mutable std::optional<std::uint64_t> fingerprint_of_reference;

    [[nodiscard]] std::vector<double>& after(std::size_t product) {
      return product % 2 == 0 ? even : odd;
    }
    [[nodiscard]] const std::vector<double>& after(std::size_t product) const {
      return product % 2 == 0 ? even : odd;
    }
  };
  struct output {};

  static kit::description describe() { return kit::description_of("spmv"); }
  /// Throws kit::bad_input where the longest row is shorter than the shortest.
  static input prepare(const kit::parameters& chosen);
  /// The first vector is all ones; a lost row must not find an earlier run's component.
  static void reset(input& in);

  /// Work Θ(products · cells); span Θ(products · (lg rows + grain · the longest row)).
  template <class Worker>
  static output run(Worker worker, input& in) {
    const sparse_matrix& matrix = in.matrix;
    for (std::size_t product = 0; product < in.products; ++product) {
      const std::vector<double>& x = in.after(product);
      std::vector<double>& y = in.after(product + 1);
      worker->parallel_for(0, matrix.rows(), in.grain, [&matrix, &x, &y](Worker, std::size_t row) {
        y[row] = matrix.row_product(row, x);
      });
    }
    return {};
  }

  static output sequential(input& in);
  /// Loses the last product's longest row, in favour of the product before.
  static void corrupt(input& in, output& out);
  /// Equal to the sequential version bit for bit, since each row is summed in its own order. The
  /// first call runs the sequential version, with two more vectors. Throws kit::bad_input where its
  /// last one is out of the range of doubles.
  static std::optional<bool> verify(const input& in, const output& out);
  static nlohmann::ordered_json answer(const input& in, const output& out);
  static std::uint64_t fork_count(const input& in, const output& /*unused*/) {
    return in.products * kit::pieces_of_loop(in.matrix.rows(), in.grain);
  }
};

}  // namespace stealbench::spmv
