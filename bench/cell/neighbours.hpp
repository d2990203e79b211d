// Other programs that want the processors while a benchmark is measured.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <sys/types.h>

#include "bench/cell/cell.hpp"

namespace stealbench::cell {

/// Processes that are stopped by signal, and so use no processor, except between `resume` and
/// `stop`. They end with the object. For one thread.
class neighbours {
 public:
  neighbours(const neighbours&) = delete;
  neighbours& operator=(const neighbours&) = delete;
  virtual ~neighbours();

  /// Brings them to where they can be resumed; once. Throws std::system_error if one cannot be
  /// started, and as `stop`.
  virtual void start() = 0;
  void resume();

  struct outcome {
    std::optional<double> share;  ///< Their speed since `resume`, over that alone; none if idle.
    double processors;            ///< How many they used meanwhile, on average.
  };
  /// `seconds_alone` is what a run of the benchmark takes alone, and `run` runs it once more: as
  /// long as they measure, it has to go on. Throws std::runtime_error with the reason if one of
  /// them has failed or ended.
  [[nodiscard]] outcome stop(double seconds_alone, const std::function<void()>& run);

 protected:
  neighbours() = default;

  /// True in the new process, which ends with this one.
  [[nodiscard]] bool fork_one();
  /// Stops all. Requires: they run.
  void pause();

 private:
  virtual void begin() = 0;  ///< They are about to be resumed.
  virtual std::optional<double> share(double seconds_alone, const std::function<void()>& run) = 0;
  [[nodiscard]] double cpu_seconds() const;

  std::vector<pid_t> processes_;
  clock::time_point resumed_;
  double used_before_ = 0;
};

/// One thread each, which counts and never waits.
class counting_processes final : public neighbours {
 public:
  struct reading {
    std::uint64_t counted;
    clock::time_point when;
  };

  /// `start` measures for `alone` how fast they count while this process sleeps.
  explicit counting_processes(unsigned count, std::chrono::milliseconds alone = usual_time_alone);
  ~counting_processes() override;

  void start() override;
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

  void begin() override { before_ = read(); }
  std::optional<double> share(double /*seconds_alone*/,
                              const std::function<void()>& /*run*/) override {
    return share_since(before_);
  }
  [[nodiscard]] double rate_since(const reading& before) const;

  std::chrono::milliseconds time_alone_;
  std::span<counter> counters_;  // In memory that the processes share.
  double alone_ = 0;
  reading before_{};
};

/// A second process of the benchmark.
struct second_pool {
  std::function<std::unique_ptr<cell>()> make;
  std::chrono::nanoseconds sample;
  double slowed_by;
  bool is_idle;  ///< Whether it does nothing after its first run.
};

/// It makes the cell and runs it once at `start`. Resumed, it measures its own runs for `sample`,
/// and goes on with them until it is stopped. Forked at once, for a process with threads cannot be:
/// a cell must not have been made before.
[[nodiscard]] std::unique_ptr<neighbours> fork_pool(const second_pool& what);

}  // namespace stealbench::cell
