// What the processors count while a program runs, by Linux's perf_event_open(2).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "results/system/whole_file.hpp"

namespace stealbench::system {

struct hardware_event {
  const char* name;
  std::uint64_t number;  ///< Of the type PERF_TYPE_HARDWARE.
};

/// In user mode, of the thread that makes the object and of all threads that come from it later.
class hardware_counters {
 public:
  static const std::array<hardware_event, 3> all;  ///< Cycles, instructions, cache misses.

  /// Opens a counter, or returns -1 and sets errno. Another one than the kernel's is for tests.
  using opener = std::function<int(const hardware_event&)>;
  explicit hardware_counters(const opener& open = open_event);

  /// Why there is nothing to read; empty if there is.
  [[nodiscard]] const std::string& why_not() const { return why_not_; }

  /// Counts since the object was made, in the order of the events; scaled where they took turns on
  /// a processor that has too few counters. Empty where there is nothing to read.
  [[nodiscard]] std::vector<double> read() const;

 private:
  static int open_event(const hardware_event& which);

  std::vector<file_descriptor> counters_;
  std::string why_not_;
};

}  // namespace stealbench::system
