#include "workloads/recursive/matmul/matmul.hpp"

#include <algorithm>

namespace stealbench::matmul {

product_halves::product_halves(const product& whole) : first(whole), second(whole) {
  const auto& [c, a, b] = whole;
  are_independent = c.rows >= b.rows || c.columns >= b.rows;
  if (c.rows >= c.columns && c.rows >= b.rows) {
    const std::size_t half = middle_of(c.rows);
    first = {c.top(half), a.top(half), b};
    second = {c.below(half), a.below(half), b};
  } else if (c.columns >= b.rows) {
    const std::size_t half = middle_of(c.columns);
    first = {c.left(half), a, b.left(half)};
    second = {c.right_of(half), a, b.right_of(half)};
  } else {
    const std::size_t half = middle_of(b.rows);
    first = {c, a.left(half), b.top(half)};
    second = {c, a.right_of(half), b.below(half)};
  }
}

workload::input workload::prepare(const kit::parameters& chosen) {
  const std::uint64_t n = chosen.integer("n");
  kit::require_memory("n", n, [](std::uint64_t side) {
    constexpr std::uint64_t matrices = 3;
    return matrices * dense::matrix::bytes(side);
  });
  input in{{n, chosen.integer("leaf")}, chosen.choice_as<cells>("input")};
  if (in.kind == cells::ones) {
    dense::fill(in.a.all(), 1);
    dense::fill(in.b.all(), 1);
  } else {
    dense::fill_factors(in, chosen.integer("seed"));
  }
  return in;
}

void workload::corrupt(input& in, output& /*unused*/) {
  const std::size_t side = std::min(in.leaf, in.c.side());
  const auto corner = [=](auto matrix) { return matrix.top(side).left(side); };
  dense::add_product(corner(in.c.all()), corner(in.a.all()), corner(in.b.all()), -1);
}

std::optional<bool> workload::verify(const input& in, const output& /*unused*/) {
  if (in.kind == cells::random) return dense::is_product(in.c.all(), in.a.all(), in.b.all());
  const auto n = static_cast<double>(in.c.side());
  return dense::all_of(in.c.all(), [=](double cell) { return cell == n; });
}

std::uint64_t workload::fork_count(const input& in, const output& /*unused*/) {
  return kit::forks_of([&](auto worker) {
    multiply(worker, dense::unwritten(in.c.all()), in.a.all(), in.b.all(), 1, in.leaf);
  });
}

}  // namespace stealbench::matmul
