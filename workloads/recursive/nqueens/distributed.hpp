// nqueens as a bag of boards: a task places a queen in each safe column of its next row, or, below
// the rows whose queens are placed by tasks, counts alone.
#pragma once

#include <cstdint>

#include "schedulers/cluster/form.hpp"
#include "workloads/recursive/nqueens/nqueens.hpp"

namespace stealbench::nqueens {

struct distributed : cluster::distributed_defaults<distributed> {
  using workload = nqueens::workload;
  using known = cluster::nothing_known;
  struct task {
    board top;
    unsigned spawning_rows;
  };
  struct result {
    std::uint64_t solutions = 0;
    std::uint64_t tasks = 0;
  };

  static void begin(const workload::input& in, cluster::stack<task>& tasks) {
    tasks.push({empty_board(in.rows), in.spawning_rows});
  }
  static void expand(const workload::input& /*unused*/, const known& /*unused*/, const task& next,
                     cluster::stack<task>& tasks, result& into) {
    ++into.tasks;
    if (next.spawning_rows == 0) {
      into.solutions += plain_count(next.top);
      return;
    }
    if (next.top.is_full()) ++into.solutions;
    for (std::uint32_t safe = next.top.safe(); safe != 0; safe &= safe - 1) {
      tasks.push({next.top.with(safe & -safe), next.spawning_rows - 1});
    }
  }
  static void merge(result& into, const result& from) {
    into.solutions += from.solutions;
    into.tasks += from.tasks;
  }
  static workload::output output_of(const workload::input& /*unused*/, const result& all) {
    return {.solutions = all.solutions, .tasks = all.tasks};
  }
};

}  // namespace stealbench::nqueens
