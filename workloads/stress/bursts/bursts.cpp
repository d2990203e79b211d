#include "workloads/stress/bursts/bursts.hpp"

#include <nlohmann/json.hpp>

#include "workloads/kit/memory.hpp"

namespace stealbench::bursts {

kit::description workload::describe() {
  return kit::described(R"(
bursts: bursts of small tasks with idle gaps between them
shape: one `task_group` for each burst, after a gap without any work
tasks: bursts × tasks
work: Θ(bursts × (gap + tasks × work))
span: Θ(bursts × (gap + tasks + work))
bound by: wake-ups; most of the time is gap
answer: whether every task ran once, and the median delay until a second worker starts a task
source: defined here
unit: dependent step, or nanosecond of a gap
bursts=400 (1 to 1000000): number of bursts
tasks=64 (1 to 1000000): tasks per burst; 8 bytes of memory for each task of each burst
work=2000 (0 to 1000000000): work of a task [steps of about 1 ns]
gap=1000 (0 to 1000000): time before each burst [µs]
idle=sleep (sleep | spin): what the spawning task does in a gap
sizes: bursts=10 tasks=10 work=200 gap=50; bursts=5 tasks=17 gap=20 idle=spin | bursts=30 gap=500 |
    bursts=400; bursts=400 idle=spin | bursts=10000
)");
}

workload::input workload::prepare(const kit::parameters& chosen) {
  const pattern how{.bursts = chosen.integer("bursts"),
                    .tasks = chosen.integer("tasks"),
                    .gap = std::chrono::microseconds(chosen.integer("gap")),
                    .idle = chosen.choice_as<kit::gap_form>("idle")};
  kit::require_memory("tasks", how.tasks, [&](std::uint64_t tasks) {
    return kit::receipts::bytes_for(how.bursts * tasks) + tasks * sizeof(clock::time_point);
  });
  return {.how = how,
          .done = kit::receipts(how.bursts * how.tasks, chosen.integer("work")),
          .started = std::vector<clock::time_point>(how.tasks)};
}

workload::output workload::sequential(input& in) {
  for (std::uint64_t index = 0; index < in.how.bursts; ++index) {
    kit::wait(in.how.gap, in.how.idle);
    in.done.perform_in_order(index * in.how.tasks, in.how.tasks);
  }
  return {};
}

nlohmann::ordered_json workload::answer(const input& in, const output& out) {
  nlohmann::ordered_json shown{{"ran_once", in.done.ran_once()},
                               {"bursts_shared", out.latencies.size()},
                               {"median_wake_ns", nullptr}};
  if (out.latencies.empty()) return shown;
  shown["median_wake_ns"] = kit::median_of(out.latencies).count();
  return shown;
}

}  // namespace stealbench::bursts
