// A tree of ten children at every node whose leaves are numbered, and whose sum of numbers is the
// answer: the micro-benchmark by which runtimes with light threads compare how they make and join
// them. Perfectly regular, and wide where fib is deep.
#pragma once

#include <array>
#include <cstdint>
#include <numeric>

#include "workloads/workload.hpp"

namespace stealbench::skynet {

inline constexpr std::uint64_t fanout = 10;

/// The sum of the numbers of the `leaves` leaves that start at `first`, by plain recursion.
/// Requires: `leaves` is a power of ten.
[[nodiscard]] std::uint64_t plain_sum(std::uint64_t first, std::uint64_t leaves);

template <class Worker>
std::uint64_t sum_of_children(Worker worker, std::uint64_t first, std::uint64_t share);

/// The same, with a spawn for every child, the leaves included: a cut-off would hide the cost that
/// is measured. Work O(leaves), span O(log leaves).
template <class Worker>
std::uint64_t sum(Worker worker, std::uint64_t first, std::uint64_t leaves) {
  kit::charge(worker, 1);
  if (leaves == 1) return first;
  return sum_of_children(worker, first, leaves / fanout);
}

// Apart from the test for a leaf, which so needs no frame: see fib::fork_fib.
template <class Worker>
[[gnu::noinline]] std::uint64_t sum_of_children(Worker worker, std::uint64_t first,
                                                std::uint64_t share) {
  std::array<std::uint64_t, fanout> sums;
  auto group = worker->task_group();
  for (std::uint64_t& slot : sums) {
    group.spawn([&slot, first, share](Worker w) { slot = sum(w, first, share); });
    first += share;
  }
  group.sync();
  return std::accumulate(sums.begin(), sums.end(), std::uint64_t{0});
}

struct workload : workloads::defaults<workload> {
  struct input {
    std::uint64_t leaves;
  };
  using output = std::uint64_t;

  static kit::description describe() { return kit::description_of("skynet"); }
  static input prepare(const kit::parameters& chosen);

  template <class Worker>
  static output run(Worker worker, const input& in) {
    return sum(worker, 0, in.leaves);
  }

  static output sequential(const input& in) { return plain_sum(0, in.leaves); }
  static std::optional<bool> verify(const input& in, const output& out) {
    return out == in.leaves * (in.leaves - 1) / 2;
  }
  /// The last leaf, lost; with a single leaf, number 0, one counted from nowhere.
  static void corrupt(input& in, output& out) { out -= in.leaves > 1 ? in.leaves - 1 : 1; }
  /// Every node but the root is spawned: 10 + 100 + ... + leaves.
  static std::uint64_t fork_count(const input& in, const output& /*unused*/) {
    return (in.leaves - 1) * fanout / (fanout - 1);
  }
};

}  // namespace stealbench::skynet
