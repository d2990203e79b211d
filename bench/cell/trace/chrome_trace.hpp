// A recording in the Trace Event Format, which Perfetto and chrome://tracing open.
#pragma once

#include <cstdint>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "schedulers/timeline.hpp"

namespace stealbench::cell {

/// The part of a recording that is shown.
struct time_window {
  schedulers::interval::time begin;
  schedulers::interval::time end;
};

struct chrome_trace {
  std::string text;          ///< One JSON object: the events, and `otherData`.
  std::uint64_t events = 0;  ///< Complete and instant ones.
};

/// Of each worker a thread: its intervals as complete events (`run`, `look for work`, `parked`),
/// cut at the ends of the window (`failed_steals` is not), and an instant event for each steal.
/// Times are microseconds since the window's beginning. `title` names the process, `about` becomes
/// `otherData`.
[[nodiscard]] chrome_trace chrome_trace_of(const schedulers::timeline& recorded,
                                           const time_window& shown, const std::string& title,
                                           const nlohmann::ordered_json& about);

}  // namespace stealbench::cell
