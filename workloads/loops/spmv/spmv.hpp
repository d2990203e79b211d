// Products of a sparse matrix with a vector, one after the other, by parallel loops over the rows.
// A few rows hold as much as thousands of others, so equal shares of rows are unequal shares of
// work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workloads/loops/spmv/rows.hpp"
#include "workloads/workload.hpp"

namespace stealbench::spmv {

/// The catalogue's entry.
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

  static kit::description describe();
  /// Throws kit::bad_input where the longest row is shorter than the shortest.
  static input prepare(const kit::parameters& chosen);
  /// The first vector is all ones; a lost row must not find an earlier run's component.
  static void reset(input& in);

  /// Work Θ(products · cells); span Θ(products · (lg rows + grain · the longest row)).
  template <class Worker>
  static output run(Worker worker, input& in) {
    const sparse_matrix& matrix = in.matrix;
    for (std::size_t product = 0; product < in.products; ++product) {
      const std::vector<double>& from = in.after(product);
      std::vector<double>& to = in.after(product + 1);
      worker->parallel_for(0, matrix.rows(), in.grain,
                           [&matrix, &from, &to](Worker, std::size_t row) {
                             to[row] = matrix.row_product(row, from);
                           });
    }
    return {};
  }

  static output sequential(input& in);
  /// Loses the last product's longest row, in favour of the product before.
  static void corrupt(input& in, output& out);
  /// Equal to the sequential version bit for bit, since each row is summed in its own order. The
  /// first call runs the sequential version, with two more vectors.
  static std::optional<bool> verify(const input& in, const output& out);
  static nlohmann::ordered_json answer(const input& in, const output& out);
  static std::uint64_t fork_count(const input& in, const output& /*unused*/) {
    return in.products * kit::pieces_of_loop(in.matrix.rows(), in.grain);
  }
};

static_assert(workloads::workload<workload>);

}  // namespace stealbench::spmv
