// knapsack as a bag of fillings. With prune=shared the best value known travels with every message
// between ranks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "schedulers/cluster/form.hpp"
#include "workloads/recursive/knapsack/knapsack.hpp"

namespace stealbench::knapsack {

struct distributed : cluster::distributed_defaults<distributed> {
  using workload = knapsack::workload;
  using task = filling;
  struct known : incumbent {
    explicit known(const workload::input& in) : incumbent(in.greedy, in.how) {}
  };
  struct result {
    std::uint64_t value = 0;
    std::uint64_t forks = 0;
    std::uint64_t tasks = 0;
  };

  static void begin(const workload::input& in, cluster::stack<task>& tasks) {
    tasks.push({.room = in.capacity});
  }
  /// As `search`: an item that is too heavy leaves no choice.
  static void expand(const workload::input& in, known& best, filling top,
                     cluster::stack<task>& tasks, result& into) {
    ++into.tasks;
    for (; top.decided < in.items.size(); top = top.without()) {
      const item& next = in.items[top.decided];
      if (top.is_hopeless(next, best.value())) return;
      if (top.decided >= in.forking_items) {
        into.value = std::max(into.value, plain_search(in.items, top, best));
        return;
      }
      if (next.weight > top.room) continue;
      ++into.forks;
      tasks.push(top.without());
      tasks.push(top.with(next));
      return;
    }
    best.offer(top.value);
    into.value = std::max(into.value, top.value);
  }
  static void merge(result& into, const result& from) {
    into.value = std::max(into.value, from.value);
    into.forks += from.forks;
    into.tasks += from.tasks;
  }
  static found output_of(const workload::input& in, const result& all) {
    return {.value = std::max(in.greedy, all.value), .forks = all.forks};
  }
  /// As that of the workload, and both tasks of each fork.
  static std::optional<bool> verify(const workload::input& in, const result& all) {
    if (all.tasks != 2 * all.forks + 1) return false;
    return workload::verify(in, output_of(in, all));
  }
};

}  // namespace stealbench::knapsack
