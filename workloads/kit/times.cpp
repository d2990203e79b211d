#include "workloads/kit/times.hpp"

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <thread>

namespace stealbench::kit {

void wait(std::chrono::microseconds gap, gap_form form) {
  if (form == gap_form::sleep) {
    std::this_thread::sleep_for(gap);
    return;
  }
  const clock::time_point end = clock::now() + gap;
  while (clock::now() < end) continue;
}

std::chrono::nanoseconds processor_time() {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

std::chrono::nanoseconds median_of(std::vector<clock::duration> times) {
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

}  // namespace stealbench::kit
