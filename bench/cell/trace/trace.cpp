#include "bench/cell/trace/trace.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "bench/cell/cell.hpp"
#include "bench/cell/google_benchmark.hpp"
#include "bench/cell/once.hpp"
#include "bench/cell/trace/chrome_trace.hpp"
#include "schedulers/timeline.hpp"

namespace stealbench::cell {
namespace {

using nlohmann::ordered_json;

std::uint64_t dropped_of(const schedulers::timeline& recorded) {
  std::uint64_t sum = 0;
  for (unsigned i = 0; i < recorded.workers(); ++i) sum += recorded.of(i).dropped();
  return sum;
}

ordered_json where_it_comes_from() {
  ordered_json all = ordered_json::object();
  for (auto& [key, value] : provenance()) all[key] = std::move(value);
  return all;
}

}  // namespace

traced_run trace_once(const program& of, std::string_view scheduler,
                      const workloads::parameters& chosen, const schedulers::options& options,
                      std::size_t events_per_worker) {
  if (of.counting == nullptr) {
    throw workloads::bad_input(fmt::format(
        "scheduler {} counts nothing and cannot be traced; valid: one that counts", scheduler));
  }
  schedulers::timeline recorded(options.workers, events_per_worker);
  schedulers::options recording = options;
  recording.recording = &recorded;

  ordered_json report = description_of_run(of, scheduler, chosen, options);
  time_window shown{};
  {
    const std::unique_ptr<cell> subject = of.counting(recording, chosen);
    subject->reset();
    shown.begin = std::chrono::steady_clock::now();
    subject->execute();
    shown.end = std::chrono::steady_clock::now();
    report["answer"] = subject->answer();
    report["verified"] = json_of(subject->verified());
    report["time_ns"] = std::chrono::nanoseconds(shown.end - shown.begin).count();
    const std::optional<schedulers::counters> counted = subject->counters();
    report["counters"] = counted ? json_of(*counted) : ordered_json();
  }  // Joins the workers' threads: what they have recorded can be read from here on.

  report["dropped_stretches"] = dropped_of(recorded);
  ordered_json about = report;
  about["provenance"] = where_it_comes_from();
  chrome_trace made = chrome_trace_of(
      recorded, shown, cell_name(of.description.name, scheduler, chosen, options.workers), about);
  report["events"] = made.events;
  return {.report = std::move(report), .trace = std::move(made.text)};
}

}  // namespace stealbench::cell
