// What each worker did and when: the recording of a counting scheduler.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace stealbench::schedulers {

/// What a worker does for an interval of time.
enum class activity : std::uint8_t {
  away,       ///< Nothing here: worker 0 outside of `run`, a thread before and after its life.
  running,    ///< It is busy, as in worker_counters.
  searching,  ///< It looks for work.
  parked,     ///< It sleeps.
};

struct interval {
  using time = std::chrono::steady_clock::time_point;
  static constexpr unsigned no_victim = ~0U;

  time begin;
  time end;
  activity what = activity::away;
  unsigned victim = no_victim;      ///< If it begins with a steal: the worker whose job it is.
  std::uint64_t failed_steals = 0;  ///< While it looked for work.
};

/// The intervals of one worker, in order, each of which begins as the one before ends or later.
/// Written by that worker alone.
class alignas(64) track {
 public:
  /// Room for `capacity` intervals. Throws std::bad_alloc.
  explicit track(std::size_t capacity) : intervals_(capacity) {
    intervals_.clear();  // Keeps the memory, whose pages are faulted in now and not during the run.
  }

  /// Constant time, and no allocation: what finds no room is dropped, and counted.
  void add(const interval& what) noexcept {
    if (intervals_.size() == intervals_.capacity()) {
      ++dropped_;
    } else {
      intervals_.push_back(what);
    }
  }

  [[nodiscard]] const std::vector<interval>& intervals() const { return intervals_; }
  [[nodiscard]] std::uint64_t dropped() const { return dropped_; }

 private:
  std::vector<interval> intervals_;
  std::uint64_t dropped_ = 0;
};

/// A track for each worker. Nothing here is atomic, and need not be: a worker writes its own track
/// only, from the scheduler's construction on, which starts the threads, to its destruction, which
/// joins them. In between idle workers go on writing, also after a run has ended. So it is made
/// before the scheduler, and read once the scheduler is gone.
class timeline {
 public:
  /// Throws std::bad_alloc.
  timeline(unsigned workers, std::size_t capacity_per_worker) : tracks_(workers, track(0)) {
    for (track& each : tracks_) each = track(capacity_per_worker);
  }

  /// Requires: worker < workers().
  [[nodiscard]] track& of(unsigned worker) { return tracks_[worker]; }
  [[nodiscard]] const track& of(unsigned worker) const { return tracks_[worker]; }
  [[nodiscard]] unsigned workers() const { return static_cast<unsigned>(tracks_.size()); }

 private:
  std::vector<track> tracks_;
};

}  // namespace stealbench::schedulers
