// The leaf of every dense workload: a small product of matrices, and the check of a large one. And
// what the products of square matrices have in common as workloads.
#pragma once

#include <cstddef>
#include <cstdint>

#include <nlohmann/json_fwd.hpp>

#include "workloads/kit/dense/block.hpp"
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

/// c += scale · a · b, for blocks that fit the cache. Scales of 1 and -1 are exact. Compiled once
/// and called by parallel and serial code alike, so that both round in the same order. Requires:
/// sizes that match; b and c not transposed; no overlap of c with a or b.
void add_product(block c, const_block a, const_block b, double scale = 1);

/// The multiplications and additions of that product, each of those that are made cell by cell, at
/// the edges of sizes that are no multiples of 8 rows and 16 columns, counted as 12, which take as
/// long (g++ 12 -O3 -march=native, AMD EPYC).
[[nodiscard]] std::uint64_t units_of_product(const_block c, std::size_t depth);

/// Whether c is a · b exactly, for matrices of whole numbers below 2^53: Freivalds' check, with
/// arithmetic modulo 2^64 and hence without a tolerance. Compares both sides on a vector of random
/// 64-bit numbers, O(n^2). A row whose errors are all multiples of 2^t, but not of 2^(t + 1),
/// passes with a chance of 2^(t - 64).
[[nodiscard]] bool is_product(const_block c, const_block a, const_block b);

}  // namespace stealbench::dense
