#include "bench/costs/resources.hpp"

#include <ctime>
#include <optional>
#include <stdexcept>

#include <malloc.h>

#include "results/system/usage.hpp"

namespace stealbench::costs {
namespace {

double processor_nanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

}  // namespace

figure_times time_idleness(const std::function<void()>& run) {
  constexpr std::uint64_t windows = 3;
  constexpr std::chrono::milliseconds window{200};
  figure_times times = time_each(windows, [&] {
    run();
    std::this_thread::sleep_for(until_asleep);
    const double before = processor_nanoseconds();
    const double seconds = nanoseconds_of([&] { std::this_thread::sleep_for(window); }) * 1e-9;
    return (processor_nanoseconds() - before) / seconds;
  });
  times.still_seconds = std::chrono::duration<double>(until_asleep + window).count();
  return times;
}

// Counted page by page by the kernel: VmRSS of /proc/self/status lags behind by up to some dozen
// pages a thread, as much as what is measured.
double resident_bytes() {
  malloc_trim(0);  // Else a pool gets pages that an earlier one has left to the allocator.
  const std::optional<double> bytes = system::bytes_in_proc("smaps_rollup", "Rss:");
  if (bytes) return *bytes;
  throw std::runtime_error("/proc/self/smaps_rollup: no line 'Rss:'; memory cannot be measured");
}

}  // namespace stealbench::costs
