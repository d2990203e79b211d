// A balanced binary tree of empty tasks: forks alone, as fib, but every subtree of a level is as
// large as every other, so one steal near the root halves what is left. How many steals a run needs
// is seen against the depth. With some work at each leaf it shows how small a forked task may be.
#pragma once

#include <cstdint>

#include "workloads/kit/steps.hpp"
#include "workloads/workload.hpp"

namespace stealbench::empty_tree {

/// A leaf that does nothing. A type of its own, so that the empty tree carries no number of steps.
struct empty_leaf {
  [[nodiscard]] static std::uint64_t value_of(std::uint64_t number) { return number; }
  [[nodiscard]] static std::uint64_t units() { return 0; }
};

/// A leaf that takes so many steps from its number.
struct busy_leaf {
  std::uint64_t steps;
  [[nodiscard]] std::uint64_t value_of(std::uint64_t number) const {
    return kit::stepped(number, steps);
  }
  [[nodiscard]] std::uint64_t units() const { return steps; }
};

template <class Worker, class Leaf>
std::uint64_t fork_node(Worker worker, unsigned levels, std::uint64_t number, Leaf leaf);

/// The sum, modulo 2^64, of the values of the leaves that lie `levels` levels below the node
/// `number`, where the root is 1 and the children of n are 2n and 2n + 1. The numbers are there so
/// that a compiler cannot take one subtree for its twin. Work O(2^levels), span O(levels), and that
/// of the leaves.
template <class Worker, class Leaf = empty_leaf>
std::uint64_t sum_of_leaves(Worker worker, unsigned levels, std::uint64_t number, Leaf leaf = {}) {
  kit::charge(worker, 1);
  if (levels == 0) {
    kit::charge(worker, leaf.units());
    return leaf.value_of(number);
  }
  return fork_node(worker, levels, number, leaf);
}

// Apart from the test for a leaf, as in fib.
template <class Worker, class Leaf>
[[gnu::noinline]] std::uint64_t fork_node(Worker worker, unsigned levels, std::uint64_t number,
                                          Leaf leaf) {
  auto [left, right] = worker->fork_join(
      [=](Worker w) { return sum_of_leaves(w, levels - 1, 2 * number, leaf); },
      [=](Worker w) { return sum_of_leaves(w, levels - 1, 2 * number + 1, leaf); });
  return left + right;
}

/// The same recursion in plain code.
template <class Leaf = empty_leaf>
// NOLINTNEXTLINE(misc-no-recursion): the definition
[[nodiscard]] std::uint64_t plain_sum_of_leaves(unsigned levels, std::uint64_t number,
                                                Leaf leaf = {}) {
  if (levels == 0) return leaf.value_of(number);
  return plain_sum_of_leaves(levels - 1, 2 * number, leaf) +
         plain_sum_of_leaves(levels - 1, 2 * number + 1, leaf);
}

/// The same sum under the root in closed form: of the numbers 2^depth to 2^(depth + 1) - 1, each
/// after so many steps. Requires: depth <= 31, the last one whose sum of numbers 64 bits hold.
[[nodiscard]] constexpr std::uint64_t known_sum(unsigned depth, std::uint64_t steps = 0) {
  const std::uint64_t leaves = std::uint64_t{1} << depth;
  const kit::affine_map all_steps = kit::leap(steps);
  return all_steps.factor * (leaves * (3 * leaves - 1) / 2) + all_steps.term * leaves;
}

struct workload : workloads::defaults<workload> {
  struct input {
    unsigned depth;
    std::uint64_t work = 0;
  };
  using output = std::uint64_t;

  static kit::description describe() { return kit::description_of("empty_tree"); }
  static input prepare(const kit::parameters& chosen) {
    return {chosen.integer<unsigned>("depth"), chosen.integer("work")};
  }

  template <class Worker>
  static output run(Worker worker, const input& in) {
    if (in.work == 0) return sum_of_leaves(worker, in.depth, 1);
    return sum_of_leaves(worker, in.depth, 1, busy_leaf{in.work});
  }

  static output sequential(const input& in) {
    if (in.work == 0) return plain_sum_of_leaves(in.depth, 1);
    return plain_sum_of_leaves(in.depth, 1, busy_leaf{in.work});
  }
  static std::optional<bool> verify(const input& in, const output& out) {
    return out == known_sum(in.depth, in.work);
  }
  /// Without the number of the last leaf.
  static void corrupt(input& in, output& out) { out -= (std::uint64_t{2} << in.depth) - 1; }
  static nlohmann::ordered_json answer(const input& in, const output& out) {
    return {{"leaves", std::uint64_t{1} << in.depth}, {"sum", out}};
  }
  static std::uint64_t fork_count(const input& in, const output& /*unused*/) {
    return (std::uint64_t{1} << in.depth) - 1;
  }
};

}  // namespace stealbench::empty_tree
