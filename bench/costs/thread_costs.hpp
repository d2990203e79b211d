// What threads cost each other, beside memory: to start, sleep, wake and interrupt one.
#pragma once

namespace stealbench::costs {

// In nanoseconds. The caller is pinned to the first processor that the process may use, and the
// second one has nothing else to do. Each throws std::runtime_error if that one is busy.

/// From the making of a thread, on a stack as a worker's, until it runs.
[[nodiscard]] double time_thread_start();

struct wake_up_costs {
  double call = 0;  ///< Of the waker.
  double wake = 0;  ///< Until the sleeper runs on its own, idle processor.
};
[[nodiscard]] wake_up_costs time_wake_ups();

/// From the futex call of a thread until another one, which waits for its processor, runs there.
[[nodiscard]] double time_sleep();

struct barrier_costs {
  double call = 0;       ///< Of the thread that issues it.
  double interrupt = 0;  ///< What each running thread loses.
};
[[nodiscard]] barrier_costs time_barriers();

}  // namespace stealbench::costs
