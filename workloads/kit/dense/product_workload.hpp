// What the products of square matrices have in common as workloads.
#pragma once

#include <cstddef>
#include <cstdint>

#include <nlohmann/json_fwd.hpp>

#include "workloads/kit/dense/matrix.hpp"

namespace stealbench::dense {

struct product_input {
  product_input(std::size_t side, std::size_t leaf_side)
      : leaf(leaf_side), a(side), b(side), c(side) {}

  std::size_t leaf;
  matrix a;
  matrix b;
  matrix c;  ///< The product; zero before a run.
};

/// Both factors of whole numbers that follow from the seed.
void fill_factors(product_input& in, std::uint64_t seed);

/// The entry of a product in the catalogue, but for its description and its programs.
struct product_workload {
  using input = product_input;
  struct output {};

  static void reset(product_input& in) { fill(in.c.all(), 0); }
  static nlohmann::ordered_json answer(const product_input& in, const output& /*unused*/);
};

}  // namespace stealbench::dense
