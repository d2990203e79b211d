// The leaves of the factorisation. Compiled once and called by parallel and serial code alike, so
// that both round in the same order.
#pragma once

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

}  // namespace stealbench::lu
