// What the sorts have in common: keys from a seed, and the evidence that they were sorted and that
// none was lost or repeated.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "workloads/kit/random.hpp"

namespace stealbench::kit {

/// Sums a strong hash of every key: equal for equal multisets in any order, and for others with a
/// chance of 2^-64; never, if a single key differs.
[[nodiscard]] std::uint64_t multiset_hash(std::span<const std::uint64_t> keys);

/// The input of a sort.
struct sort_input {
  /// The keys that follow from the seed.
  sort_input(std::size_t count, std::uint64_t seed, std::size_t grain);

  std::uint64_t seed;
  std::size_t grain;  ///< At most so many keys are sorted without a fork.
  std::vector<std::uint64_t> keys;
  std::uint64_t expected_hash;  ///< Of the unsorted keys.
};

/// The entry of a sort in the catalogue, but for its description and its programs. Its input is a
/// sort_input.
struct sorting {
  struct output {
    std::uint64_t forks;
  };

  /// Writes the unsorted keys again; they follow from the seed, so that no copy is kept.
  static void reset(sort_input& in) { fill_with_random_numbers(in.keys, in.seed); }
  /// Sorted, and the same multiset as before. O(keys), as is `answer`.
  static std::optional<bool> verify(const sort_input& in, const output& /*unused*/) {
    return std::ranges::is_sorted(in.keys) && multiset_hash(in.keys) == in.expected_hash;
  }
  static nlohmann::ordered_json answer(const sort_input& in, const output& /*unused*/);
  /// What the sort has counted itself: one addition per fork, and a fork takes thousands of keys.
  static std::uint64_t fork_count(const sort_input& /*unused*/, const output& out) {
    return out.forks;
  }
};

}  // namespace stealbench::kit
