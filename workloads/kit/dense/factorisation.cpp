#include "workloads/kit/dense/factorisation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stealbench::dense {

factorisation_input prepare_factorisation(const kit::parameters& chosen) {
  const std::uint64_t n = chosen.integer("n");
  kit::require_memory("n", n, [](std::uint64_t side) {
    constexpr std::uint64_t matrices = 2;
    return matrices * matrix::bytes(side);
  });
  factorisation_input in{.leaf = chosen.integer("leaf"),
                         .seed = chosen.integer("seed"),
                         .a = matrix(n),
                         .fingerprint_of_reference = std::nullopt};
  fill_dominant(in.a.all(), in.seed);
  return in;
}

double in_roundings(std::span<const double> residual) {
  double greatest = 0;
  for (const double each : residual) {
    if (std::isnan(each)) return each;  // Which std::max would drop.
    greatest = std::max(greatest, std::abs(each));
  }
  const auto n = static_cast<double>(residual.size());
  return greatest / (4 * n * n * std::numeric_limits<double>::epsilon());
}

}  // namespace stealbench::dense
