// Unbalanced tree search: count the nodes of a tree that unfolds as it is searched. Subtrees of the
// same height differ by orders of magnitude, so no division of the work decided in advance is even.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "workloads/recursive/uts/tree.hpp"
#include "workloads/workload.hpp"

namespace stealbench::uts {

/// What a search finds out about a tree.
struct counts {
  std::uint64_t nodes;   ///< With the root.
  std::uint64_t leaves;  ///< Nodes without children.
  std::uint32_t depth;   ///< Greatest height.

  /// With those of another part of the tree.
  counts& operator+=(const counts& more) {
    nodes += more.nodes;
    leaves += more.leaves;
    depth = std::max(depth, more.depth);
    return *this;
  }
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
/// where they do not fit 64 bits or are unknown. Parameters that do not bear on the tree are
/// ignored.
[[nodiscard]] std::optional<counts> known_counts(const tree_parameters& chosen);

/// One slot for the counts of each child. Few children, which is nearly every node, need no heap;
/// the room for them is most of what a level of the tree takes of the stack, hence no more than
/// eight.
class child_counts {
 public:
  explicit child_counts(std::uint32_t count)
      : many_(count > few_.size() ? std::make_unique_for_overwrite<counts[]>(count) : nullptr) {}
  child_counts(const child_counts&) = delete;
  child_counts& operator=(const child_counts&) = delete;
  ~child_counts() = default;

  /// As many slots as were asked for, uninitialised.
  [[nodiscard]] counts* slots() { return many_ ? many_.get() : few_.data(); }

 private:
  std::array<counts, 8> few_;
  std::unique_ptr<counts[]> many_;
};

/// The counts of a node from those of its children. Not inline: see tree::child.
[[nodiscard]] counts sum_of(std::span<const counts> children);

/// How the children of a node become tasks.
enum class child_tasks : std::uint8_t {
  spawn,  ///< A spawn for each.
  loop,   ///< The indices of a parallel loop with grain 1.
};

template <child_tasks Children, class Worker>
counts search_children(Worker worker, const tree& rule, const node& top, std::uint32_t child_count);

/// Searches the subtree under `top`; each child makes its own state inside its own task. Work
/// O(nodes); span O(the greatest sum of child counts along a path).
///
/// Stack: 368 bytes a level on the serial scheduler (g++ 12 -O3, x86-64), 17 844 levels of T3L
/// being 6.3 MiB; a parallel scheduler adds its own frames.
template <child_tasks Children, class Worker>
counts search(Worker worker, const tree& rule, const node& top) {
  kit::charge(worker, rule.granularity());  // What `top` has cost.
  const std::uint32_t child_count = rule.child_count(top);
  if (child_count == 0) return {.nodes = 1, .leaves = 1, .depth = top.height};
  return search_children<Children>(worker, rule, top, child_count);
}

// Apart from the test for a leaf, which so needs no frame: see fib::fork_fib.
template <child_tasks Children, class Worker>
[[gnu::noinline]] counts search_children(Worker worker, const tree& rule, const node& top,
                                         std::uint32_t child_count) {
  child_counts found(child_count);
  // A task captures two words: a reference to what all children have in common, and its index.
  struct {
    const tree& rule;
    const node& parent;
    counts* slots;

    void search_child(Worker w, std::uint32_t index) const {
      // Constructed in place: an assignment would keep a second copy in every frame.
      ::new (static_cast<void*>(slots + index))
          counts(search<Children>(w, rule, rule.child(parent, index)));
    }
  } const family{rule, top, found.slots()};
  if constexpr (Children == child_tasks::spawn) {
    auto group = worker->task_group();
    for (std::uint32_t index = 0; index < child_count; ++index) {
      group.spawn([&family, index](Worker w) { family.search_child(w, index); });
    }
    group.sync();
  } else {
    worker->parallel_for(std::size_t{0}, std::size_t{child_count}, std::size_t{1},
                         [&family](Worker w, std::size_t index) {
                           family.search_child(w, static_cast<std::uint32_t>(index));
                         });
  }
  return sum_of({family.slots, child_count});
}

/// The counts of the subtree under `top` by plain recursion.
[[nodiscard]] counts plain_search(const tree& rule, const node& top);

struct workload : workloads::defaults<workload> {
  struct input {
    tree rule;
    child_tasks children;
  };
  using output = counts;

  static kit::description describe();
  static input prepare(const kit::parameters& chosen);

  template <class Worker>
  static output run(Worker worker, const input& in) {
    return in.children == child_tasks::spawn
               ? search<child_tasks::spawn>(worker, in.rule, in.rule.root())
               : search<child_tasks::loop>(worker, in.rule, in.rule.root());
  }

  static output sequential(const input& in) { return plain_search(in.rule, in.rule.root()); }
  static void corrupt(input& /*unused*/, output& out) { --out.leaves; }
  static std::optional<bool> verify(const input& in, const output& out);
  static nlohmann::ordered_json answer(const input& /*unused*/, const output& out) {
    return {{"nodes", out.nodes}, {"depth", out.depth}, {"leaves", out.leaves}};
  }

  /// Every node but the root is spawned, or is an index of a loop with grain 1.
  static std::uint64_t fork_count(const input& /*unused*/, const output& out) {
    return out.nodes - 1;
  }
};

}  // namespace stealbench::uts
