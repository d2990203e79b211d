#include "workloads/stress/control_loop/control_loop.hpp"

namespace stealbench::control_loop {

workload::input workload::prepare(const kit::parameters& chosen) {
  const pattern how{.ticks = chosen.integer("ticks"),
                    .bursts = chosen.integer("bursts"),
                    .tasks = chosen.integer("tasks"),
                    .serial = std::chrono::microseconds(chosen.integer("serial")),
                    .gap = std::chrono::microseconds(chosen.integer("gap"))};
  // One after the other, so that the parameter to lower is named, and not one that is 1.
  kit::require_memory("ticks", how.ticks, kit::receipts::bytes_for);
  kit::require_memory("bursts", how.bursts, [&](std::uint64_t bursts) {
    return kit::receipts::bytes_for(how.ticks * bursts);
  });
  kit::require_memory("tasks", how.tasks, [&](std::uint64_t tasks) {
    return kit::receipts::bytes_for(how.ticks * how.bursts * tasks);
  });
  return {.how = how,
          .done = kit::receipts(how.ticks * how.bursts * how.tasks, chosen.integer("work"))};
}

nlohmann::ordered_json workload::answer(const input& in, const output& out) {
  nlohmann::ordered_json shown{{"ran_once", in.done.ran_once()},
                               {"median_tick_ns", kit::median_of(out.latencies).count()},
                               {"cpu_ns_per_tick", nullptr}};
  if (out.processor_time) {
    const auto ticks = static_cast<std::chrono::nanoseconds::rep>(in.how.ticks);
    shown["cpu_ns_per_tick"] = out.processor_time->count() / ticks;
  }
  return shown;
}

}  // namespace stealbench::control_loop
