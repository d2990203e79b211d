#include "workloads/cholesky/cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "workloads/memory.hpp"
#include "workloads/random.hpp"

namespace stealbench::cholesky {

void fill_definite(block a, std::uint64_t seed) {
  dense::fill_with_fractions(a, seed);
  for (std::size_t i = 0; i < a.rows; ++i) a.at(i, i) += static_cast<double>(a.rows);
}

double residual(const_block factor, std::uint64_t seed) {
  const std::size_t n = factor.rows;
  const auto size = static_cast<double>(n);
  workloads::random_stream cells(seed);
  workloads::random_stream components(~seed);
  std::vector<double> x(n);
  for (double& each : x) each = 2 * components.fraction() - 1;
  std::vector<double> difference(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double* row = factor.row(i);
    double ux = 0;
    for (std::size_t j = i; j < n; ++j) ux += row[j] * x[j];
    for (std::size_t j = i; j < n; ++j) difference[j] += row[j] * ux;
    // Row i of fill_definite; what is below the diagonal is drawn, too, and has no meaning.
    for (std::size_t j = 0; j < n; ++j) {
      const double cell = 2 * cells.fraction() - 1;
      if (j == i) difference[i] -= (cell + size) * x[i];
      if (j <= i) continue;
      difference[i] -= cell * x[j];
      difference[j] -= cell * x[i];
    }
  }
  double greatest = 0;
  for (const double each : difference) {
    // Not std::max, which would drop a NaN.
    if (!(std::abs(each) <= greatest)) greatest = std::abs(each);
  }
  return greatest / (4 * size * size * std::numeric_limits<double>::epsilon());
}

workloads::description workload::describe() {
  using workloads::integer_domain;
  return {
      .name = "cholesky",
      .summary = "Cholesky factorisation of a dense matrix by divide and conquer",
      .about = {.family = "recursive",
                .shape = "`fork_join` in solves and symmetric products, between steps in order",
                .tasks = "about m³ ⁄ 14 for m³ ⁄ 6 leaves; m = n ⁄ leaf, up to a power of two",
                .work = "Θ(n³)",
                .span = "Θ(m lg² m) leaves with m = n ⁄ leaf",
                .bound_by = "compute",
                .answer = "the factor; equal to the reference, bit for bit, and the residual",
                .source = "Frigo, Leiserson & Randall, PLDI 1998 (there sparse); Golub & Van Loan, "
                          "Matrix Computations, section 4.2"},
      .parameters =
          {{"n", "rows and columns, any number; 8 n² bytes of memory, 16 n² while it is verified",
            integer_domain{.least = 1, .most = 1 << 17, .standard = 4096}},
           {"leaf", "longest side of a block that is computed without a fork",
            integer_domain{.least = 16, .most = 1 << 17, .standard = 64}},
           {"seed", "seed of the cells",
            integer_domain{.least = 0, .most = ~std::uint64_t{0}, .standard = 1}}},
      .sizes = {{"test", {{{"n", "128"}, {"leaf", "16"}}, {{"n", "100"}, {"leaf", "16"}}}},
                {"small", {{{"n", "768"}}}},
                {"standard", {{{"n", "4096"}}}},
                {"large", {{{"n", "10240"}}}}}};
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
    fill_definite(expected.all(), in.seed);
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

}  // namespace stealbench::cholesky
