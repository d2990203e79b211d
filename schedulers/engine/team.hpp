// The team of a branch: the workers that may run it and what it forks.
#pragma once

#include <cstddef>
#include <utility>

namespace stealbench::engine {

/// The team of the dynamic strategies: any worker may come, so there is nothing to divide.
struct whole_pool {
  /// Whether a branch belongs to the workers of its team and no other may run it.
  static constexpr bool is_fixed = false;

  whole_pool() = default;
  explicit constexpr whole_pool(unsigned /*workers*/) {}
  /// Whether the branch has no other worker than the one that runs it.
  [[nodiscard]] static constexpr bool alone() { return false; }
  /// The teams of the two branches of a fork, the forking worker's own first.
  [[nodiscard]] constexpr std::pair<whole_pool, whole_pool> divide() const {
    return {*this, *this};
  }
  /// Of `length` loop indices, how many go to the first branch.
  [[nodiscard]] static constexpr std::size_t cut(std::size_t length) { return length / 2; }
};

}  // namespace stealbench::engine
