// Trees whose size is known before they are searched.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "workloads/recursive/uts/tree.hpp"

namespace stealbench::uts {

/// What a search finds out about a tree.
struct counts {
  std::uint64_t nodes;   ///< With the root.
  std::uint64_t leaves;  ///< Nodes without children.
  std::uint32_t depth;   ///< Greatest height.

  bool operator==(const counts&) const = default;
};

/// A tree of the published table.
struct named_tree {
  std::string_view name;
  tree_parameters parameters;
  counts found;
};

/// The published trees, in the order of their table.
[[nodiscard]] const std::vector<named_tree>& named_trees();

/// The counts of a tree that is published, balanced, or in our own table of small ones; nothing
/// where they do not fit 64 bits or nobody knows. Parameters that do not bear on the tree are
/// ignored.
[[nodiscard]] std::optional<counts> known_counts(const tree_parameters& of);

}  // namespace stealbench::uts
