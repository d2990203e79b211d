#include "workloads/stress/nested_loops/nested_loops.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "workloads/kit/memory.hpp"

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

kit::description workload::describe() {
  return kit::described(
      R"(
nested_loops: a loop inside a loop: few rows of uneven length
shape: `parallel_for` inside `parallel_for`; uneven inner loops
tasks: at most rows + all columns ⁄ grain
work: Θ(all columns × work)
span: Θ(log rows + log columns + grain × work)
bound by: compute; splitting the inner loops
answer: whether every column of every row ran once
source: nested data parallelism: Blelloch, CACM 1996
unit: dependent step
rows=64 (1 to 2^20): number of rows, the indices of the outer loop
columns=2^17 (1 to 2^32): columns of the longest row, in digits or as 2^17; 8 bytes of memory for
    each
skew=linear (equal | linear | halving): lengths of the rows. equal; linear: from columns / rows to
    columns; halving: each row is half as long as the previous one
grain=64 (1 to 2^32): least number of columns in a piece of an inner loop
work=100 (0 to 1000000000): work of a column [steps of about 1 ns]
sizes: rows=8 columns=500 work=10; rows=12 columns=700 skew=halving grain=3; rows=5 columns=90
    skew=equal grain=1 | columns=2^12 | columns=2^17; columns=2^21 skew=halving |
    columns=2^20 work=250
)",
      kit::granularity{.parameter = "grain", .least = 1, .bounded_by = "columns"});
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

nlohmann::ordered_json workload::answer(const input& in, const output& /*unused*/) {
  return {{"visited_once", in.done.ran_once()}};
}

}  // namespace stealbench::nested_loops
