// A recording in the Trace Event Format, which Perfetto and chrome://tracing open.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "schedulers/timeline.hpp"

namespace stealbench::cell {

/// The part of a recording that is shown.
struct time_window {
  schedulers::interval::time begin;
  schedulers::interval::time end;
};

/// Writes one JSON object, and returns how many complete and instant events it has. Of each worker
/// a thread: its intervals as complete events (`run`, `look for work`, `parked`), cut at the ends
/// of the window (`failed_steals` is not), and an instant event for each steal. Times are
/// microseconds since the window's beginning. `title` names the process, `about` becomes
/// `otherData`.
std::uint64_t write_chrome_trace(std::ostream& to, const schedulers::timeline& recorded,
                                 const time_window& shown, const std::string& title,
                                 const nlohmann::ordered_json& about);

}  // namespace stealbench::cell
