// Where the time of a simulation's threads went.
#include <algorithm>
#include <functional>
#include <memory>

#include "schedulers/virtual_machine/simulation.hpp"
#include "schedulers/virtual_machine/thread.hpp"

namespace stealbench::virtual_machine {
namespace {

void add_to(time_spent& sum, const time_spent& more) {
  sum.work += more.work;
  sum.search += more.search;
  sum.lines += more.lines;
  sum.asleep += more.asleep;
}

}  // namespace

void simulation::does(activity next) {
  thread& self = *running_;
  if (self.does == activity::searching) self.spent.search += running.now - self.since;
  self.does = next;
  self.since = running.now;
}

void simulation::await_stillness() {
  constexpr picoseconds step = 100'000'000;
  constexpr unsigned most_steps = 500;
  const auto is_still = [&](const std::unique_ptr<thread>& each) {
    return each == nullptr || each.get() == running_ || each->is_done || each->awaited != nullptr;
  };
  for (unsigned i = 0; i < most_steps && !std::ranges::all_of(threads_, is_still); ++i) {
    sleep_for(step);
  }
}

void simulation::begin_window(unsigned workers) {
  is_in_window_ = true;
  workers_in_window_ = workers;
  window_begin_ = running.now;
  current_.units = 0;
  current_.charged = {};
  for (line_wait& each : current_.lines) each = {};
  for (const auto& each : threads_) {
    if (each == nullptr) continue;
    each->spent = {};
    each->spent_searching = {};
    each->since = running.now;
    each->asleep_since = running.now;
    each->line_arrives = running.now;
  }
}

window simulation::end_window() {
  is_in_window_ = false;
  window seen = current_;
  seen.length = running.now - window_begin_;
  for (const auto& each : threads_) {
    if (each == nullptr || each->is_done || each->number > workers_in_window_) continue;
    ++seen.threads;
    time_spent spent = each->spent;
    time_spent searching = each->spent_searching;
    // It gives way where it waits, and so only its latest wait reaches behind the window.
    const picoseconds behind = std::max<picoseconds>(each->line_arrives - running.now, 0);
    spent.lines -= behind;
    if (each->does == activity::searching) searching.lines -= behind;
    seen.lines[each->awaited_line].time -= behind;
    if (each->is_asleep) {
      const picoseconds asleep = std::max<picoseconds>(running.now - each->asleep_since, 0);
      spent.asleep += asleep;
      if (each->does == activity::searching) searching.asleep += asleep;
    }
    if (each->does == activity::searching) {
      spent.search += std::max<picoseconds>(running.now - each->since, 0);
    }
    spent.search = std::max<picoseconds>(spent.search - searching.lines - searching.asleep, 0);
    add_to(seen.spent, spent);
  }
  for (std::size_t i = 0; i < seen.lines.size(); ++i) seen.lines[i].name = names_[i];
  std::erase_if(seen.lines, [](const line_wait& each) { return each.waits == 0; });
  std::ranges::stable_sort(seen.lines, std::greater<>{}, &line_wait::time);
  return seen;
}

}  // namespace stealbench::virtual_machine
