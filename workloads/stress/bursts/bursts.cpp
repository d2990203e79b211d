#include "workloads/stress/bursts/bursts.hpp"

namespace stealbench::bursts {

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

nlohmann::ordered_json workload::answer(const input& in, const output& out) {
  nlohmann::ordered_json shown{{"ran_once", in.done.ran_once()},
                               {"bursts_shared", out.latencies.size()},
                               {"median_wake_ns", nullptr}};
  if (out.latencies.empty()) return shown;
  shown["median_wake_ns"] = kit::median_of(out.latencies).count();
  return shown;
}

}  // namespace stealbench::bursts
