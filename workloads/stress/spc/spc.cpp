#include "workloads/stress/spc/spc.hpp"

namespace stealbench::spc {

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

}  // namespace stealbench::spc
