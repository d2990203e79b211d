#include "workloads/recursive/cholesky/cholesky.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "workloads/kit/random.hpp"

namespace stealbench::cholesky {

double residual(const_block factor, std::uint64_t seed) {
  const std::size_t n = factor.rows;
  const auto size = static_cast<double>(n);
  kit::random_stream cells(seed);
  kit::random_stream components(~seed);
  std::vector<double> x(n);
  for (double& each : x) each = 2 * components.fraction() - 1;
  std::vector<double> difference(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double* row = factor.row(i);
    double ux = 0;
    for (std::size_t j = i; j < n; ++j) ux += row[j] * x[j];
    for (std::size_t j = i; j < n; ++j) difference[j] += row[j] * ux;
    // Row i of dense::fill_dominant; what is below the diagonal is drawn, too, and has no meaning.
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

kit::description workload::describe() {
  return kit::described(R"(
cholesky: Cholesky factorisation of a dense matrix by divide and conquer
shape: sequential steps; `fork_join` within each triangular solve and symmetric product
tasks: about m³ ⁄ 14, for m³ ⁄ 6 leaves; m = n ⁄ leaf, rounded up to a power of two
work: Θ(n³)
span: Θ(m lg² m) block operations
bound by: compute
answer: the factor; bit for bit equal to the sequential version, and a small residual
source: Frigo, Leiserson & Randall, PLDI 1998 (there sparse); Golub & Van Loan, Matrix Computations,
    section 4.2
unit: multiplication and addition of a product
n=2^12 (1 to 2^17): rows and columns, any number; 8 n² bytes of memory, 16 n² while it is verified
leaf=64 (16 to 2^17): greatest side of a block that is computed without a fork
seed=1 (any): seed of the elements
sizes: n=128 leaf=16; n=100 leaf=16 | n=768 | n=4096 | n=10240
)",
                        kit::granularity{.parameter = "leaf", .least = 16, .bounded_by = "n"});
}

}  // namespace stealbench::cholesky
