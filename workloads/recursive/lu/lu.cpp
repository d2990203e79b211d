#include "workloads/recursive/lu/lu.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "workloads/kit/random.hpp"

namespace stealbench::lu {
namespace {

using vector = std::vector<double>;

double scalar_product(const double* x, const vector& y, std::size_t first, std::size_t last) {
  double sum = 0;
  for (std::size_t j = first; j < last; ++j) sum += x[j] * y[j];
  return sum;
}

}  // namespace

double residual(const_block factors, std::uint64_t seed) {
  const std::size_t n = factors.rows;
  kit::random_stream cells(seed);
  kit::random_stream components(~seed);
  vector x(n);
  for (double& each : x) each = 2 * components.fraction() - 1;
  vector ux(n);
  for (std::size_t i = 0; i < n; ++i) ux[i] = scalar_product(factors.row(i), x, i, n);
  double greatest = 0;
  vector row(n);
  for (std::size_t i = 0; i < n; ++i) {
    // The rows of dense::fill_dominant, one at a time.
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

kit::description workload::describe() {
  return kit::described(R"(
lu: LU factorisation of a dense matrix by divide and conquer, without pivoting
shape: sequential steps; `fork_join` within each triangular solve and product
tasks: about m³ ⁄ 7, for m³ ⁄ 3 leaves; m = n ⁄ leaf, rounded up to a power of two
work: Θ(n³)
span: Θ(m lg² m) block operations
bound by: compute
answer: the factors; bit for bit equal to the sequential version, and a small residual
source: Frigo, Leiserson & Randall, PLDI 1998
unit: multiplication and addition of a product
n=3072 (1 to 2^17): rows and columns, any number; 8 n² bytes of memory, 16 n² while it is verified
leaf=64 (16 to 2^17): greatest side of a block that is computed without a fork
seed=1 (any): seed of the elements
sizes: n=128 leaf=16; n=100 leaf=16 | n=768 | n=3072 | n=8192
)",
                        kit::granularity{.parameter = "leaf", .least = 16, .bounded_by = "n"});
}

}  // namespace stealbench::lu
