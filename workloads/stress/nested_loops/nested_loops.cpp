#include "workloads/stress/nested_loops/nested_loops.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "workloads/kit/memory.hpp"

namespace stealbench::nested_loops {
namespace {

skew skew_of(const std::string& word) {
  if (word == "equal") return skew::equal;
  return word == "linear" ? skew::linear : skew::halving;
}

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
  using kit::integer_domain;
  return {
      .name = "nested_loops",
      .summary = "a loop inside a loop: few rows of uneven length",
      .about = {.shape = "`parallel_for` inside `parallel_for`; uneven inner loops",
                .tasks = "at most rows + all columns ⁄ grain",
                .work = "Θ(all columns × work)",
                .span = "Θ(log rows + log columns + grain × work)",
                .bound_by = "compute; splitting the inner loops",
                .answer = "whether every column of every row ran once",
                .source = "nested data parallelism: Blelloch, CACM 1996",
                .unit = "dependent step"},
      .parameters =
          {{"rows", "number of rows, the indices of the outer loop",
            integer_domain{.least = 1, .most = 1 << 20, .standard = 64}},
           {"columns",
            "columns of the longest row, in digits or as 2^17; 8 bytes of memory for each",
            integer_domain{.least = 1, .most = std::uint64_t{1} << 32, .standard = 1 << 17}},
           {"skew",
            "lengths of the rows. equal; linear: from columns / rows to columns; halving: each row "
            "is half as long as the previous one",
            kit::choice_domain{.words = {"equal", "linear", "halving"}, .standard = "linear"}},
           {"grain", "least number of columns in a piece of an inner loop",
            integer_domain{.least = 1, .most = std::uint64_t{1} << 32, .standard = 64}},
           {"work", "work of a column [steps of about 1 ns]",
            integer_domain{.least = 0, .most = 1'000'000'000, .standard = 100}}},
      .grain = kit::granularity{.parameter = "grain", .least = 1, .bounded_by = "columns"},
      .sizes = {{"test",
                 {{{"rows", "8"}, {"columns", "500"}, {"work", "10"}},
                  {{"rows", "12"}, {"columns", "700"}, {"skew", "halving"}, {"grain", "3"}},
                  {{"rows", "5"}, {"columns", "90"}, {"skew", "equal"}, {"grain", "1"}}}},
                {"small", {{{"columns", "2^12"}}}},
                {"standard", {{{"columns", "2^17"}}, {{"columns", "2^21"}, {"skew", "halving"}}}},
                {"large", {{{"columns", "2^20"}, {"work", "250"}}}}}};
}

workload::input workload::prepare(const kit::parameters& chosen) {
  const std::uint64_t rows = chosen.integer("rows");
  const std::uint64_t columns = chosen.integer("columns");
  const skew how = skew_of(chosen.choice("skew"));
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

workload::output workload::sequential(input& in) {
  for (std::size_t row = 0; row + 1 < in.begins.size(); ++row) {
    for (std::size_t column = in.begins[row]; column < in.begins[row + 1]; ++column) {
      in.done.perform(column);
    }
  }
  return {};
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
