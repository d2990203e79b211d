// For tests of what measures: clocks and accounting that show what the test says. Whoever links
// stealbench_fake_time gets them by the linker (--wrap); what is tested is the code that measures.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>

#include "bench/system/usage.hpp"

namespace stealbench::system {

/// While it lives, the steady clock, the processor time of this process, the resource usage of the
/// process and of the calling thread, and sleeping are those of the test. One at a time. The
/// members may be called by any thread.
class fake_time {
 public:
  /// Reading the steady clock takes `per_reading`, and shows the time before that.
  explicit fake_time(std::chrono::nanoseconds per_reading = {});
  fake_time(const fake_time&) = delete;
  fake_time& operator=(const fake_time&) = delete;
  ~fake_time();

  /// From now on a reading takes the first of these times longer, the next one the second, and
  /// behind the last one the first again. Called by one thread.
  static void vary_readings(std::array<std::chrono::nanoseconds, 5> more);
  /// Since it was made.
  [[nodiscard]] static std::chrono::nanoseconds passed();
  /// Wall time passes, in which no thread runs.
  static void pass(std::chrono::nanoseconds wall);
  /// This process uses the machine, in no wall time. In whole microseconds.
  static void use(const usage& more);
  /// From now on this process uses this number of processors, in user mode, while a thread
  /// sleeps.
  static void use_while_asleep(double processors);
  /// The calling thread gives its processor up, or loses it.
  static void switch_thread(std::int64_t slept, std::int64_t forced);
};

}  // namespace stealbench::system
