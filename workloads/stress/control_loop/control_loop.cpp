#include "workloads/stress/control_loop/control_loop.hpp"

#include <nlohmann/json.hpp>

#include "workloads/kit/memory.hpp"

namespace stealbench::control_loop {

kit::description workload::describe() {
  using kit::integer_domain;
  return {
      .name = "control_loop",
      .summary = "ticks of bursts and serial code, with idle gaps between the ticks",
      .about = {.shape = "at each tick some `task_group`s with serial code between them, after a "
                         "gap without any work",
                .tasks = "ticks × bursts × tasks",
                .work = "Θ(ticks × (gap + bursts × (serial + tasks × work)))",
                .span = "Θ(ticks × (gap + bursts × (serial + tasks + work)))",
                .bound_by = "wake-ups, and what idle workers burn; most of the time is gap",
                .answer = "whether every task ran once, the median latency of a tick, and the CPU "
                          "time of the process per tick, gap included",
                .source = "defined here",
                .unit = "dependent step, or nanosecond of a gap or of serial code"},
      .parameters = {{"ticks", "number of ticks",
                      integer_domain{.least = 1, .most = 1'000'000, .standard = 200}},
                     {"bursts", "bursts per tick",
                      integer_domain{.least = 1, .most = 1000, .standard = 4}},
                     {"tasks",
                      "tasks per burst; 8 bytes of memory for each task of each burst of each tick",
                      integer_domain{.least = 1, .most = 1'000'000, .standard = 64}},
                     {"work", "work of a task [steps of about 1 ns]",
                      integer_domain{.least = 0, .most = 1'000'000'000, .standard = 2000}},
                     {"serial", "time of the serial code between two bursts [µs]",
                      integer_domain{.least = 0, .most = 1'000'000, .standard = 200}},
                     {"gap", "time before each tick, in which the spawning task sleeps [µs]",
                      integer_domain{.least = 0, .most = 1'000'000, .standard = 3000}}},
      .sizes = {{"test",
                 {{{"ticks", "3"},
                   {"bursts", "2"},
                   {"tasks", "7"},
                   {"work", "200"},
                   {"serial", "20"},
                   {"gap", "50"}},
                  {{"ticks", "2"}, {"bursts", "1"}, {"tasks", "17"}, {"gap", "20"}}}},
                {"small", {{{"ticks", "10"}}}},
                {"standard", {{{"ticks", "200"}}}},
                {"large", {{{"ticks", "2500"}}}}}};
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
  std::uint64_t task = 0;
  for (std::uint64_t index = 0; index < how.ticks; ++index) {
    kit::wait(how.gap, kit::gap_form::sleep);
    const kit::clock::time_point begin = kit::clock::now();
    for (std::uint64_t b = 0; b < how.bursts; ++b) {
      if (b > 0) kit::wait(how.serial, kit::gap_form::spin);
      for (const std::uint64_t end = task + how.tasks; task < end; ++task) in.done.perform(task);
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
