#include "results/system/hardware_counters.hpp"

#include <cerrno>
#include <system_error>

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace stealbench::system {
namespace {

/// What a counter is read as, by PERF_FORMAT_TOTAL_TIME_ENABLED and _RUNNING.
struct record {
  std::uint64_t value;
  std::uint64_t enabled_ns;
  std::uint64_t running_ns;  ///< Less where events take turns.
};

}  // namespace

const std::array<hardware_event, 3> hardware_counters::all{
    {{"cycles", PERF_COUNT_HW_CPU_CYCLES},
     {"instructions", PERF_COUNT_HW_INSTRUCTIONS},
     {"cache_misses", PERF_COUNT_HW_CACHE_MISSES}}};

hardware_counters::hardware_counters(const opener& open) {
  for (const hardware_event& each : all) {
    counters_.emplace_back(open(each));
    if (counters_.back().is_open()) continue;
    why_not_ =
        fmt::format("perf_event_open: {}: {}", each.name, std::generic_category().message(errno));
    counters_.clear();
    return;
  }
}

int hardware_counters::open_event(const hardware_event& which) {
  perf_event_attr wanted{};
  wanted.type = PERF_TYPE_HARDWARE;
  wanted.size = sizeof wanted;
  wanted.config = which.number;
  wanted.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  wanted.inherit = 1;
  wanted.exclude_kernel = 1;  // Else it takes the rights of root.
  wanted.exclude_hv = 1;
  constexpr int this_process = 0;
  constexpr int any_processor = -1;
  constexpr int no_group = -1;
  return static_cast<int>(syscall(SYS_perf_event_open, &wanted, this_process, any_processor,
                                  no_group, PERF_FLAG_FD_CLOEXEC));
}

std::vector<double> hardware_counters::read() const {
  std::vector<double> values;
  for (const file_descriptor& each : counters_) {
    record now{};
    if (::read(each.number(), &now, sizeof now) != sizeof now) {
      throw std::system_error(errno, std::generic_category(), "cannot read a hardware counter");
    }
    const double part = now.running_ns == 0 ? 1
                                            : static_cast<double>(now.enabled_ns) /
                                                  static_cast<double>(now.running_ns);
    values.push_back(static_cast<double>(now.value) * part);
  }
  return values;
}

}  // namespace stealbench::system
