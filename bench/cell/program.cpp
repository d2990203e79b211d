#include "bench/cell/program.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <fstream>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "bench/cell/google_benchmark.hpp"
#include "bench/cell/trace/chrome_trace.hpp"
#include "bench/system/host.hpp"
#include "schedulers/settings.hpp"
#include "schedulers/timeline.hpp"

namespace stealbench::cell {
namespace {

using nlohmann::ordered_json;

ordered_json description_of_run(const program& subject, std::string_view scheduler,
                                const kit::parameters& chosen, const schedulers::options& options) {
  return {{"workload", subject.description.name},
          {"scheduler", scheduler},
          {"workers", options.workers},
          {"parameters", json_of(chosen)}};
}

measurement run_into(ordered_json& report, cell& subject) {
  const measurement ran = subject.run();
  report["answer"] = subject.answer();
  report["verified"] = json_of(ran.verified);
  report["time_ns"] = ran.wall.count();
  return ran;
}

/// Of the run of the median time among those that last for so long together, at least one, after
/// the first one.
void count_steadily(ordered_json& report, cell& counting, std::chrono::nanoseconds at_least) {
  std::vector<std::pair<std::chrono::nanoseconds, schedulers::counters>> runs;
  std::chrono::nanoseconds total{0};
  do {
    const schedulers::counters before = counting.counters().value();
    const measurement ran = counting.run();
    if (ran.verified == false) report["verified"] = false;
    runs.emplace_back(ran.wall, since(counting.counters().value(), before));
    total += ran.wall;
  } while (total < at_least);
  const auto middle = runs.begin() + static_cast<std::ptrdiff_t>(runs.size() / 2);
  std::ranges::nth_element(runs, middle, {}, [](const auto& each) { return each.first; });
  report["counters"] = json_of(std::optional(middle->second));
  report["counters"]["wall_ns"] = middle->first.count();
}

/// All of the room for intervals is taken before the run: its pages are faulted in.
void expect_room(std::size_t events_per_worker, unsigned workers) {
  const double bytes_each = static_cast<double>(sizeof(schedulers::interval)) * workers;
  const double needed = static_cast<double>(events_per_worker) * bytes_each;
  const std::optional<double> left = system::memory_left();
  if (!left || needed <= *left) return;
  throw kit::bad_input(fmt::format(
      "--events {}: room for that many intervals of each of {} workers needs {} of memory, and {} "
      "are left; valid: --events up to {}, or fewer --workers",
      events_per_worker, workers, system::bytes_in_words(needed), system::bytes_in_words(*left),
      std::max<std::size_t>(static_cast<std::size_t>(*left / bytes_each), 1)));
}

}  // namespace

ordered_json json_of(const kit::parameters& chosen) {
  ordered_json object = ordered_json::object();
  for (const auto& [key, value] : chosen.all()) {
    std::visit([&, &name = key](const auto& typed) { object[name] = typed; }, value);
  }
  return object;
}

ordered_json json_of(const std::optional<schedulers::counters>& counted) {
  if (!counted) return nullptr;
  ordered_json all = ordered_json::object();
  for (const auto& [name, value, is_sum] : schedulers::every_counter) all[name] = (*counted).*value;
  ordered_json& per_worker = all["per_worker"] = ordered_json::array();
  for (const schedulers::worker_counters& each : counted->per_worker) {
    per_worker.push_back({{"jobs_run", each.jobs_run}, {"busy_ns", each.busy_ns}});
  }
  return all;
}

ordered_json json_of(std::optional<bool> verified) {
  return verified ? ordered_json(*verified) : nullptr;
}

schedulers::options options_of(std::string_view scheduler, unsigned workers, bool pin,
                               std::size_t stack_mib, const schedulers::variant& chosen) {
  schedulers::options options{.workers = workers, .pin = pin, .stack_bytes = stack_mib << 20};
  schedulers::apply(scheduler, chosen, options);
  return options;
}

std::string cell_name(std::string_view workload, std::string_view scheduler,
                      const kit::parameters& chosen, unsigned workers) {
  std::string name = fmt::format("{}/{}", workload, scheduler);
  for (const auto& [key, value] : chosen.all()) {
    if (chosen.was_set(key)) name += fmt::format("/{}:{}", key, kit::to_string(value));
  }
  return name + fmt::format("/workers:{}", workers);
}

ordered_json run_once(const program& subject, std::string_view scheduler,
                      const kit::parameters& chosen, const schedulers::options& options,
                      std::optional<std::chrono::nanoseconds> counted_alone) {
  ordered_json report = description_of_run(subject, scheduler, chosen, options);
  for (const char* const key : {"answer", "verified", "time_ns", "counters"}) report[key] = nullptr;
  if (!counted_alone) {
    const std::unique_ptr<cell> timed = subject.timed(options, chosen);
    run_into(report, *timed);
    report["counters"] = timed->own_counters();
  }
  if (subject.counting == nullptr) return report;
  const std::unique_ptr<cell> counting = subject.counting(options, chosen);
  if (counting->run().verified == false) report["verified"] = false;
  report["counters"] =
      counting->counters() ? json_of(counting->counters()) : counting->own_counters();
  if (counted_alone && counting->counters()) count_steadily(report, *counting, *counted_alone);
  return report;
}

ordered_json trace_once(const program& subject, std::string_view scheduler,
                        const kit::parameters& chosen, const schedulers::options& options,
                        std::size_t events_per_worker, const std::string& file) {
  if (subject.counting == nullptr) {
    throw kit::bad_input(fmt::format(
        "scheduler {} cannot be traced, because it has no counters; valid: one that has",
        scheduler));
  }
  expect_room(events_per_worker, options.workers);
  schedulers::timeline recorded(options.workers, events_per_worker);
  schedulers::options recording = options;
  recording.recording = &recorded;

  ordered_json report = description_of_run(subject, scheduler, chosen, options);
  time_window shown{};
  {
    const std::unique_ptr<cell> counting = subject.counting(recording, chosen);
    const measurement ran = run_into(report, *counting);
    shown = {.begin = ran.begin, .end = ran.begin + ran.wall};
    report["counters"] = json_of(counting->counters());
  }  // Joins the workers' threads: what they have recorded can be read from here on.

  std::uint64_t dropped = 0;
  for (unsigned i = 0; i < recorded.workers(); ++i) dropped += recorded.of(i).dropped();
  report["dropped_intervals"] = dropped;
  if (report["verified"] == false) return report;
  std::ofstream to(file);
  if (!to) {
    throw kit::bad_input(
        fmt::format("output file '{}': {}; valid: a file in a folder that can be written", file,
                    std::generic_category().message(errno)));
  }
  ordered_json about = report;
  about["provenance"] = provenance();
  report["events"] = write_chrome_trace(
      to, recorded, shown, cell_name(subject.description.name, scheduler, chosen, options.workers),
      about);
  if (!to.flush()) {
    throw std::system_error(errno, std::generic_category(), "cannot write " + file);
  }
  return report;
}

}  // namespace stealbench::cell
