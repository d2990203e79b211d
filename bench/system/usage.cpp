#include "bench/system/usage.hpp"

#include <algorithm>
#include <fstream>
#include <functional>
#include <system_error>
#include <utility>

#include <sys/resource.h>

namespace stealbench::system {
namespace {

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

/// Each member by itself.
template <class F>
usage combined(const usage& left, const usage& right, const F& by) {
  return {.user_seconds = by(left.user_seconds, right.user_seconds),
          .system_seconds = by(left.system_seconds, right.system_seconds),
          .voluntary_switches = by(left.voluntary_switches, right.voluntary_switches),
          .forced_switches = by(left.forced_switches, right.forced_switches)};
}

}  // namespace

usage operator+(const usage& left, const usage& right) {
  return combined(left, right, std::plus<>());
}
usage operator-(const usage& later, const usage& earlier) {
  return combined(later, earlier, std::minus<>());
}
usage operator/(const usage& all, double parts) {
  return combined(all, all, [parts](double value, double) { return value / parts; });
}

usage usage_of_process() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return {.user_seconds = seconds_of(used.ru_utime),
          .system_seconds = seconds_of(used.ru_stime),
          .voluntary_switches = static_cast<double>(used.ru_nvcsw),
          .forced_switches = static_cast<double>(used.ru_nivcsw)};
}

std::optional<double> waited_seconds(const std::filesystem::path& process) {
  constexpr double seconds_per_nanosecond = 1e-9;
  std::optional<double> sum;
  std::error_code error;
  std::filesystem::directory_iterator each(process / "task", error);
  for (const std::filesystem::directory_iterator end; !error && each != end;
       each.increment(error)) {
    std::ifstream file(each->path() / "schedstat");
    double ran = 0;
    double waited = 0;
    if (!(file >> ran >> waited)) continue;  // It has just ended.
    sum = sum.value_or(0) + waited * seconds_per_nanosecond;
  }
  return sum;
}

waiting_meter::waiting_meter(std::filesystem::path process)
    : process_(std::move(process)), before_(waited_seconds(process_)) {}

std::optional<double> waiting_meter::threads() const {
  const std::chrono::duration<double> elapsed = clock::now() - began_;
  const std::optional<double> now = waited_seconds(process_);
  if (!before_ || !now || elapsed.count() <= 0) return {};
  return std::max(0.0, (*now - *before_) / elapsed.count());
}

}  // namespace stealbench::system
