// Cholesky factorisation of a dense, symmetric, positive definite matrix by divide and conquer.
// Like lu with half the work and triangles for squares: less parallelism at the same n, and pieces
// of uneven size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <nlohmann/json.hpp>

#include "workloads/cholesky/factor.hpp"
#include "workloads/dense/matrix.hpp"
#include "workloads/parameters.hpp"
#include "workloads/workload.hpp"

namespace stealbench::cholesky {

/// The upper triangle of a symmetric matrix: cells in [-1, 1) from the seed, and n more on the
/// diagonal, which makes it positive definite. What is below the diagonal has no meaning.
void fill_definite(block a, std::uint64_t seed);

/// The greatest component of Uᵀ(Ux) - Ax for a random vector x with components in [-1, 1), where A
/// is what fill_definite makes of the seed, in units of what rounding may cause. That is n machine
/// epsilons of |Uᵀ||U||x|, which the diagonal's dominance keeps below 4n: with at most 1 the factor
/// is A's; a block that was lost or updated twice exceeds it by orders of magnitude. O(n^2).
[[nodiscard]] double residual(const_block factor, std::uint64_t seed);

/// The catalogue's entry.
struct workload {
  struct input {
    std::size_t leaf;
    std::uint64_t seed;
    dense::matrix a;  ///< The matrix; after a run, its factor.
    /// Computed by the first `verify`.
    mutable std::optional<std::uint64_t> fingerprint_of_reference;
  };
  struct output {};

  static workloads::description describe();
  /// Throws workloads::bad_input before it allocates what this machine's memory cannot hold.
  static input prepare(const workloads::parameters& chosen);
  /// Makes the matrix again; it follows from the seed, so that no copy is kept.
  static void reset(input& in) { fill_definite(in.a.all(), in.seed); }

  template <class Worker>
  static output run(Worker worker, input& in) {
    factor(worker, in.a.all(), in.leaf);
    return {};
  }

  static output reference(input& in);
  /// Factors the last leaf once more.
  static void spoil(input& in, output& out);
  /// Equal to the reference bit for bit, and with a small residual. The first call computes the
  /// reference, O(n^3), with a second matrix; the others are O(n^2).
  static std::optional<bool> verify(const input& in, const output& out);
  static nlohmann::ordered_json answer(const input& in, const output& out);
  static std::uint64_t fork_count(const input& in, const output& out);
};

static_assert(workloads::workload<workload>);

}  // namespace stealbench::cholesky
