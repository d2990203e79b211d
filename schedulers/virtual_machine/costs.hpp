// What the machine in simulated time charges for: the numbers of a profile. Apart from the profile
// itself, because each test in simulated time needs them, and neither its files nor JSON.
#pragma once

namespace stealbench::virtual_machine {

/// The most workers of a simulated scheduler.
inline constexpr unsigned max_workers = 4096;

/// Costs are in nanoseconds.
struct costs {
  double hit = 0;                      ///< A load or store of a line that the processor has.
  double rmw = 0;                      ///< A locked operation on a line that the processor has.
  double fence = 0;                    ///< A seq_cst fence with an empty store buffer.
  double transfer = 0;                 ///< A line comes from another processor of the socket,
  double remote_transfer = 0;          ///< or of another socket.
  unsigned processors_per_socket = 0;  ///< 0: all processors are on one socket.
  double shared_gap = 0;    ///< Between two copies of one line that are handed to readers.
  double look = 0;          ///< At one of many lines in turn, of which the processor has copies.
  double pause = 0;         ///< One spin hint.
  double yield = 0;         ///< sched_yield with no other thread to run.
  double system_call = 0;   ///< A futex call that returns at once.
  double sleep = 0;         ///< From a futex call until the thread is off its processor.
  double wake_call = 0;     ///< What a wake-up of a sleeper costs the waker.
  double wake = 0;          ///< From the beginning of that call until the sleeper runs.
  double membarrier = 0;    ///< A system-wide barrier, for its caller,
  double interrupt = 0;     ///< and for each thread that runs meanwhile.
  double thread_start = 0;  ///< From pthread_create until the thread runs, on the same processor.
  double jitter = 0;        ///< Width of the random part of each charge, as a part of it.
};

/// What the instructions of the engine and of a task's own code around it cost on one strategy,
/// beyond what is charged for their accesses; below 0 where the processor overlaps these.
struct strategy_prices {
  double fork = 0;   ///< A fork_join whose second branch is offered to other workers.
  double call = 0;   ///< A fork_join that runs both branches in order.
  double spawn = 0;  ///< A child of a task group.
  double piece = 0;  ///< A piece of a loop.
};

}  // namespace stealbench::virtual_machine
