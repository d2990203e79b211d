#include "results/system/hardware_counters.hpp"

#include <cerrno>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "results/system/scratch_folder_fixture.hpp"

namespace {

struct opening {
  perf_event_attr wanted;
  int process;
  int processor;
  int group;
  unsigned long flags;
};
std::vector<opening>* openings = nullptr;  // The kernel opens them if this is null.

}  // namespace

// What the linker calls where the kernel is asked.
long real_syscall(long number, ...) __asm__("__real_syscall");
long wrapped_syscall(long number, const perf_event_attr* wanted, long process, long processor,
                     long group, unsigned long flags, long last) __asm__("__wrap_syscall");
long wrapped_syscall(long number, const perf_event_attr* wanted, long process, long processor,
                     long group, unsigned long flags, long last) {
  if (number != SYS_perf_event_open || openings == nullptr) {
    return real_syscall(number, wanted, process, processor, group, flags, last);
  }
  openings->push_back({*wanted, static_cast<int>(process), static_cast<int>(processor),
                       static_cast<int>(group), flags});
  return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

namespace stealbench::system {
namespace {

using values = std::vector<double>;

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class HardwareCounters : public scratch_folder {
 protected:
  /// What reads these numbers from a file, three at a time.
  [[nodiscard]] int counter_of(const std::string& name,
                               const std::vector<std::uint64_t>& numbers) const {
    const std::filesystem::path file = folder() / name;
    std::ofstream out(file, std::ios::binary);
    for (const std::uint64_t each : numbers) {
      out.write(reinterpret_cast<const char*>(&each), sizeof each);
    }
    out.close();
    return open(file.c_str(), O_RDONLY | O_CLOEXEC);
  }
};

TEST_F(HardwareCounters, ScaleWhatDidNotCountAllTheTime) {
  const hardware_counters some([&](const hardware_event& each) {
    const std::string name = each.name;
    if (name == "cycles") return counter_of(name, {1000, 50, 50, 1500, 80, 80});
    if (name == "instructions") return counter_of(name, {3000, 40, 10, 5000, 80, 40});
    return counter_of(name, {0, 40, 0, 7, 80, 80});
  });
  EXPECT_EQ(some.why_not(), "");
  EXPECT_EQ(some.read(), (values{1000, 12'000, 0}));
  EXPECT_EQ(some.read(), (values{1500, 10'000, 7}));
  EXPECT_THROW(static_cast<void>(some.read()), std::system_error);
}

TEST_F(HardwareCounters, SayWhichEventIsMissingAndWhy) {
  const hardware_counters none([&](const hardware_event& each) {
    if (std::string(each.name) == "cycles") return counter_of("cycles", {1, 1, 1});
    errno = ENOENT;
    return -1;
  });
  EXPECT_EQ(none.why_not(), "perf_event_open: instructions: No such file or directory");
  EXPECT_EQ(none.read(), values());
}

TEST_F(HardwareCounters, AreOfAllThreadsOfThisProcessInUserMode) {
  std::vector<opening> opened;
  openings = &opened;
  EXPECT_EQ(hardware_counters().why_not(), "");
  openings = nullptr;
  std::vector<std::uint64_t> events;
  for (const opening& each : opened) {
    const perf_event_attr& wanted = each.wanted;
    EXPECT_EQ(wanted.type, PERF_TYPE_HARDWARE);
    EXPECT_TRUE(wanted.inherit && wanted.exclude_kernel && wanted.exclude_hv);
    EXPECT_FALSE(wanted.disabled || wanted.exclude_user || wanted.inherit_stat);
    EXPECT_EQ(wanted.read_format, PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING);
    EXPECT_EQ(each.process, 0) << "this one";
    EXPECT_EQ(each.processor, -1) << "any";
    EXPECT_EQ(each.group, -1) << "none";
    EXPECT_EQ(each.flags, PERF_FLAG_FD_CLOEXEC);
    events.push_back(wanted.config);
  }
  EXPECT_EQ(events,
            (std::vector<std::uint64_t>{PERF_COUNT_HW_CPU_CYCLES, PERF_COUNT_HW_INSTRUCTIONS,
                                        PERF_COUNT_HW_CACHE_MISSES}));
}

// On machines that count.
TEST_F(HardwareCounters, CountThreadsThatStartLater) {
  const hardware_counters real;
  if (!real.why_not().empty()) {
    EXPECT_TRUE(real.why_not().starts_with("perf_event_open: cycles: ")) << real.why_not();
    GTEST_SKIP() << real.why_not();
  }
  const std::vector<double> before = real.read();
  constexpr int steps = 10'000'000;
  std::thread([] {
    for (volatile int i = 0; i < steps;) i = i + 1;
  }).join();
  const std::vector<double> after = real.read();
  EXPECT_GE(after[0] - before[0], steps) << "cycles";
  EXPECT_GE(after[1] - before[1], 3.0 * steps) << "instructions";
}

}  // namespace
}  // namespace stealbench::system
