#include "bench/cell/once.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "bench/cell/cell.hpp"
#include "bench/cell/google_benchmark.hpp"
#include "bench/cell/instance.hpp"
#include "bench/cell/trace/chrome_trace.hpp"
#include "results/system/memory.hpp"
#include "schedulers/counters.hpp"
#include "schedulers/settings.hpp"
#include "schedulers/timeline.hpp"

namespace stealbench::cell {
namespace {

using nlohmann::ordered_json;

ordered_json json_or_null(const std::optional<schedulers::counters>& all) {
  return all ? json_of(*all) : ordered_json(nullptr);
}

ordered_json json_or_null(std::optional<bool> verified) {
  return verified ? ordered_json(*verified) : ordered_json(nullptr);
}

ordered_json description_of_run(const program& of, std::string_view scheduler,
                                const kit::parameters& chosen, const schedulers::options& options) {
  return {{"workload", of.description.name},
          {"scheduler", scheduler},
          {"workers", options.workers},
          {"parameters", json_of(chosen)}};
}

/// All of the room is taken at once, before the run: its pages are faulted in.
void expect_room_for(unsigned workers, std::size_t events_per_worker) {
  constexpr double bytes_per_event = sizeof(schedulers::interval);
  const double needed = bytes_per_event * workers * static_cast<double>(events_per_worker);
  const std::optional<double> left = system::memory_left();
  if (!left || needed <= *left) return;
  const auto most = static_cast<std::size_t>(*left / bytes_per_event / workers);
  throw kit::bad_input(
      fmt::format("--events {}: room for that many intervals of each of {} workers needs {} of "
                  "memory, and {} are left; "
                  "valid: --events up to {}, or fewer --workers",
                  events_per_worker, workers, system::bytes_in_words(needed),
                  system::bytes_in_words(*left), std::max<std::size_t>(most, 1)));
}

/// What was recorded becomes a text of several times its size.
void expect_room_for_text(const schedulers::timeline& recorded) {
  constexpr double bytes_per_event = 500;  // Two copies of an interval and of a steal.
  double events = 0;
  for (unsigned i = 0; i < recorded.workers(); ++i) {
    events += static_cast<double>(recorded.of(i).intervals().size());
  }
  const std::optional<double> left = system::memory_left();
  if (!left || bytes_per_event * events <= *left) return;
  throw kit::bad_input(fmt::format(
      "--events: the trace of {} recorded intervals needs {} of memory, and {} are left; valid: "
      "less --events, fewer --workers, or a smaller --size",
      events, system::bytes_in_words(bytes_per_event * events), system::bytes_in_words(*left)));
}

}  // namespace

ordered_json json_of(const kit::parameters& chosen) {
  ordered_json object = ordered_json::object();
  for (const auto& [key, value] : chosen.all()) {
    std::visit([&, &key = key](const auto& typed) { object[key] = typed; }, value);
  }
  return object;
}

ordered_json json_of(const schedulers::counters& counted) {
  ordered_json per_worker = ordered_json::array();
  for (const schedulers::worker_counters& each : counted.per_worker) {
    per_worker.push_back({{"jobs_run", each.jobs_run}, {"busy_ns", each.busy_ns}});
  }
  ordered_json all = ordered_json::object();
  for (const auto& [name, value, is_sum] : schedulers::every_counter) all[name] = counted.*value;
  all["per_worker"] = std::move(per_worker);
  return all;
}

schedulers::options options_of(unsigned workers, bool pin, std::size_t stack_mib,
                               const schedulers::variant& chosen) {
  schedulers::options options{.workers = workers, .pin = pin, .stack_bytes = stack_mib << 20};
  schedulers::apply(scheduler_name(), chosen, options);
  return options;
}

std::vector<kit::parameters> instances_of(const kit::description& workload,
                                          const instance_options& typed) {
  std::vector<kit::assignment> by_user;
  for (const std::string& text : typed.set) by_user.push_back(kit::parse_assignment(text));
  if (typed.size == no_size) return {kit::parameters(workload, by_user)};
  return kit::instances_of(workload, kit::find_size(workload, typed.size), by_user);
}

std::vector<std::string> counter_names() {
  std::vector<std::string> names;
  const ordered_json none = json_of(schedulers::counters{});
  for (const auto& each : none.items()) names.push_back(each.key());
  return names;
}

std::string cell_name(std::string_view workload, std::string_view scheduler,
                      const kit::parameters& chosen, unsigned workers) {
  std::string name = fmt::format("{}/{}", workload, scheduler);
  for (const auto& [key, value] : chosen.all()) {
    if (chosen.was_set(key)) name += fmt::format("/{}:{}", key, kit::to_string(value));
  }
  return name + fmt::format("/workers:{}", workers);
}

ordered_json run_once(const program& of, std::string_view scheduler, const kit::parameters& chosen,
                      const schedulers::options& options, bool counters_only) {
  ordered_json report = description_of_run(of, scheduler, chosen, options);
  for (const char* const key : {"answer", "verified", "time_ns", "counters"}) report[key] = nullptr;
  if (!counters_only) {
    const std::unique_ptr<cell> timed = of.timed(options, chosen);
    const measurement ran = timed->run();
    report["answer"] = timed->answer();
    report["verified"] = json_or_null(ran.verified);
    report["time_ns"] = ran.wall.count();
  }
  if (of.counting == nullptr) return report;
  const std::unique_ptr<cell> counting = of.counting(options, chosen);
  if (counting->run().verified == false) report["verified"] = false;
  report["counters"] = json_or_null(counting->counters());
  return report;
}

traced_run trace_once(const program& of, std::string_view scheduler, const kit::parameters& chosen,
                      const schedulers::options& options, std::size_t events_per_worker) {
  if (of.counting == nullptr) {
    throw kit::bad_input(fmt::format(
        "scheduler {} cannot be traced, because it has no counters; valid: one that has",
        scheduler));
  }
  expect_room_for(options.workers, events_per_worker);
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
    report["verified"] = json_or_null(subject->verified());
    report["time_ns"] = std::chrono::nanoseconds(shown.end - shown.begin).count();
    report["counters"] = json_or_null(subject->counters());
  }  // Joins the workers' threads: what they have recorded can be read from here on.

  std::uint64_t dropped = 0;
  for (unsigned i = 0; i < recorded.workers(); ++i) dropped += recorded.of(i).dropped();
  report["dropped_intervals"] = dropped;
  expect_room_for_text(recorded);
  ordered_json about = report;
  for (auto& [key, value] : provenance()) about["provenance"][key] = std::move(value);
  chrome_trace made = chrome_trace_of(
      recorded, shown, cell_name(of.description.name, scheduler, chosen, options.workers), about);
  report["events"] = made.events;
  return {.report = std::move(report), .trace = std::move(made.text)};
}

}  // namespace stealbench::cell
