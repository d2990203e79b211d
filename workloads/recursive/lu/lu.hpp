// LU factorisation of a dense matrix by divide and conquer, without pivoting: the example "lu" of
// Cilk. Products dominate, but every quarter of the matrix waits for the one before it, so the
// parallelism grows with n only and swells and ebbs during a run.
#pragma once

#include <cstddef>
#include <cstdint>

#include "workloads/kit/dense/factorisation.hpp"
#include "workloads/recursive/lu/factor.hpp"
#include "workloads/workload.hpp"

namespace stealbench::lu {

/// The greatest component of L(Ux) - Ax for a random vector x with components in [-1, 1), where A
/// is what dense::fill_dominant makes of the seed, in units of what rounding may cause. That is n
/// machine epsilons of |L||U||x|, which the diagonal's dominance keeps below 4n: with at most 1 the
/// factors are A's; a block that was lost or updated twice exceeds it by orders of magnitude.
/// O(n^2).
[[nodiscard]] double residual(const_block factors, std::uint64_t seed);

struct kind {
  template <class Worker>
  static void factor(Worker worker, block a, std::size_t leaf) {
    lu::factor(worker, a, leaf);
  }
  static constexpr auto plain_factor = &lu::plain_factor;
  static constexpr auto factor_leaf = &lu::factor_leaf;
  static constexpr auto residual = &lu::residual;
};

/// The catalogue's entry.
struct workload : dense::factorisation<kind> {
  static kit::description describe();
};

static_assert(workloads::workload<workload>);

}  // namespace stealbench::lu
