#include "workloads/stress/spc/spc.hpp"

#include "workloads/kit/memory.hpp"

namespace stealbench::spc {

kit::description workload::describe() {
  return kit::described(R"(
spc: single producer: one worker spawns all tasks, the others run them
shape: one `task_group` for each batch; flat, from one worker
tasks: tasks
work: Θ(tasks × (work + produce))
span: Θ(tasks × (1 + produce) + (tasks ⁄ batch) × work)
bound by: the rate of steals from one victim
answer: whether every task ran once
source: Prell, doctoral thesis, Bayreuth 2016
unit: dependent step
tasks=2^16 (1 to 2^30): number of tasks, in digits or as 2^16; 8 bytes of memory for each
work=10000 (0 to 2^30): work of a task [steps of about 1 ns]
produce=0 (0 to 2^30): work of the producer before each spawn [steps of about 1 ns]
batch=0 (0 to 2^30): number of tasks spawned before the producer waits for them; 0: all
sizes: tasks=1000 work=200; tasks=500 work=20 produce=7 batch=64 | tasks=2^11 |
    tasks=2^16; tasks=2^16 batch=16 | tasks=2^20
)");
}

workload::input workload::prepare(const kit::parameters& chosen) {
  const std::uint64_t tasks = chosen.integer("tasks");
  const std::uint64_t batch = chosen.integer("batch");
  kit::require_memory("tasks", tasks, kit::receipts::bytes_for);
  return {.done = kit::receipts(tasks, chosen.integer("work")),
          .how = {.steps = chosen.integer("produce"), .batch = batch == 0 ? tasks : batch}};
}

workload::output workload::sequential(input& in) {
  std::uint64_t position = 0;
  for (std::uint64_t task = 0; task < in.done.tasks(); ++task) {
    position = kit::stepped(position, in.how.steps);
    in.done.perform(task);
  }
  return position;
}

std::optional<bool> workload::verify(const input& in, const output& out) {
  return in.done.complete() && out == kit::leap(in.done.tasks() * in.how.steps).of(0);
}

}  // namespace stealbench::spc
