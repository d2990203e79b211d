#include "workloads/stress/nested_loops/nested_loops.hpp"

#include <algorithm>
#include <utility>

namespace stealbench::nested_loops {
namespace {

row_begins begins_of(skew how, std::uint64_t rows, std::uint64_t columns) {
  row_begins begins{0};
  begins.reserve(rows + 1);
  for (std::uint64_t row = 0; row < rows; ++row) {
    begins.push_back(begins.back() + row_length(how, row, rows, columns));
  }
  return begins;
}

}  // namespace

std::uint64_t row_length(skew how, std::uint64_t row, std::uint64_t rows, std::uint64_t columns) {
  constexpr std::uint64_t bits = 64;
  switch (how) {
    case skew::equal:
      return columns;
    case skew::linear:
      return std::max<std::uint64_t>(columns * (row + 1) / rows, 1);
    case skew::halving:
      return row < bits ? std::max<std::uint64_t>(columns >> row, 1) : 1;
  }
  return 1;
}

workload::input workload::prepare(const kit::parameters& chosen) {
  const std::uint64_t rows = chosen.integer("rows");
  const std::uint64_t columns = chosen.integer("columns");
  const skew how = chosen.choice_as<skew>("skew");
  // As if all rows were the longest one, but where that is far from true.
  const auto bytes_of = [=](std::uint64_t longest) {
    const std::uint64_t all = how == skew::halving ? 2 * longest + rows : rows * longest;
    return kit::receipts::bytes_for(all) + (rows + 1) * sizeof(std::uint64_t);
  };
  kit::require_memory("columns", columns, bytes_of);
  row_begins begins = begins_of(how, rows, columns);
  kit::receipts done(begins.back(), chosen.integer("work"));
  return {.done = std::move(done), .begins = std::move(begins), .grain = chosen.integer("grain")};
}

std::uint64_t workload::fork_count(const input& in, const output& /*unused*/) {
  std::uint64_t pieces = kit::pieces_of_loop(in.begins.size() - 1, 1);
  for (std::size_t row = 0; row + 1 < in.begins.size(); ++row) {
    pieces += kit::pieces_of_loop(in.begins[row + 1] - in.begins[row], in.grain);
  }
  return pieces;
}

}  // namespace stealbench::nested_loops
