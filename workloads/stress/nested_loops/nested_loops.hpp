// A loop inside a loop: few rows of uneven length. The outer loop alone has too few pieces, and too
// uneven ones; only who cuts the inner loops as well keeps all workers busy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workloads/kit/receipts.hpp"
#include "workloads/workload.hpp"

namespace stealbench::nested_loops {

/// How the lengths of the rows differ: not at all; growing by equal steps up to the longest; or
/// each half as long as the one before it, so that the first is as long as all others together.
enum class skew : std::uint8_t { equal, linear, halving };

/// The length of a row: at most `columns`, at least 1. Requires: row < rows, rows * columns < 2^64.
[[nodiscard]] std::uint64_t row_length(skew how, std::uint64_t row, std::uint64_t rows,
                                       std::uint64_t columns);

/// Where each row begins among all columns, and one more for the end of the last.
using row_begins = std::vector<std::uint64_t>;

/// Performs the task of every column of every row. Work O(columns of all rows); span O(log rows +
/// log of the longest row) and the grain's own work.
template <class Worker>
void visit_all(Worker worker, kit::receipts& done, const row_begins& begins, std::size_t grain) {
  worker->parallel_for(std::size_t{0}, begins.size() - 1, std::size_t{1},
                       [&, grain](Worker in_row, std::size_t row) {
                         in_row->parallel_for(
                             begins[row], begins[row + 1], grain,
                             [&done](Worker w, std::size_t column) { done.perform(w, column); });
                       });
}

struct workload : kit::with_receipts {
  struct input {
    kit::receipts done;
    row_begins begins;
    std::size_t grain;
  };

  static kit::description describe() { return kit::description_of("nested_loops"); }
  static input prepare(const kit::parameters& chosen);

  template <class Worker>
  static output run(Worker worker, input& in) {
    visit_all(worker, in.done, in.begins, in.grain);
    return {};
  }

  static nlohmann::ordered_json answer(const input& in, const output& /*unused*/) {
    return {{"visited_once", in.done.ran_once()}};
  }

  /// The pieces of the outer loop, and of each inner one. O(rows).
  static std::uint64_t fork_count(const input& in, const output& out);
};

}  // namespace stealbench::nested_loops
