#include "bench/cell/cell.hpp"

#include <charconv>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace stealbench::cell {

bool error_is_planted(std::string_view workload) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here sets the environment.
  const char* const planted = std::getenv("STEALBENCH_PLANT_ERROR");
  return planted != nullptr && planted == workload;
}

double planted_delay(std::string_view scheduler) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here sets the environment.
  const char* const value = std::getenv("STEALBENCH_PLANT_DELAY");
  if (value == nullptr) return 0;
  const std::string_view planted = value;
  const std::size_t equals = planted.find('=');
  const std::string_view number = equals < planted.size() ? planted.substr(equals + 1) : "";
  const char* const end = number.data() + number.size();
  double percent = 0;
  if (number.empty() || std::from_chars(number.data(), end, percent).ptr != end ||
      !(percent >= 0)) {
    throw std::invalid_argument("STEALBENCH_PLANT_DELAY is not SCHEDULER=PERCENT: " +
                                std::string(planted));
  }
  constexpr double parts_per_percent = 0.01;
  return planted.substr(0, equals) == scheduler ? percent * parts_per_percent : 0;
}

measurement cell::run(double slowed_by) {
  using clock = std::chrono::steady_clock;
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
  return {.wall = after - before, .used = used_after - used_before, .verified = verified()};
}

}  // namespace stealbench::cell
