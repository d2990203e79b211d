#include "workloads/recursive/strassen/strassen.hpp"

#include <algorithm>

namespace stealbench::strassen {
namespace {

constexpr std::size_t blocks_allocated = node::sum_count + 3;

// An odd number of cache lines: see dense::matrix.
constexpr std::size_t stride_of(std::size_t half) { return half + 8; }

constexpr std::size_t cells_of(std::size_t half) { return half * stride_of(half); }

/// Three matrices, and a node for every level of one worker's recursion down to the leaf: each has
/// a quarter of the one above.
std::uint64_t bytes_of(std::uint64_t n, std::uint64_t leaf) {
  constexpr std::uint64_t matrices = 3;
  std::uint64_t bytes = matrices * dense::matrix::bytes(n);
  for (std::uint64_t side = n; side > leaf; side /= 2) bytes += node::bytes(side);
  return bytes;
}

// NOLINTNEXTLINE(misc-no-recursion): follows the recursion of `multiply`
std::uint64_t forks_of(std::uint64_t side, std::uint64_t leaf) {
  if (side <= leaf) return 0;
  constexpr std::uint64_t loops = node::sum_count + 1;
  const std::uint64_t half = side / 2;
  return node::product_count * (1 + forks_of(half, leaf)) + loops * kit::pieces_of_loop(half, leaf);
}

}  // namespace

void operand::add_row(std::size_t i) const {
  double* __restrict to = room.row(i);
  const double* x = first.row(i);
  const double* y = second.row(i);
  for (std::size_t j = 0; j < room.columns; ++j) to[j] = x[j] + sign * y[j];
}

std::size_t node::bytes(std::size_t side) {
  return blocks_allocated * cells_of(side / 2) * sizeof(double);
}

node::node(block c, const_block a, const_block b)
    : half_(c.rows / 2),
      room_(std::make_unique_for_overwrite<double[]>(blocks_allocated * cells_of(half_))),
      products_{} {
  double* next = room_.get();
  const auto take = [&] {
    const block taken{next, half_, half_, stride_of(half_)};
    next += cells_of(half_);
    return taken;
  };
  const auto just = [](const_block q) { return operand{q, q, 0, {}}; };
  const auto plus = [&](const_block x, const_block y) { return operand{x, y, 1, take()}; };
  const auto minus = [&](const_block x, const_block y) { return operand{x, y, -1, take()}; };
  const dense::quarters<block> to(c, half_);
  const dense::quarters<const_block> l(a, half_);
  const dense::quarters<const_block> r(b, half_);
  products_ = {{{take(), plus(l.a11, l.a22), plus(r.a11, r.a22)},
                {to.a21, plus(l.a21, l.a22), just(r.a11)},
                {to.a12, just(l.a11), minus(r.a12, r.a22)},
                {take(), just(l.a22), minus(r.a21, r.a11)},
                {take(), plus(l.a11, l.a12), just(r.a22)},
                {to.a22, minus(l.a21, l.a11), plus(r.a11, r.a12)},
                {to.a11, minus(l.a12, l.a22), plus(r.a21, r.a22)}}};
}

void node::combine_row(std::size_t i) const {
  const auto row = [&](std::size_t index) { return products_[index].to.row(i); };
  // By the numbers of Strassen's paper, as the destinations above say.
  const double* m1 = row(0);
  double* __restrict c21 = row(1);  // holds product 2
  double* __restrict c12 = row(2);  // holds product 3
  const double* m4 = row(3);
  const double* m5 = row(4);
  double* __restrict c22 = row(5);  // holds product 6
  double* __restrict c11 = row(6);  // holds product 7
  for (std::size_t j = 0; j < half_; ++j) {
    const double m2 = c21[j];
    const double m3 = c12[j];
    c11[j] += m1[j] + m4[j] - m5[j];
    c12[j] = m3 + m5[j];
    c21[j] = m2 + m4[j];
    c22[j] += m1[j] - m2 + m3;
  }
}

workload::input workload::prepare(const kit::parameters& chosen) {
  const std::uint64_t n = chosen.integer("n");
  for (const char* const key : {"n", "leaf"}) kit::require_power_of_two(chosen, key);
  const std::uint64_t leaf = chosen.integer("leaf");
  kit::require_memory("n", n, [=](std::uint64_t side) { return bytes_of(side, leaf); });
  input in(n, leaf);
  dense::fill_factors(in, chosen.integer("seed"));
  return in;
}

void workload::corrupt(input& in, output& /*unused*/) {
  const std::size_t side = std::min(in.leaf, in.c.side());
  dense::fill(in.c.all().top(side).left(side), 0);
}

std::optional<bool> workload::verify(const input& in, const output& /*unused*/) {
  return dense::is_product(in.c.all(), in.a.all(), in.b.all());
}

std::uint64_t workload::fork_count(const input& in, const output& /*unused*/) {
  return forks_of(in.c.side(), in.leaf);
}

}  // namespace stealbench::strassen
