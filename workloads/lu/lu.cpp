#include "workloads/lu/lu.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "workloads/memory.hpp"
#include "workloads/random.hpp"

namespace stealbench::lu {
namespace {

using vector = std::vector<double>;

double scalar_product(const double* x, const vector& y, std::size_t first, std::size_t last) {
  double sum = 0;
  for (std::size_t j = first; j < last; ++j) sum += x[j] * y[j];
  return sum;
}

}  // namespace

void fill_dominant(block a, std::uint64_t seed) {
  dense::fill_with_fractions(a, seed);
  for (std::size_t i = 0; i < a.rows; ++i) a.at(i, i) += static_cast<double>(a.rows);
}

double residual(const_block factors, std::uint64_t seed) {
  const std::size_t n = factors.rows;
  workloads::random_stream cells(seed);
  workloads::random_stream components(~seed);
  vector x(n);
  for (double& each : x) each = 2 * components.fraction() - 1;
  vector ux(n);
  for (std::size_t i = 0; i < n; ++i) ux[i] = scalar_product(factors.row(i), x, i, n);
  double greatest = 0;
  vector row(n);
  for (std::size_t i = 0; i < n; ++i) {
    // The rows of fill_dominant, one at a time.
    for (double& cell : row) cell = 2 * cells.fraction() - 1;
    row[i] += static_cast<double>(n);
    const double lux = ux[i] + scalar_product(factors.row(i), ux, 0, i);
    const double difference = std::abs(lux - scalar_product(row.data(), x, 0, n));
    // Not std::max, which would drop a NaN.
    if (!(difference <= greatest)) greatest = difference;
  }
  const auto size = static_cast<double>(n);
  return greatest / (4 * size * size * std::numeric_limits<double>::epsilon());
}

workloads::description workload::describe() {
  using workloads::integer_domain;
  return {
      .name = "lu",
      .summary = "LU factorisation of a dense matrix by divide and conquer, without pivoting",
      .about = {.family = "recursive",
                .shape =
                    "`fork_join` in solves and products, between steps that follow one another",
                .tasks = "about m³ ⁄ 7 for m³ ⁄ 3 leaves; m = n ⁄ leaf, up to a power of two",
                .work = "Θ(n³)",
                .span = "Θ(m lg² m) leaves with m = n ⁄ leaf",
                .bound_by = "compute",
                .answer = "the factors; equal to the reference, bit for bit, and the residual",
                .source = "Frigo, Leiserson & Randall, PLDI 1998"},
      .parameters =
          {{"n", "rows and columns, any number; 8 n² bytes of memory, 16 n² while it is verified",
            integer_domain{.least = 1, .most = 1 << 17, .standard = 3072}},
           {"leaf", "longest side of a block that is computed without a fork",
            integer_domain{.least = 16, .most = 1 << 17, .standard = 64}},
           {"seed", "seed of the cells",
            integer_domain{.least = 0, .most = ~std::uint64_t{0}, .standard = 1}}},
      .sizes = {{"test", {{{"n", "128"}, {"leaf", "16"}}, {{"n", "100"}, {"leaf", "16"}}}},
                {"small", {{{"n", "768"}}}},
                {"standard", {{{"n", "3072"}}}},
                {"large", {{{"n", "8192"}}}}}};
}

workload::input workload::prepare(const workloads::parameters& chosen) {
  const std::uint64_t n = chosen.integer("n");
  workloads::require_memory("n", n, [](std::uint64_t side) {
    constexpr std::uint64_t matrices = 2;
    return matrices * dense::matrix::bytes(side);
  });
  input in{.leaf = chosen.integer("leaf"),
           .seed = chosen.integer("seed"),
           .a = dense::matrix(n),
           .fingerprint_of_reference = std::nullopt};
  reset(in);
  return in;
}

workload::output workload::reference(input& in) {
  plain_factor(in.a.all(), in.leaf);
  return {};
}

void workload::spoil(input& in, output& /*unused*/) {
  const block a = in.a.all();
  const std::size_t done = a.rows - std::min(in.leaf, a.rows);
  factor_leaf(a.below(done).right_of(done));
}

std::optional<bool> workload::verify(const input& in, const output& /*unused*/) {
  if (!in.fingerprint_of_reference) {
    dense::matrix expected(in.a.side());
    fill_dominant(expected.all(), in.seed);
    plain_factor(expected.all(), in.leaf);
    in.fingerprint_of_reference = dense::fingerprint(expected.all());
  }
  return dense::fingerprint(in.a.all()) == *in.fingerprint_of_reference &&
         residual(in.a.all(), in.seed) <= 1;
}

nlohmann::ordered_json workload::answer(const input& in, const output& /*unused*/) {
  return {{"residual", residual(in.a.all(), in.seed)},
          {"fingerprint", fmt::format("{:016x}", dense::fingerprint(in.a.all()))}};
}

std::uint64_t workload::fork_count(const input& in, const output& /*unused*/) {
  return forks_of_factor(in.a.side(), in.leaf);
}

}  // namespace stealbench::lu
