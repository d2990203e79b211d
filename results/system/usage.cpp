#include "results/system/usage.hpp"

#include <algorithm>
#include <fstream>
#include <functional>
#include <system_error>
#include <utility>

#include <sys/resource.h>

#include "results/system/host.hpp"

namespace stealbench::system {
namespace {

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

usage usage_of(int who) {
  rusage used{};
  getrusage(who, &used);
  return {.user_seconds = seconds_of(used.ru_utime),
          .system_seconds = seconds_of(used.ru_stime),
          .voluntary_switches = static_cast<double>(used.ru_nvcsw),
          .forced_switches = static_cast<double>(used.ru_nivcsw)};
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

usage usage_of_process() { return usage_of(RUSAGE_SELF); }

usage usage_of_children() { return usage_of(RUSAGE_CHILDREN); }

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

energy_meter::energy_meter(const std::filesystem::path& powercap) {
  std::error_code error;
  for (const auto& zone : std::filesystem::directory_iterator(powercap, error)) {
    // `intel-rapl:0` is a package, on AMD's processors too, or `psys`, the whole platform with its
    // packages; `intel-rapl:0:1` is a part of one.
    const std::string name = zone.path().filename().string();
    if (!name.starts_with("intel-rapl:") || std::ranges::count(name, ':') != 1) continue;
    if (!first_line(zone.path() / "name").value_or("").starts_with("package")) continue;
    packages_.push_back(
        {zone.path() / "energy_uj", number_in(zone.path() / "max_energy_range_uj").value_or(0)});
  }
  if (packages_.empty()) {
    why_not_ = "the system shows no energy counter (RAPL)";
  } else if (!std::ranges::all_of(packages_, [](const package& each) {
               return number_in(each.counter).has_value();
             })) {
    why_not_ = "energy_uj cannot be read: that takes the rights of root";
    packages_.clear();
  }
}

energy_meter::reading energy_meter::read() const {
  reading now;
  for (const package& each : packages_) now.push_back(number_in(each.counter).value_or(0));
  return now;
}

std::optional<double> energy_meter::joules(const reading& before, const reading& after) const {
  if (packages_.empty()) return std::nullopt;
  double microjoules = 0;
  for (std::size_t i = 0; i < packages_.size(); ++i) {
    const double difference = after[i] - before[i];
    microjoules += difference < 0 ? difference + packages_[i].range : difference;
  }
  return microjoules * 1e-6;
}

}  // namespace stealbench::system
