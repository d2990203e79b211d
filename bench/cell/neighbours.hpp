// Other programs that want the processors while a workload is measured.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

#include <sys/types.h>

namespace stealbench::cell {

/// Processes of one thread each, which count for as long as the object lives and never wait. Not
/// for two threads at once.
class neighbours {
 public:
  using clock = std::chrono::steady_clock;

  struct reading {
    std::uint64_t counted;
    clock::time_point when;
  };

  /// Starts them, and measures for `alone` how fast they count while this process sleeps. Throws
  /// std::system_error if one cannot be started.
  explicit neighbours(unsigned count, std::chrono::milliseconds alone = usual_time_alone);
  neighbours(const neighbours&) = delete;
  neighbours& operator=(const neighbours&) = delete;
  ~neighbours();

  [[nodiscard]] reading read() const;

  /// How fast they counted alone, all together [1/s].
  [[nodiscard]] double rate_alone() const { return alone_; }
  /// How fast they have counted since then, as a part of how fast they did alone.
  [[nodiscard]] double share_since(const reading& before) const {
    return rate_since(before) / alone_;
  }

 private:
  static constexpr std::chrono::milliseconds usual_time_alone{100};

  // Each on a cache line of its own.
  struct alignas(128) counter {
    std::atomic<std::uint64_t> value;
  };

  [[nodiscard]] double rate_since(const reading& before) const;
  void end();

  std::span<counter> counters_;  // In memory that the processes share.
  std::vector<pid_t> processes_;
  double alone_ = 0;
};

}  // namespace stealbench::cell
