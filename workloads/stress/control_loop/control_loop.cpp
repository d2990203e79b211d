#include "workloads/stress/control_loop/control_loop.hpp"

#include <nlohmann/json.hpp>

#include "workloads/kit/memory.hpp"

namespace stealbench::control_loop {

kit::description workload::describe() {
  return kit::described(R"(
control_loop: ticks of bursts and serial code, with idle gaps between the ticks
shape: at each tick some `task_group`s with serial code between them, after a gap without any work
tasks: ticks × bursts × tasks
work: Θ(ticks × (gap + bursts × (serial + tasks × work)))
span: Θ(ticks × (gap + bursts × (serial + tasks + work)))
bound by: wake-ups, and what idle workers burn; most of the time is gap
answer: whether every task ran once, the median latency of a tick, and the CPU time of the process
    per tick, gap included
source: defined here
unit: dependent step, or nanosecond of a gap or of serial code
ticks=200 (1 to 1000000): number of ticks
bursts=4 (1 to 1000): bursts per tick
tasks=64 (1 to 1000000): tasks per burst; 8 bytes of memory for each task of each burst of each tick
work=2000 (0 to 1000000000): work of a task [steps of about 1 ns]
serial=200 (0 to 1000000): time of the serial code between two bursts [µs]
gap=3000 (0 to 1000000): time before each tick, in which the spawning task sleeps [µs]
sizes: ticks=3 bursts=2 tasks=7 work=200 serial=20 gap=50; ticks=2 bursts=1 tasks=17 gap=20 |
    ticks=10 | ticks=200 | ticks=2500
)");
}

workload::input workload::prepare(const kit::parameters& chosen) {
  const pattern how{.ticks = chosen.integer("ticks"),
                    .bursts = chosen.integer("bursts"),
                    .tasks = chosen.integer("tasks"),
                    .serial = std::chrono::microseconds(chosen.integer("serial")),
                    .gap = std::chrono::microseconds(chosen.integer("gap"))};
  kit::require_memory("tasks", how.tasks, [&](std::uint64_t tasks) {
    return kit::receipts::bytes_for(how.ticks * how.bursts * tasks);
  });
  return {.how = how,
          .done = kit::receipts(how.ticks * how.bursts * how.tasks, chosen.integer("work"))};
}

workload::output workload::sequential(input& in) {
  const pattern& how = in.how;
  output out;
  out.latencies.reserve(how.ticks);
  const std::chrono::nanoseconds before = kit::processor_time();
  for (std::uint64_t index = 0; index < how.ticks; ++index) {
    kit::wait(how.gap, kit::gap_form::sleep);
    const kit::clock::time_point begin = kit::clock::now();
    for (std::uint64_t b = 0; b < how.bursts; ++b) {
      if (b > 0) kit::wait(how.serial, kit::gap_form::spin);
      in.done.perform_in_order((index * how.bursts + b) * how.tasks, how.tasks);
    }
    out.latencies.push_back(kit::clock::now() - begin);
  }
  out.processor_time = kit::processor_time() - before;
  return out;
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
