// Shows that a sort has neither lost nor repeated a key.
#pragma once

#include <cstdint>
#include <span>

namespace stealbench::workloads {

/// Sums a strong hash of every key: equal for equal multisets in any order, and for others with a
/// chance of 2^-64; never, if a single key differs.
[[nodiscard]] std::uint64_t multiset_hash(std::span<const std::uint64_t> keys);

}  // namespace stealbench::workloads
