#include "bench/cell/trace/chrome_trace.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace stealbench::cell {
namespace {

using nlohmann::ordered_json;
using schedulers::activity;
using schedulers::interval;

// By activity.
constexpr std::array<std::string_view, 4> names{"away", "run", "look for work", "parked"};

double microseconds(interval::time from, interval::time to) {
  return std::chrono::duration<double, std::micro>(to - from).count();
}

/// With what every event has. The format wants a process, and there is one.
ordered_json event(std::string_view name, std::string_view phase, unsigned worker,
                   ordered_json args) {
  return {{"name", name}, {"ph", phase}, {"pid", 1}, {"tid", worker}, {"args", std::move(args)}};
}

ordered_json complete_event(const interval& of, unsigned worker, const time_window& shown) {
  const interval::time begin = std::max(of.begin, shown.begin);
  ordered_json args = ordered_json::object();
  if (of.what == activity::searching) args["failed_steals"] = of.failed_steals;
  ordered_json made =
      event(names.at(static_cast<std::size_t>(of.what)), "X", worker, std::move(args));
  made["cat"] = "worker";
  made["ts"] = microseconds(shown.begin, begin);
  made["dur"] = microseconds(begin, std::min(of.end, shown.end));
  return made;
}

ordered_json steal_event(const interval& of, unsigned worker, const time_window& shown) {
  ordered_json made = event("steal", "i", worker, {{"victim", of.victim}});
  made["cat"] = "worker";
  made["s"] = "t";  // Of the thread, and so drawn on its track.
  made["ts"] = microseconds(shown.begin, of.begin);
  return made;
}

}  // namespace

chrome_trace chrome_trace_of(const schedulers::timeline& recorded, const time_window& shown,
                             const std::string& title, const ordered_json& about) {
  chrome_trace made;
  // Event by event: a document of all of them would take several times the file's size.
  std::string list = event("process_name", "M", 0, {{"name", title}}).dump();
  for (unsigned worker = 0; worker < recorded.workers(); ++worker) {
    const auto add = [&](const ordered_json& event) { list += ",\n" + event.dump(); };
    add(event("thread_name", "M", worker, {{"name", fmt::format("worker {}", worker)}}));
    for (const interval& each : recorded.of(worker).intervals()) {
      if (each.end <= shown.begin || each.begin >= shown.end) continue;
      if (each.victim != interval::no_victim) {
        add(steal_event(each, worker, shown));
        ++made.events;
      }
      add(complete_event(each, worker, shown));
      ++made.events;
    }
  }
  made.text = fmt::format(
      "{{\"displayTimeUnit\": \"ns\",\n\"otherData\": {},\n\"traceEvents\": [\n{}\n]}}\n",
      about.dump(), list);
  return made;
}

}  // namespace stealbench::cell
