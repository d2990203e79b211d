// What this process has used of the machine, by the operating system's own accounting.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>

namespace stealbench::system {

/// Of all threads of this process since it began; a difference of two is what happened between.
struct usage {
  double user_seconds = 0;
  double system_seconds = 0;
  double voluntary_switches = 0;  ///< How often a thread gave its processor up, to sleep or wait.
  double forced_switches = 0;     ///< How often a processor was taken from a thread.

  [[nodiscard]] double cpu_seconds() const { return user_seconds + system_seconds; }

  friend usage operator+(const usage& left, const usage& right);
  friend usage operator-(const usage& later, const usage& earlier);
  friend usage operator/(const usage& all, double parts);
};

[[nodiscard]] usage usage_of_process();

/// The time that the threads of this process have been ready to run while others had the
/// processors, all threads added up [s]: the second number in each `task/*/schedstat`. None where
/// the kernel does not say. Of a thread that has ended nothing is known.
[[nodiscard]] std::optional<double> waited_seconds(
    const std::filesystem::path& process = "/proc/self");

/// How many threads of this process waited for a processor, on average since the object was made.
class waiting_meter {
 public:
  explicit waiting_meter(std::filesystem::path process = "/proc/self");

  /// None where the kernel does not say, or no time has passed.
  [[nodiscard]] std::optional<double> threads() const;

 private:
  using clock = std::chrono::steady_clock;

  std::filesystem::path process_;
  std::optional<double> before_;
  clock::time_point began_ = clock::now();
};

}  // namespace stealbench::system
