// The leaves of the factorisation. Compiled once and called by parallel and serial code alike, so
// that both round in the same order.
#pragma once

#include <cstdint>

#include "workloads/kit/dense/block.hpp"

namespace stealbench::lu {

using dense::block;
using dense::const_block;

/// Replaces a by its factors: below the diagonal L, whose diagonal is one, and from it on U.
void factor_leaf(block a);

/// b <- L⁻¹ b, with L below the diagonal of l.
void solve_lower_leaf(const_block l, block b);

/// b <- b U⁻¹, with U on and above the diagonal of u.
void solve_upper_leaf(const_block u, block b);

// Their units of work: the multiplications and additions that a product makes in the time that they
// take. They run along rows, and so pay something for each row, and divide. Fitted to blocks with
// sides of 16 to 128 cells (g++ 12 -O3 -march=native, AMD EPYC).
[[nodiscard]] std::uint64_t units_of_factor(const_block a);
[[nodiscard]] std::uint64_t units_of_solve_lower(const_block b);
[[nodiscard]] std::uint64_t units_of_solve_upper(const_block b);

}  // namespace stealbench::lu
