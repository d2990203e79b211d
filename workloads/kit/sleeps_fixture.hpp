// For tests: whether a thread gives its processor back or keeps it. Counted, for its processor time
// depends on what else the machine runs.
#pragma once

#include <sys/resource.h>

namespace stealbench::kit {

/// Times that the calling thread has begun to wait in the kernel. Preemption is not counted.
inline long sleeps_so_far() {
  rusage used{};
  getrusage(RUSAGE_THREAD, &used);
  return used.ru_nvcsw;
}

}  // namespace stealbench::kit
