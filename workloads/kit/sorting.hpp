// What the sorts have in common: keys from a seed, and the evidence that they were sorted and that
// none was lost or repeated.
#pragma once

#include <cstdint>
#include <span>

#include <nlohmann/json_fwd.hpp>

namespace stealbench::kit {

/// Writes any 64-bit numbers; equal seeds give equal keys.
void fill_with_random_keys(std::span<std::uint64_t> keys, std::uint64_t seed);

/// Sums a strong hash of every key: equal for equal multisets in any order, and for others with a
/// chance of 2^-64; never, if a single key differs.
[[nodiscard]] std::uint64_t multiset_hash(std::span<const std::uint64_t> keys);

/// Whether the keys are sorted, and as a multiset what they were when it had the hash `before`.
/// Linear.
[[nodiscard]] bool is_sorted_and_whole(std::span<const std::uint64_t> keys, std::uint64_t before);

/// The same in parts, as an answer. Linear.
[[nodiscard]] nlohmann::ordered_json answer_of_sort(std::span<const std::uint64_t> keys,
                                                    std::uint64_t before);

}  // namespace stealbench::kit
