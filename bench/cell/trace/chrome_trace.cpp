#include "bench/cell/trace/chrome_trace.hpp"

#include <algorithm>
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

// The format wants one, and there is one.
constexpr int process_id = 1;

std::string_view name_of(activity what) {
  switch (what) {
    case activity::running:
      return "run";
    case activity::searching:
      return "look for work";
    case activity::parked:
      return "parked";
    case activity::away:
      break;
  }
  return "away";
}

double microseconds(interval::time from, interval::time to) {
  return std::chrono::duration<double, std::micro>(to - from).count();
}

/// An event that names something in the viewer.
ordered_json label(std::string_view what, unsigned worker, const std::string& name) {
  return {{"name", what},
          {"ph", "M"},
          {"pid", process_id},
          {"tid", worker},
          {"args", {{"name", name}}}};
}

ordered_json complete_event(const interval& of, unsigned worker, const time_window& shown) {
  const interval::time begin = std::max(of.begin, shown.begin);
  const interval::time end = std::min(of.end, shown.end);
  ordered_json arguments = ordered_json::object();
  if (of.what == activity::searching) arguments["failed_steals"] = of.failed_steals;
  return {{"name", name_of(of.what)},
          {"cat", "worker"},
          {"ph", "X"},
          {"ts", microseconds(shown.begin, begin)},
          {"dur", microseconds(begin, end)},
          {"pid", process_id},
          {"tid", worker},
          {"args", std::move(arguments)}};
}

ordered_json steal_event(const interval& of, unsigned worker, const time_window& shown) {
  return {{"name", "steal"},
          {"cat", "worker"},
          {"ph", "i"},
          {"s", "t"},  // Of the thread, and so drawn on its track.
          {"ts", microseconds(shown.begin, of.begin)},
          {"pid", process_id},
          {"tid", worker},
          {"args", {{"victim", of.victim}}}};
}

}  // namespace

chrome_trace chrome_trace_of(const schedulers::timeline& recorded, const time_window& shown,
                             const std::string& title, const ordered_json& about) {
  chrome_trace made;
  // Event by event: a document of all of them would take several times the file's size.
  std::string list = label("process_name", 0, title).dump();
  for (unsigned worker = 0; worker < recorded.workers(); ++worker) {
    const auto add = [&](const ordered_json& event) { list += ",\n" + event.dump(); };
    add(label("thread_name", worker, fmt::format("worker {}", worker)));
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
