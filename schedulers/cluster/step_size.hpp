// How long a rank works between two looks at its messages.
#pragma once

#include <chrono>
#include <cstdint>

namespace stealbench::cluster {

/// How many tasks of each stack are expanded in one step. It is doubled or halved until a step
/// takes 0.1 to 0.4 ms: short beside what others wait for an answer, and long beside what the
/// workers take to begin and end a step.
class step_size {
 public:
  [[nodiscard]] std::uint64_t tasks() const { return tasks_; }
  /// The latest step, which was not cut short by a lack of tasks, has taken so long.
  void took(std::chrono::nanoseconds time) {
    using namespace std::chrono_literals;
    if (time < 100us && tasks_ < most) tasks_ *= 2;
    if (time > 400us && tasks_ > 1) tasks_ /= 2;
  }

 private:
  static constexpr std::uint64_t most = std::uint64_t{1} << 24;

  std::uint64_t tasks_ = 16;
};

}  // namespace stealbench::cluster
