// An unbalanced tree that exists only as a rule: how many children a node has follows from its
// random state and its height. Definitions and published sizes: Olivier, Huan, Liu, Prins, Dinan,
// Sadayappan & Tseng, "UTS: an unbalanced tree search benchmark", LCPC 2006.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "workloads/recursive/uts/stream.hpp"

namespace stealbench::uts {

/// The law that gives a node its number of children.
enum class tree_type : std::uint8_t {
  binomial,   ///< m children with probability q, else none; floor(b0) at the root.
  geometric,  ///< Geometrically distributed about a mean that depends on the height: see
              ///< tree_shape.
  hybrid,     ///< Geometric above a height, binomial below it.
  balanced,   ///< floor(b0) children down to the depth: a regular tree.
};

/// How the mean of a geometric tree goes with the height h, from b0 at the root.
enum class tree_shape : std::uint8_t {
  linear,  ///< Falls in a line, to none at the depth.
  expdec,  ///< Falls as a power of h, to 1 at the depth and on below it.
  cyclic,  ///< Swings between b0 and 1/b0 with the depth as period, and stops after five of them.
  fixed,   ///< Stays b0 down to the depth.
};

struct tree_parameters {
  tree_type type = tree_type::geometric;
  tree_shape shape = tree_shape::linear;
  std::uint32_t depth = 6;
  double b0 = 4;           ///< Branching of the root.
  std::uint32_t seed = 0;  ///< Of the root's state.
  double q = 15.0 / 64;    ///< Probability that a binomial node has children.
  std::uint32_t m = 4;     ///< Children of a binomial node that has any.
  double shift = 0.5;      ///< Part of the depth at which a hybrid tree turns binomial.

  bool operator==(const tree_parameters&) const = default;
};

struct node {
  node_state state;
  std::uint32_t height;  ///< Edges from the root.
};

/// Most children of a node, except of a binomial root and in balanced trees.
inline constexpr std::uint32_t max_children = 100;

/// A rule made ready. Immutable once constructed, so any number of threads may ask it.
class tree {
 public:
  /// `granularity` times over, a child's state is computed from the same inputs: work without
  /// another tree. Requires: granularity >= 1. Throws kit::bad_input where the tree may have
  /// no end.
  tree(const tree_parameters& chosen, std::uint32_t granularity);

  [[nodiscard]] const tree_parameters& chosen() const { return chosen_; }
  [[nodiscard]] std::uint32_t granularity() const { return granularity_; }
  [[nodiscard]] node root() const { return {root_state(chosen_.seed), 0}; }

  /// Not inline: the message that is hashed would take room in the caller's frame, and the callers
  /// nest as deep as the tree.
  [[nodiscard]] node child(const node& parent, std::uint32_t index) const;

  [[nodiscard]] std::uint32_t child_count(const node& parent) const {
    switch (chosen_.type) {
      case tree_type::binomial:
        return parent.height == 0 ? root_children_ : binomial_count(parent);
      case tree_type::geometric:
        return geometric_count(parent);
      case tree_type::hybrid:
        return parent.height < turning_height_ ? geometric_count(parent) : binomial_count(parent);
      case tree_type::balanced:
        return parent.height < chosen_.depth ? root_children_ : 0;
    }
    return 0;
  }

 private:
  [[nodiscard]] static double uniform(const node& parent) {  // In [0, 1), exact.
    constexpr double two_to_31 = 2147483648.0;
    return random_of(parent.state) / two_to_31;
  }

  [[nodiscard]] std::uint32_t binomial_count(const node& parent) const {
    return uniform(parent) < chosen_.q ? binomial_children_ : 0;
  }

  [[nodiscard]] std::uint32_t geometric_count(const node& parent) const {
    const double log_failure = parent.height < log_failure_.size() ? log_failure_[parent.height]
                                                                   : log_failure_at(parent.height);
    if (log_failure == -std::numeric_limits<double>::infinity()) return 0;  // A mean of 0.
    const double count = std::log(1 - uniform(parent)) / log_failure;
    return count < max_children ? static_cast<std::uint32_t>(count) : max_children;
  }

  /// ln(1 - p) of the geometric distribution at a height, where its mean is (1 - p) / p.
  [[nodiscard]] double log_failure_at(std::uint32_t height) const;
  [[nodiscard]] double mean_at(std::uint32_t height) const;

  tree_parameters chosen_;
  std::uint32_t granularity_;
  std::uint32_t root_children_;
  std::uint32_t binomial_children_;
  double turning_height_;
  std::vector<double> log_failure_;  ///< By height, from the root: saves a logarithm at every node.
};

}  // namespace stealbench::uts
