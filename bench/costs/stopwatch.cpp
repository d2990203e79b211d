#include "bench/costs/stopwatch.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include <sys/resource.h>

#include "results/analysis/statistics.hpp"

namespace stealbench::costs {
namespace {

constexpr int reads = 1000;

}  // namespace

double clock_nanoseconds() {
  std::vector<double> times(reads);
  for (double& each : times) each = nanoseconds_of([] {});
  return analysis::median(times);
}

double clock_step_nanoseconds() {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < reads; ++i) {
    const clock::time_point start = clock::now();
    clock::time_point next = clock::now();
    while (next == start) next = clock::now();
    least = std::min(least, nanoseconds_between(start, next));
  }
  return least;
}

thread_switches switches_so_far() {
  rusage used{};
  getrusage(RUSAGE_THREAD, &used);
  return {.slept = used.ru_nvcsw, .forced = used.ru_nivcsw};
}

}  // namespace stealbench::costs
