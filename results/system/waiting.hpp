// Whether this process had the processors that it wanted, by the kernel's own accounting.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>

namespace stealbench::system {

/// The time that the threads of this process have been ready to run while others had the
/// processors, all threads added up [s]: the second number in each `task/*/schedstat`. None where
/// the kernel does not say. Of a thread that has ended nothing is known.
[[nodiscard]] std::optional<double> waited_seconds(
    const std::filesystem::path& process = "/proc/self");

/// How many threads of this process waited for a processor, on average since the object was made.
class waiting_meter {
 public:
  explicit waiting_meter(std::filesystem::path process = "/proc/self");

  /// None where the kernel does not say. `elapsed` is the time since then.
  [[nodiscard]] std::optional<double> threads(std::chrono::duration<double> elapsed) const;
  [[nodiscard]] std::optional<double> threads() const { return threads(clock::now() - began_); }

 private:
  using clock = std::chrono::steady_clock;

  std::filesystem::path process_;
  std::optional<double> before_;
  clock::time_point began_ = clock::now();
};

}  // namespace stealbench::system
