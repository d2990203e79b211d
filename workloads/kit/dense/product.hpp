// The leaf of every dense workload: a small product of matrices, and the check of a large one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "workloads/kit/dense/block.hpp"

namespace stealbench::dense {

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
