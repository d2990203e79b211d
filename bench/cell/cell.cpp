#include "bench/cell/cell.hpp"

#include <charconv>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/costs/times.hpp"
#include "bench/system/inherited.hpp"
#include "bench/system/usage.hpp"

namespace stealbench::cell {

bool error_is_injected(std::string_view workload) {
  return system::environment_variable("STEALBENCH_INJECT_ERROR") == workload;
}

double injected_delay(std::string_view scheduler) {
  const std::string injected = system::environment_variable("STEALBENCH_INJECT_DELAY");
  const std::string_view assignment = injected;
  if (assignment.empty()) return 0;
  const std::size_t equals = assignment.rfind('=');  // A strategy's settings have some, too.
  const std::string_view number = equals < assignment.size() ? assignment.substr(equals + 1) : "";
  const char* const end = number.data() + number.size();
  double percent = -1;
  if (std::from_chars(number.data(), end, percent).ptr != end || !(percent >= 0)) {
    throw std::invalid_argument("STEALBENCH_INJECT_DELAY is not SCHEDULER=PERCENT: " + injected);
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

}  // namespace stealbench::cell
