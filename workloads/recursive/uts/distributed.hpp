// uts as a bag of nodes: a task is a node whose children are not yet made.
#pragma once

#include <algorithm>
#include <cstdint>

#include "schedulers/cluster/form.hpp"
#include "workloads/recursive/uts/uts.hpp"

namespace stealbench::uts {

struct distributed : cluster::distributed_defaults<distributed> {
  using workload = uts::workload;
  using task = node;
  using known = cluster::nothing_known;
  struct result {
    counts found{.nodes = 0, .leaves = 0, .depth = 0};
  };

  static void begin(const workload::input& in, cluster::stack<task>& tasks) {
    tasks.push(in.rule.root());
  }
  static void expand(const workload::input& in, const known& /*unused*/, const task& top,
                     cluster::stack<task>& tasks, result& into) {
    const std::uint32_t child_count = in.rule.child_count(top);
    into.found.nodes += 1;
    into.found.leaves += child_count == 0 ? 1 : 0;
    into.found.depth = std::max(into.found.depth, top.height);
    for (std::uint32_t index = 0; index < child_count; ++index) {
      tasks.push(in.rule.child(top, index));
    }
  }
  static void merge(result& into, const result& from) {
    into.found.nodes += from.found.nodes;
    into.found.leaves += from.found.leaves;
    into.found.depth = std::max(into.found.depth, from.found.depth);
  }
  static counts output_of(const workload::input& /*unused*/, const result& all) {
    return all.found;
  }
};

}  // namespace stealbench::uts
