#include "workloads/recursive/strassen/strassen.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "workloads/kit/memory.hpp"

namespace stealbench::strassen {
namespace {

void plain_make(const operand& of) {
  if (!of.is_sum()) return;
  for (std::size_t i = 0; i < of.room.rows; ++i) of.add_row(i);
}

/// Three matrices, and a node for every level of one worker's recursion: each has a quarter of the
/// one above.
std::uint64_t bytes_of(std::uint64_t n) {
  constexpr std::uint64_t matrices = 3;
  std::uint64_t bytes = matrices * dense::matrix::bytes(n);
  for (std::uint64_t side = n; side > 1; side /= 2) bytes += node::bytes(side);
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

// NOLINTNEXTLINE(misc-no-recursion): the definition
void plain_multiply(block c, const_block a, const_block b, std::size_t leaf) {
  if (c.rows <= leaf) {
    dense::fill(c, 0);
    dense::add_product(c, a, b);
    return;
  }
  const node step(c, a, b);
  for (std::size_t index = 0; index < node::product_count; ++index) {
    const product& part = step.part(index);
    plain_make(part.left);
    plain_make(part.right);
    plain_multiply(part.to, part.left.value(), part.right.value(), leaf);
  }
  for (std::size_t i = 0; i < step.half(); ++i) step.combine_row(i);
}

kit::description workload::describe() {
  return kit::described(R"(
strassen: Strassen's product of square matrices of doubles
shape: `task_group` of seven products, each of which computes its own operands; loops of sums
tasks: about 3 × 7^lg(n ⁄ leaf), for 7^lg(n ⁄ leaf) leaves
work: Θ(n^2.81)
span: Θ(lg²(n ⁄ leaf)) leaf products
bound by: memory and compute
answer: the product; Freivalds' check in exact integers
source: Strassen, Numer. Math. 13, 1969; BOTS: Duran et al., ICPP 2009
n=2^11 (1 to 2^16): rows and columns, a power of two; 59 n² bytes of memory on one worker, about 9
    n² more for each further worker
leaf=128 (16 to 2^16): greatest side of a product that is computed by the standard algorithm, a
    power of two
seed=1 (any): seed of the elements, integers in [-512, 511]
sizes: n=128 leaf=16 | n=512 leaf=64 | n=2048 | n=8192
)",
                        kit::granularity{.parameter = "leaf", .least = 16, .bounded_by = "n"});
}

workload::input workload::prepare(const kit::parameters& chosen) {
  const std::uint64_t n = chosen.integer("n");
  for (const char* const key : {"n", "leaf"}) kit::require_power_of_two(chosen, key);
  kit::require_memory("n", n, bytes_of);
  input in(n, chosen.integer("leaf"));
  dense::fill_factors(in, chosen.integer("seed"));
  return in;
}

workload::output workload::sequential(input& in) {
  plain_multiply(in.c.all(), in.a.all(), in.b.all(), in.leaf);
  return {};
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
