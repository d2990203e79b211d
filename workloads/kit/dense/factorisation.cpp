#include "workloads/kit/dense/factorisation.hpp"

#include "workloads/kit/memory.hpp"

namespace stealbench::dense {

std::vector<kit::parameter> factorisation_parameters(std::uint64_t standard_side) {
  using kit::integer_domain;
  return {{"n", "rows and columns, any number; 8 n² bytes of memory, 16 n² while it is verified",
           integer_domain{.least = 1, .most = 1 << 17, .standard = standard_side}},
          {"leaf", "greatest side of a block that is computed without a fork",
           integer_domain{.least = 16, .most = 1 << 17, .standard = 64}},
          {"seed", "seed of the elements",
           integer_domain{.least = 0, .most = ~std::uint64_t{0}, .standard = 1}}};
}

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
