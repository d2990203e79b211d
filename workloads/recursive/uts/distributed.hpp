// uts as a bag of nodes: a task is a node whose children are not yet made.
#pragma once

#include <cstdint>

#include "schedulers/cluster/form.hpp"
#include "workloads/recursive/uts/uts.hpp"

namespace stealbench::uts {

struct distributed : cluster::distributed_defaults<distributed> {
  using workload = uts::workload;
  using task = node;
  using known = cluster::nothing_known;
  using result = counts;

  static void begin(const workload::input& in, cluster::stack<task>& tasks) {
    tasks.push(in.rule.root());
  }
  static void expand(const workload::input& in, const known& /*unused*/, const task& top,
                     cluster::stack<task>& tasks, result& into) {
    const std::uint32_t child_count = in.rule.child_count(top);
    into += {.nodes = 1, .leaves = child_count == 0 ? 1U : 0U, .depth = top.height};
    for (std::uint32_t index = 0; index < child_count; ++index) {
      tasks.push(in.rule.child(top, index));
    }
  }
  static void merge(result& into, const result& from) { into += from; }
  static counts output_of(const workload::input& /*unused*/, const result& all) { return all; }
};

}  // namespace stealbench::uts
