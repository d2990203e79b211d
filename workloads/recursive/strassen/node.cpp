#include "workloads/recursive/strassen/node.hpp"

namespace stealbench::strassen {
namespace {

constexpr std::size_t blocks_allocated = node::sum_count + 3;

// An odd number of cache lines: see dense::matrix.
constexpr std::size_t stride_of(std::size_t half) { return half + 8; }

constexpr std::size_t cells_of(std::size_t half) { return half * stride_of(half); }

template <class Block>
struct quarters {
  Block q11;
  Block q12;
  Block q21;
  Block q22;

  quarters(Block of, std::size_t half)
      : q11(of.top(half).left(half)),
        q12(of.top(half).right_of(half)),
        q21(of.below(half).left(half)),
        q22(of.below(half).right_of(half)) {}
};

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
  const quarters<block> to(c, half_);
  const quarters<const_block> l(a, half_);
  const quarters<const_block> r(b, half_);
  products_ = {{{take(), plus(l.q11, l.q22), plus(r.q11, r.q22)},
                {to.q21, plus(l.q21, l.q22), just(r.q11)},
                {to.q12, just(l.q11), minus(r.q12, r.q22)},
                {take(), just(l.q22), minus(r.q21, r.q11)},
                {take(), plus(l.q11, l.q12), just(r.q22)},
                {to.q22, minus(l.q21, l.q11), plus(r.q11, r.q12)},
                {to.q11, minus(l.q12, l.q22), plus(r.q21, r.q22)}}};
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

}  // namespace stealbench::strassen
