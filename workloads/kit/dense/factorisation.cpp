#include "workloads/kit/dense/factorisation.hpp"

#include "workloads/kit/memory.hpp"

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

}  // namespace stealbench::dense
