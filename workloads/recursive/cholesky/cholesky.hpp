// Cholesky factorisation of a dense, symmetric, positive definite matrix by divide and conquer.
// Like lu with half the work and triangles for squares: less parallelism at the same n, and pieces
// of uneven size.
#pragma once

#include <cstddef>
#include <cstdint>

#include "workloads/kit/dense/factorisation.hpp"
#include "workloads/recursive/cholesky/factor.hpp"
#include "workloads/workload.hpp"

namespace stealbench::cholesky {

/// The greatest component of Uᵀ(Ux) - Ax for a random vector x with components in [-1, 1), where A
/// is what dense::fill_dominant makes of the seed, in units of what rounding may cause. That is n
/// machine epsilons of |Uᵀ||U||x|, which the diagonal's dominance keeps below 4n: with at most 1
/// the factor is A's; a block that was lost or updated twice exceeds it by orders of magnitude.
/// O(n^2).
[[nodiscard]] double residual(const_block factor, std::uint64_t seed);

struct kind {
  template <class Worker>
  static void factor(Worker worker, block a, std::size_t leaf) {
    cholesky::factor(worker, a, leaf);
  }
  static constexpr auto plain_factor = &cholesky::plain_factor;
  static constexpr auto factor_leaf = &cholesky::factor_leaf;
  static constexpr auto residual = &cholesky::residual;
};

/// The catalogue's entry.
struct workload : dense::factorisation<kind> {
  static kit::description describe();
};

static_assert(workloads::workload<workload>);

}  // namespace stealbench::cholesky
