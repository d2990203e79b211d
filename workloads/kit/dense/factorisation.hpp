// What the factorisations of a dense matrix have in common as workloads: a matrix from a seed,
// which a run overwrites with its factors, and how these are checked.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "workloads/kit/counting_worker.hpp"
#include "workloads/kit/dense/matrix.hpp"
#include "workloads/kit/parameters.hpp"

namespace stealbench::dense {

struct factorisation_input {
  std::size_t leaf;
  std::uint64_t seed;
  matrix a;  ///< The matrix; after a run, its factors.
  /// Computed by the first `verify`.
  mutable std::optional<std::uint64_t> fingerprint_of_reference;
};

/// An input of these parameters, as `reset` leaves it.
[[nodiscard]] factorisation_input prepare_factorisation(const kit::parameters& chosen);

/// The greatest of the n components of a residual, in units of what rounding may cause in it: n
/// machine epsilons of the factors' product, which the diagonal's dominance keeps below 4n. At most
/// 1 where the factors are the matrix's; a block that was lost or updated twice exceeds it by
/// orders of magnitude.
[[nodiscard]] double in_roundings(std::span<const double> residual);

/// The entry of a factorisation in the catalogue, which has its description and
///   factor(worker, a, leaf)   in place, with forks
///   plain_factor(a, leaf)     the same by the serial elision
///   factor_leaf(a)            of one block
///   residual(factors, seed)   at most 1 where they are those of fill_dominant(seed)
template <class W>
struct factorisation {
  using input = factorisation_input;
  struct output {};

  static input prepare(const kit::parameters& chosen) { return prepare_factorisation(chosen); }
  /// Makes the matrix again; it follows from the seed, so that no copy is kept.
  static void reset(input& in) { fill_dominant(in.a.all(), in.seed); }

  template <class Worker>
  static output run(Worker worker, input& in) {
    W::factor(worker, in.a.all(), in.leaf);
    return {};
  }

  static output sequential(input& in) {
    W::plain_factor(in.a.all(), in.leaf);
    return {};
  }

  /// Factors the last leaf once more.
  static void corrupt(input& in, output& /*unused*/) {
    const block a = in.a.all();
    const std::size_t done = a.rows - std::min(in.leaf, a.rows);
    W::factor_leaf(a.below(done).right_of(done));
  }

  /// Equal to the sequential version bit for bit, and with a small residual. The first call
  /// computes the reference, O(n^3), with a second matrix; the others are O(n^2).
  static std::optional<bool> verify(const input& in, const output& /*unused*/) {
    if (!in.fingerprint_of_reference) {
      matrix expected(in.a.side());
      fill_dominant(expected.all(), in.seed);
      W::plain_factor(expected.all(), in.leaf);
      in.fingerprint_of_reference = fingerprint(expected.all());
    }
    return fingerprint(in.a.all()) == *in.fingerprint_of_reference &&
           W::residual(in.a.all(), in.seed) <= 1;
  }

  static nlohmann::ordered_json answer(const input& in, const output& /*unused*/) {
    return {{"residual", W::residual(in.a.all(), in.seed)},
            {"fingerprint", fmt::format("{:016x}", fingerprint(in.a.all()))}};
  }

  static std::uint64_t fork_count(const input& in, const output& /*unused*/) {
    return kit::forks_of([&](auto worker) { W::factor(worker, unwritten(in.a.all()), in.leaf); });
  }
};

}  // namespace stealbench::dense
