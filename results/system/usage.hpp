// What this process has used of the machine, by the operating system's own accounting.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stealbench::system {

/// Of all threads of this process since it began; a difference of two is what happened between.
struct usage {
  double user_seconds = 0;
  double system_seconds = 0;
  double voluntary_switches =
      0;                       ///< Times that a thread gave its processor up: it slept or waited.
  double forced_switches = 0;  ///< Times that one was taken from a thread.

  [[nodiscard]] double cpu_seconds() const { return user_seconds + system_seconds; }

  friend usage operator+(const usage& left, const usage& right);
  friend usage operator-(const usage& later, const usage& earlier);
  friend usage operator/(const usage& all, double parts);
};

[[nodiscard]] usage usage_of_process();

/// Of the children of this process that have ended and been waited for.
[[nodiscard]] usage usage_of_children();

/// The first line of a file that begins so; none if there is none or it cannot be read.
[[nodiscard]] std::optional<std::string> first_line(const std::filesystem::path& file,
                                                    std::string_view beginning = {});

/// `AMD EPYC (family 26, model 2)`: hypervisors shorten the name to one of many generations.
/// `unknown` where the system does not say.
[[nodiscard]] std::string processor_model(const std::filesystem::path& file = "/proc/cpuinfo");

/// A size that /proc/self/<file> gives in KiB behind the word `key`; none where it does not say.
[[nodiscard]] std::optional<double> bytes_in_proc(const char* file, std::string_view key);

/// The largest resident set of this process so far, bytes; 0 where the system does not say.
[[nodiscard]] double peak_rss_bytes();

/// Reads what the processors of this machine have consumed, by Running Average Power Limit: all
/// packages, whoever used them, so it means something only on a machine that does nothing else.
class energy_meter {
 public:
  explicit energy_meter(const std::filesystem::path& powercap = "/sys/class/powercap");

  /// Why there is nothing to read; empty if there is.
  [[nodiscard]] const std::string& why_not() const { return why_not_; }

  /// The state of all counters; empty where there is nothing to read.
  using reading = std::vector<double>;
  [[nodiscard]] reading read() const;

  /// Joules between two readings; a counter that has started again from zero in between is made up
  /// for, once. None where there is nothing to read.
  [[nodiscard]] std::optional<double> joules(const reading& before, const reading& after) const;

 private:
  struct package {
    std::filesystem::path counter;  ///< In microjoules.
    double range;                   ///< Where it starts again from zero.
  };
  std::vector<package> packages_;
  std::string why_not_;
};

}  // namespace stealbench::system
