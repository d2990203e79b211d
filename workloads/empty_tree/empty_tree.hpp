// A balanced binary tree of empty tasks: forks alone, as fib, but every subtree of a level is as
// large as every other, so one steal near the root halves what is left. How many steals a run needs
// is seen against the depth.
#pragma once

#include <cstdint>
#include <optional>

#include <nlohmann/json.hpp>

#include "workloads/parameters.hpp"
#include "workloads/workload.hpp"

namespace stealbench::empty_tree {

template <class Worker>
std::uint64_t fork_node(Worker worker, unsigned levels, std::uint64_t number);

/// The sum of the numbers of the leaves that lie `levels` levels below the node `number`, where the
/// root is 1 and the children of n are 2n and 2n + 1. The numbers are there so that a compiler
/// cannot take one subtree for its twin. Work O(2^levels), span O(levels).
template <class Worker>
std::uint64_t sum_of_leaves(Worker worker, unsigned levels, std::uint64_t number) {
  if (levels == 0) return number;
  return fork_node(worker, levels, number);
}

// Apart from the test for a leaf, as in fib.
template <class Worker>
[[gnu::noinline]] std::uint64_t fork_node(Worker worker, unsigned levels, std::uint64_t number) {
  auto [left, right] =
      worker->fork_join([=](Worker w) { return sum_of_leaves(w, levels - 1, 2 * number); },
                        [=](Worker w) { return sum_of_leaves(w, levels - 1, 2 * number + 1); });
  return left + right;
}

/// The same recursion in plain code.
[[nodiscard]] std::uint64_t plain_sum_of_leaves(unsigned levels, std::uint64_t number);

/// The same sum under the root in one line: of the numbers 2^depth to 2^(depth + 1) - 1. Requires:
/// depth <= 31, the last one that 64 bits hold.
[[nodiscard]] constexpr std::uint64_t known_sum(unsigned depth) {
  const std::uint64_t leaves = std::uint64_t{1} << depth;
  return leaves * (3 * leaves - 1) / 2;
}

/// The catalogue's entry.
struct workload {
  struct input {
    unsigned depth;
  };
  using output = std::uint64_t;

  static workloads::description describe();
  static input prepare(const workloads::parameters& chosen);
  static void reset(input& /*unused*/) {}

  template <class Worker>
  static output run(Worker worker, const input& in) {
    return sum_of_leaves(worker, in.depth, 1);
  }

  static output reference(const input& in) { return plain_sum_of_leaves(in.depth, 1); }
  static std::optional<bool> verify(const input& in, const output& out) {
    return out == known_sum(in.depth);
  }
  /// Without the last leaf.
  static void spoil(input& in, output& out) { out -= (std::uint64_t{2} << in.depth) - 1; }
  static nlohmann::ordered_json answer(const input& in, const output& out) {
    return {{"leaves", std::uint64_t{1} << in.depth}, {"sum", out}};
  }

  static std::uint64_t fork_count(const input& in, const output& /*unused*/) {
    return (std::uint64_t{1} << in.depth) - 1;
  }
};

static_assert(workloads::workload<workload>);

}  // namespace stealbench::empty_tree
