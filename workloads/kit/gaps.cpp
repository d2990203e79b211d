#include "workloads/kit/gaps.hpp"

#include <thread>

namespace stealbench::kit {

void wait(std::chrono::microseconds gap, gap_form form) {
  if (form == gap_form::sleep) {
    std::this_thread::sleep_for(gap);
    return;
  }
  using clock = std::chrono::steady_clock;
  const clock::time_point end = clock::now() + gap;
  while (clock::now() < end) continue;
}

}  // namespace stealbench::kit
