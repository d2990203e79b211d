// The leaves of the factorisation. Compiled once and called by parallel and serial code alike, so
// that both round in the same order.
#pragma once

#include <cstdint>

#include "workloads/kit/dense/block.hpp"

namespace stealbench::cholesky {

using dense::block;
using dense::const_block;

/// Replaces the upper triangle of a by U with UᵀU = a. What is below the diagonal is not read.
void factor_leaf(block a);

/// b <- L⁻¹ b, with L on and below the diagonal of l: Uᵀ, as a transposed view.
void solve_leaf(const_block l, block b);

// Their units of work, as those of lu; the products, of which the first factor is transposed, take
// less time here.
[[nodiscard]] std::uint64_t units_of_factor(const_block a);
[[nodiscard]] std::uint64_t units_of_solve(const_block b);

}  // namespace stealbench::cholesky
