#include "schedulers/work_span/recorder.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <ctime>
#include <string_view>
#include <utility>

namespace stealbench::work_span {
namespace {

constexpr std::size_t intervals = 64;

/// Processor time: a strand that is interrupted would be longer by the wait, and a span is a
/// maximum, into which each such strand goes.
std::uint64_t thread_ns() {
  timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return static_cast<std::uint64_t>(used.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(used.tv_nsec);
}

/// The median distance of two successive readings, which is what an empty strand would last.
std::uint64_t price_of(std::uint64_t (*clock)()) {
  std::array<std::uint64_t, 101> apart{};
  for (std::uint64_t& each : apart) {
    const std::uint64_t first = clock();
    each = clock() - first;
  }
  std::ranges::nth_element(apart, apart.begin() + apart.size() / 2);
  return apart[apart.size() / 2];
}

}  // namespace

void path::join(const path& other) {
  if (other.ns > ns) {
    ns = other.ns;
    ns_at = other.ns_at;
    ns_at_depth = other.ns_at_depth;
  }
  if (other.burdened_ns > burdened_ns) {
    burdened_ns = other.burdened_ns;
    burdens = other.burdens;
  }
  units = std::max(units, other.units);
}

recorder::recorder(const settings& chosen) : chosen_(chosen) {
  if (chosen_.clock == nullptr) chosen_.clock = thread_ns;
  if (chosen_.unit_ns == 0) clock_price_ns_ = price_of(chosen_.clock);
  seen_.places.emplace_back();
  seen_.work_over_time.resize(intervals);
  seen_.interval_ns = 1;
  begin_strand(0);
}

void recorder::children::offer(task_kind kind, std::uint64_t tasks, const char* file,
                               unsigned line) {
  owner_.end_strand();
  place_ = owner_.place_of(file, line);
  owner_.seen_.tasks += tasks;
  owner_.seen_.tasks_of_kind.at(static_cast<std::size_t>(kind)) += tasks;
  ++live_;
  ++owner_.live_;
}

// Live tasks are counted as if the children ran here, one after the other. While any of them runs,
// all of them are live, and with them what their parent has not joined of other groups, and what is
// live inside the one that runs. A parent has the most of them just before a join.
void recorder::children::join(std::size_t place) {
  owner_.end_strand();
  owner_.path_.join(longest_);
  owner_.most_live_ =
      std::max(owner_.most_live_, owner_.live_ + std::exchange(most_live_inside_, 0));
  owner_.live_ -= std::exchange(live_, 0);
  owner_.begin_strand(place);
}

recorder::child::child(children& siblings, bool is_stolen)
    : siblings_(siblings),
      parent_(siblings.owner_.path_),
      parent_live_(std::exchange(siblings.owner_.live_, 0)),
      parent_most_live_(std::exchange(siblings.owner_.most_live_, 0)) {
  recorder& owner = siblings_.owner_;
  if (is_stolen) {
    owner.path_.burdened_ns += owner.chosen_.burden_ns;
    ++owner.path_.burdens;
  }
  owner.seen_.depth = std::max(owner.seen_.depth, ++owner.depth_);
  owner.begin_strand(siblings_.place_);
}

recorder::child::~child() {
  recorder& owner = siblings_.owner_;
  owner.end_strand();
  siblings_.longest_.join(owner.path_);
  owner.path_ = parent_;
  siblings_.most_live_inside_ = std::max(siblings_.most_live_inside_, owner.most_live_);
  owner.live_ = parent_live_;
  owner.most_live_ = parent_most_live_;
  --owner.depth_;
}

void recorder::begin_strand(std::size_t place) {
  place_ = place;
  is_running_ = true;
  if (chosen_.unit_ns == 0) began_ = chosen_.clock();
}

void recorder::end_strand() {
  if (!std::exchange(is_running_, false)) return;
  double ns = chosen_.unit_ns * static_cast<double>(units_);
  if (chosen_.unit_ns == 0) {
    const std::uint64_t elapsed = chosen_.clock() - began_;
    ns = chosen_.clock_ns * static_cast<double>(elapsed - std::min(elapsed, clock_price_ns_));
  }
  seen_.work_units += units_;
  path_.units += units_;
  units_ = 0;
  if (ns == 0) return;
  ++seen_.strands;
  const auto whole = static_cast<std::uint64_t>(ns);
  ++seen_.strands_of_length[std::min<std::size_t>(std::bit_width(whole | 1) - 1,
                                                  length_classes - 1)];
  add_over_time(path_.ns, ns);
  seen_.work_ns += ns;
  seen_.places[place_].work_ns += ns;
  path_.ns += ns;
  path_.burdened_ns += ns;
  path_.ns_at[place_] += ns;
  path_.ns_at_depth[std::min<std::uint64_t>(depth_, most_depths - 1)] += ns;
}

// As it becomes too short, two intervals become one.
void recorder::add_over_time(double begin, double ns) {
  std::vector<double>& work = seen_.work_over_time;
  double& interval = seen_.interval_ns;
  while (begin + ns > interval * intervals) {
    for (std::size_t i = 0; i < intervals; ++i) {
      work[i] = i < intervals / 2 ? work[2 * i] + work[2 * i + 1] : 0;
    }
    interval *= 2;
  }
  for (auto i = static_cast<std::size_t>(begin / interval); ns > 0 && i < intervals; ++i) {
    const double part = std::min(ns, interval * static_cast<double>(i + 1) - begin);
    if (part <= 0) continue;
    work[i] += part;
    begin += part;
    ns -= part;
  }
}

std::size_t recorder::place_of(const char* file, unsigned line) {
  std::vector<place>& known = seen_.places;
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (known[i].line == line && std::string_view(known[i].file) == file) return i;
  }
  if (known.size() < most_places) known.push_back({.file = file, .line = line});
  return known.size() - 1;
}

record recorder::end() {
  end_strand();
  seen_.span_ns = path_.ns;
  seen_.burdened_span_ns = path_.burdened_ns;
  seen_.burdens = path_.burdens;
  seen_.span_units = path_.units;
  seen_.most_live_tasks = most_live_;
  seen_.span_ns_at_depth = path_.ns_at_depth;
  for (std::size_t i = 0; i < seen_.places.size(); ++i) seen_.places[i].span_ns = path_.ns_at[i];
  const auto used = static_cast<std::size_t>(std::ceil(seen_.span_ns / seen_.interval_ns));
  seen_.work_over_time.resize(std::clamp<std::size_t>(used, 1, intervals));
  return std::move(seen_);
}

}  // namespace stealbench::work_span
