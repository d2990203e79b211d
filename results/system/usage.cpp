#include "results/system/usage.hpp"

#include <algorithm>
#include <fstream>
#include <functional>
#include <system_error>

#include <fmt/format.h>
#include <sys/resource.h>

namespace stealbench::system {
namespace {

std::optional<double> number_in(const std::filesystem::path& file) {
  std::ifstream stream(file);
  double value = 0;
  return stream >> value ? std::optional(value) : std::nullopt;
}

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

std::optional<std::string> first_line(const std::filesystem::path& file,
                                      std::string_view beginning) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with(beginning)) return line;
  }
  return {};
}

std::string processor_model(const std::filesystem::path& file) {
  const auto value_of = [&](std::string_view key) {
    const auto line = first_line(file, key);
    const std::size_t colon = line ? line->find(": ") : std::string::npos;
    return colon == std::string::npos ? std::string("unknown") : line->substr(colon + 2);
  };
  std::string name = value_of("model name");  // Not const: it is moved out.
  const std::string family = value_of("cpu family");
  if (family == "unknown") return name;
  // Behind a tab, since the line of the name begins so too.
  return name + " (family " + family + ", model " + value_of("model\t") + ")";
}

std::optional<double> bytes_in_proc(const char* file, std::string_view key) {
  constexpr double kib = 1024;  // What /proc counts memory in.
  const auto line = first_line(std::filesystem::path("/proc/self") / file, key);
  if (!line) return {};
  return std::stod(line->substr(key.size())) * kib;
}

// Not getrusage's: a child inherits there what its parent had used when it was forked.
double peak_rss_bytes() { return bytes_in_proc("status", "VmHWM:").value_or(0); }

energy_meter::energy_meter(const std::filesystem::path& powercap) {
  std::error_code error;
  std::vector<std::filesystem::path> zones;
  for (const auto& zone : std::filesystem::directory_iterator(powercap, error)) {
    // `intel-rapl:0` is a package, on AMD's processors too; `intel-rapl:0:1` is a part of one.
    const std::string name = zone.path().filename().string();
    if (name.starts_with("intel-rapl:") && std::count(name.begin(), name.end(), ':') == 1) {
      zones.push_back(zone.path());
    }
  }
  std::sort(zones.begin(), zones.end());
  for (const auto& zone : zones) {
    const auto counter = zone / "energy_uj";
    if (!number_in(counter)) {
      why_not_ = fmt::format("{} cannot be read: that takes the rights of root",
                             counter.filename().string());
      packages_.clear();
      return;
    }
    packages_.push_back({counter, number_in(zone / "max_energy_range_uj").value_or(0)});
  }
  if (packages_.empty()) why_not_ = "the system shows no energy counter (RAPL)";
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
