#include "bench/system/fake_time_fixture.hpp"

#include <atomic>
#include <cmath>
#include <ctime>

#include <sys/resource.h>

namespace stealbench::system {
namespace {

/// In the units of getrusage. Relaxed, here and below: the test orders what its threads do.
struct account {
  std::atomic<std::int64_t> user_us{0};
  std::atomic<std::int64_t> system_us{0};
  std::atomic<std::int64_t> slept{0};
  std::atomic<std::int64_t> forced{0};

  void add(const usage& more) {
    user_us += std::llround(more.user_seconds * 1e6);
    system_us += std::llround(more.system_seconds * 1e6);
    slept += std::llround(more.voluntary_switches);
    forced += std::llround(more.forced_switches);
  }
  void clear() { user_us = system_us = slept = forced = 0; }
};

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): as the machine's own clocks
std::atomic<bool> is_faked{false};
std::atomic<std::int64_t> now_ns{0};
std::atomic<std::int64_t> reading_ns{0};
std::array<std::chrono::nanoseconds, 5> longer_readings{};
std::atomic<std::size_t> readings{0};
std::atomic<double> used_while_asleep{0};
account of_process;
thread_local std::int64_t slept_here = 0;
thread_local std::int64_t forced_here = 0;
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

// A clock does not begin at zero.
constexpr std::int64_t beginning_ns = 1'000'000'007;

timeval from_us(std::int64_t us) { return {.tv_sec = us / 1'000'000, .tv_usec = us % 1'000'000}; }

}  // namespace

fake_time::fake_time(std::chrono::nanoseconds per_reading) {
  now_ns = beginning_ns;
  reading_ns = per_reading.count();
  longer_readings = {};
  used_while_asleep = 0;
  of_process.clear();
  // What has happened before is no part of what is measured.
  use({.user_seconds = 1000.25,
       .system_seconds = 100.5,
       .voluntary_switches = 10,
       .forced_switches = 1});
  is_faked = true;
}
fake_time::~fake_time() { is_faked = false; }

std::chrono::nanoseconds fake_time::passed() {
  return std::chrono::nanoseconds(now_ns - beginning_ns);
}
void fake_time::vary_readings(std::array<std::chrono::nanoseconds, 5> more) {
  readings = 0;
  longer_readings = more;
}
void fake_time::pass(std::chrono::nanoseconds wall) { now_ns += wall.count(); }
void fake_time::use(const usage& more) { of_process.add(more); }
void fake_time::use_while_asleep(double processors) { used_while_asleep = processors; }
void fake_time::switch_thread(std::int64_t slept, std::int64_t forced) {
  slept_here += slept;
  forced_here += forced;
}

// What the linker calls instead of the functions of these names, and the functions themselves.
std::chrono::steady_clock::time_point real_now() noexcept
    __asm__("__real__ZNSt6chrono3_V212steady_clock3nowEv");
std::chrono::steady_clock::time_point wrapped_now() noexcept
    __asm__("__wrap__ZNSt6chrono3_V212steady_clock3nowEv");
int real_getrusage(int who, rusage* used) __asm__("__real_getrusage");
int wrapped_getrusage(int who, rusage* used) __asm__("__wrap_getrusage");
int real_clock_gettime(clockid_t which, timespec* now) __asm__("__real_clock_gettime");
int wrapped_clock_gettime(clockid_t which, timespec* now) __asm__("__wrap_clock_gettime");
int real_nanosleep(const timespec* time, timespec* left) __asm__("__real_nanosleep");
int wrapped_nanosleep(const timespec* time, timespec* left) __asm__("__wrap_nanosleep");

std::chrono::steady_clock::time_point wrapped_now() noexcept {
  if (!is_faked) return real_now();
  const std::chrono::nanoseconds longer = longer_readings[readings++ % longer_readings.size()];
  return std::chrono::steady_clock::time_point(
      std::chrono::nanoseconds(now_ns.fetch_add(reading_ns + longer.count())));
}

int wrapped_getrusage(int who, rusage* used) {
  if (!is_faked) return real_getrusage(who, used);
  *used = {};
  // No member that is not asked for is a plausible value.
  used->ru_maxrss = used->ru_minflt = used->ru_majflt = used->ru_nswap = -7'777'777;
  used->ru_inblock = used->ru_oublock = used->ru_nsignals = -8'888'888;
  if (who == RUSAGE_THREAD) {
    used->ru_nvcsw = slept_here;
    used->ru_nivcsw = forced_here;
    return 0;
  }
  if (who != RUSAGE_SELF) return real_getrusage(who, used);
  used->ru_utime = from_us(of_process.user_us);
  used->ru_stime = from_us(of_process.system_us);
  used->ru_nvcsw = of_process.slept;
  used->ru_nivcsw = of_process.forced;
  return 0;
}

int wrapped_clock_gettime(clockid_t which, timespec* now) {
  if (!is_faked || which != CLOCK_PROCESS_CPUTIME_ID) return real_clock_gettime(which, now);
  const std::int64_t us = of_process.user_us + of_process.system_us;
  *now = {.tv_sec = us / 1'000'000, .tv_nsec = us % 1'000'000 * 1000};
  return 0;
}

int wrapped_nanosleep(const timespec* time, timespec* left) {
  if (!is_faked) return real_nanosleep(time, left);
  const auto asleep = std::chrono::seconds(time->tv_sec) + std::chrono::nanoseconds(time->tv_nsec);
  fake_time::pass(asleep);
  fake_time::use(
      {.user_seconds = used_while_asleep * std::chrono::duration<double>(asleep).count()});
  return 0;
}

}  // namespace stealbench::system
