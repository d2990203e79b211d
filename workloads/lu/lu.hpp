// LU factorisation of a dense matrix by divide and conquer, without pivoting: the example "lu" of
// Cilk. Products dominate, but every quarter of the matrix waits for the one before it, so the
// parallelism grows with n only and swells and ebbs during a run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <nlohmann/json.hpp>

#include "workloads/dense/matrix.hpp"
#include "workloads/lu/factor.hpp"
#include "workloads/parameters.hpp"
#include "workloads/workload.hpp"

namespace stealbench::lu {

/// A matrix that needs no pivoting: cells in [-1, 1) from the seed, and n more on the diagonal.
void fill_dominant(block a, std::uint64_t seed);

/// The greatest component of L(Ux) - Ax for a random vector x with components in [-1, 1), where A
/// is what fill_dominant makes of the seed, in units of what rounding may cause. That is n machine
/// epsilons of |L||U||x|, which the diagonal's dominance keeps below 4n: with at most 1 the factors
/// are A's; a block that was lost or updated twice exceeds it by orders of magnitude. O(n^2).
[[nodiscard]] double residual(const_block factors, std::uint64_t seed);

/// The catalogue's entry.
struct workload {
  struct input {
    std::size_t leaf;
    std::uint64_t seed;
    dense::matrix a;  ///< The matrix; after a run, its factors.
    /// Computed by the first `verify`.
    mutable std::optional<std::uint64_t> fingerprint_of_reference;
  };
  struct output {};

  static workloads::description describe();
  /// Throws workloads::bad_input before it allocates what this machine's memory cannot hold.
  static input prepare(const workloads::parameters& chosen);
  /// Makes the matrix again; it follows from the seed, so that no copy is kept.
  static void reset(input& in) { fill_dominant(in.a.all(), in.seed); }

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

}  // namespace stealbench::lu
