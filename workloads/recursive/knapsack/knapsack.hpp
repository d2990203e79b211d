// The 0-1 knapsack by branch and bound: take the next item or leave it, and give up where even its
// density for all the room that is left could not beat the best filling known. In the suites of
// Cilk and BOTS. There the best filling is found on the way and shared, so that how much is
// searched is a matter of luck, and times compare nothing but luck; here that is one of two ways to
// prune.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "workloads/kit/in_order_worker.hpp"
#include "workloads/kit/incumbent.hpp"
#include "workloads/workload.hpp"

namespace stealbench::knapsack {

struct item {
  std::uint64_t value;
  std::uint64_t weight;  ///< At least 1.
};

/// Of the greatest value.
using incumbent = kit::incumbent<std::greater<>>;

/// Some first items decided on.
struct filling {
  std::size_t decided = 0;
  std::uint64_t room;
  std::uint64_t value = 0;

  [[nodiscard]] filling with(const item& next) const {
    return {decided + 1, room - next.weight, value + next.value};
  }
  [[nodiscard]] filling without() const { return {decided + 1, room, value}; }

  /// Whether no filling that continues this one is better than `best`, if all of the room were
  /// filled at the density of `next`, the densest item left. In whole numbers, free of rounding.
  [[nodiscard]] bool is_hopeless(const item& next, std::uint64_t best) const {
    return value * next.weight + room * next.value <= best * next.weight;
  }
};

struct found {
  std::uint64_t value;  ///< Of the best filling in the branch; 0 if none beats the incumbent.
  std::uint64_t forks;  ///< Of the sequential version: `uncounted`.
};
inline constexpr std::uint64_t uncounted = ~std::uint64_t{0};

/// The value of the best filling that continues `top`, if it beats `best`, else 0. Plain recursion.
[[nodiscard]] std::uint64_t plain_search(std::span<const item> items, const filling& top,
                                         incumbent& best);

/// The same, with a fork wherever the next item fits and is one of the first `forking_items`.
/// Requires: items by falling density. Work O(2^items) at worst, span O(items).
template <class Worker>
found search(Worker worker, std::span<const item> items, filling top, incumbent& best,
             std::size_t forking_items) {
  // An item too heavy leaves no choice and needs no frame.
  for (; top.decided < items.size(); top = top.without()) {
    if constexpr (kit::charged_worker<Worker>) {
      if (top.decided >= forking_items) {
        const kit::in_order_worker<kit::machine_of<Worker>> alone;
        return {.value = search(alone, items, top, best, items.size()).value, .forks = 0};
      }
    }
    const item& next = items[top.decided];
    kit::charge(worker, 1);
    if (top.is_hopeless(next, best.value())) return {.value = 0, .forks = 0};
    if (top.decided >= forking_items) {
      return {.value = plain_search(items, top, best), .forks = 0};
    }
    if (next.weight > top.room) continue;
    const auto [taken, left] = worker->fork_join(
        [items, &top, &next, &best, forking_items](Worker w) {
          return search(w, items, top.with(next), best, forking_items);
        },
        [items, &top, &best, forking_items](Worker w) {
          return search(w, items, top.without(), best, forking_items);
        });
    return {.value = std::max(taken.value, left.value), .forks = 1 + taken.forks + left.forks};
  }
  kit::charge(worker, 1);
  best.offer(top.value);
  return {.value = top.value, .forks = 0};
}

/// The value of the filling that takes every item that still fits, in order.
[[nodiscard]] std::uint64_t greedy_value(std::span<const item> items, std::uint64_t capacity);

/// The greatest value by dynamic programming. O(items * capacity).
[[nodiscard]] std::uint64_t greatest_value(std::span<const item> items, std::uint64_t capacity);

struct workload : workloads::defaults<workload> {
  struct input {
    std::vector<item> items;  ///< By falling density.
    std::uint64_t capacity;
    std::uint64_t greedy;
    std::uint64_t optimum;
    kit::pruning how;
    std::size_t forking_items;
    /// Counted when first asked for. Requires: prune=fixed.
    mutable std::optional<std::uint64_t> expected_forks = std::nullopt;
  };
  using output = found;

  static kit::description describe() { return kit::description_of("knapsack"); }
  static input prepare(const kit::parameters& chosen);

  template <class Worker>
  static output run(Worker worker, const input& in) {
    incumbent best(in.greedy, in.how);
    const found result =
        search(worker, std::span(in.items), {.room = in.capacity}, best, in.forking_items);
    return {.value = std::max(in.greedy, result.value), .forks = result.forks};
  }

  static output sequential(const input& in);
  /// The optimum, and with prune=fixed all branches, though the optimum is in one of them only. The
  /// first call then takes as long as a serial run.
  static std::optional<bool> verify(const input& in, const output& out);
  /// The branch with the best filling, lost.
  static void corrupt(input& /*unused*/, output& out) { --out.value; }
  static nlohmann::ordered_json answer(const input& in, const output& out) {
    return {{"value", out.value}, {"greedy_value", in.greedy}};
  }

  /// What the search has counted itself; with prune=shared another number in every run.
  static std::uint64_t fork_count(const input& /*unused*/, const output& out) { return out.forks; }
};

}  // namespace stealbench::knapsack
