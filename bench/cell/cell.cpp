#include "bench/cell/cell.hpp"

#include <charconv>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/costs/times.hpp"
#include "bench/system/usage.hpp"

namespace stealbench::cell {
namespace {

/// What a test injects; empty: nothing.
std::string_view injected(const char* variable) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here sets the environment.
  const char* const value = std::getenv(variable);
  return value == nullptr ? std::string_view() : value;
}

}  // namespace

bool error_is_injected(std::string_view workload) {
  return injected("STEALBENCH_INJECT_ERROR") == workload;
}

double injected_delay(std::string_view scheduler) {
  const std::string_view assignment = injected("STEALBENCH_INJECT_DELAY");
  if (assignment.empty()) return 0;
  const std::size_t equals = assignment.rfind('=');  // A strategy's settings have some, too.
  const std::string_view number = equals < assignment.size() ? assignment.substr(equals + 1) : "";
  const char* const end = number.data() + number.size();
  double percent = -1;
  if (std::from_chars(number.data(), end, percent).ptr != end || !(percent >= 0)) {
    throw std::invalid_argument("STEALBENCH_INJECT_DELAY is not SCHEDULER=PERCENT: " +
                                std::string(assignment));
  }
  return assignment.substr(0, equals) == scheduler ? percent / 100 : 0;
}

measurement cell::run(double slowed_by) {
  reset();
  const system::usage used_before = system::usage_of_process();
  const clock::time_point before = clock::now();
  execute();
  clock::time_point after = clock::now();
  if (slowed_by > 0) {
    const auto until =
        after + std::chrono::duration_cast<clock::duration>((after - before) * slowed_by);
    while (after < until) after = clock::now();
  }
  const system::usage used_after = system::usage_of_process();
  return {.begin = before,
          .wall = after - before,
          .used = used_after - used_before + used_elsewhere(),
          .verified = verified()};
}

steady_state warm_cell::run_for(std::chrono::nanoseconds at_least) {
  std::vector<double> seconds;
  std::chrono::nanoseconds total{0};
  system::usage used;
  const system::waiting_meter waiting(process_);
  bool is_wrong = false;
  do {
    const measurement ran = cell_->run(slowed_by_);
    seconds.push_back(std::chrono::duration<double>(ran.wall).count());
    total += ran.wall;
    used = used + ran.used;
    is_wrong = ran.verified == false;
  } while (total < at_least && !is_wrong);
  const auto runs = static_cast<double>(seconds.size());
  return {.seconds = costs::median(seconds),
          .used = used / runs,
          .waiting_threads = waiting.threads(),
          .runs = seconds.size(),
          .is_wrong = is_wrong};
}

void expect_right(bool answer) {
  if (!answer) throw std::runtime_error("wrong answer");
}

steady_state right_runs(warm_cell& subject, std::chrono::nanoseconds at_least) {
  const steady_state steady = subject.run_for(at_least);
  expect_right(!steady.is_wrong);
  return steady;
}

}  // namespace stealbench::cell
