#include "bench/cell/trace/chrome_trace.hpp"

#include <algorithm>
#include <array>
#include <ostream>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace stealbench::cell {
namespace {

using nlohmann::ordered_json;
using schedulers::interval;

// By activity.
constexpr std::array<std::string_view, 4> names{"away", "run", "look for work", "parked"};

double microseconds(interval::time begin, interval::time end) {
  return std::chrono::duration<double, std::micro>(end - begin).count();
}

/// With what every event has. The format wants a process, and there is one.
ordered_json event(std::string_view name, std::string_view phase, unsigned worker,
                   ordered_json args, const ordered_json& more = ordered_json::object()) {
  ordered_json all{
      {"name", name}, {"ph", phase}, {"pid", 1}, {"tid", worker}, {"args", std::move(args)}};
  all.update(more);
  return all;
}

}  // namespace

std::uint64_t write_chrome_trace(std::ostream& to, const schedulers::timeline& recorded,
                                 const time_window& shown, const std::string& title,
                                 const ordered_json& about) {
  std::uint64_t events = 0;
  to << R"({"displayTimeUnit": "ns",)"
     << "\n\"otherData\": " << about << ",\n\"traceEvents\": [\n"
     << event("process_name", "M", 0, {{"name", title}});
  for (unsigned worker = 0; worker < recorded.workers(); ++worker) {
    const auto add = [&to](const ordered_json& event) { to << ",\n" << event; };
    add(event("thread_name", "M", worker, {{"name", fmt::format("worker {}", worker)}}));
    for (const interval& each : recorded.of(worker).intervals()) {
      if (each.end <= shown.begin || each.begin >= shown.end) continue;
      if (each.victim != interval::no_victim) {
        add(event("steal", "i", worker, {{"victim", each.victim}},
                  {{"cat", "worker"},
                   {"s", "t"},  // Of the thread, and so drawn on its track.
                   {"ts", microseconds(shown.begin, each.begin)}}));
        ++events;
      }
      ordered_json args = ordered_json::object();
      if (each.what == schedulers::activity::searching) args["failed_steals"] = each.failed_steals;
      const interval::time begin = std::max(each.begin, shown.begin);
      add(event(names.at(static_cast<std::size_t>(each.what)), "X", worker, std::move(args),
                {{"cat", "worker"},
                 {"ts", microseconds(shown.begin, begin)},
                 {"dur", microseconds(begin, std::min(each.end, shown.end))}}));
      ++events;
    }
  }
  to << "\n]}\n";
  return events;
}

}  // namespace stealbench::cell
