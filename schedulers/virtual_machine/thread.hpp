// A thread in simulated time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "schedulers/operating_system/context.hpp"
#include "schedulers/virtual_machine/cache_line.hpp"
#include "schedulers/virtual_machine/run_queue.hpp"
#include "schedulers/virtual_machine/simulation.hpp"

namespace stealbench::virtual_machine {

struct thread {
  ~thread() {
    if (stack.begin() != nullptr) end_context(context);
  }

  thread_number number = 0;
  unsigned processor = 0;
  std::size_t place = run_queue<thread>::nowhere;  ///< In the queue of those that can run.

  // As it was left. Of the one that runs it is in `running`.
  picoseconds clock = 0;
  picoseconds drained = 0;
  std::uint8_t drained_line = 0;
  std::uint64_t barriers_seen = 0;

  copies own_copies;
  bool runs = false;  ///< Not before it begins, nor while it waits for another one's end.
  bool is_asleep = false;
  const void* awaited = nullptr;  ///< The word at which it sleeps, until it is woken.
  picoseconds deadline = 0;       ///< When it wakes up by itself, if it has one.
  bool has_timed_out = false;
  thread* joiner = nullptr;
  bool is_done = false;

  activity does = activity::away;
  picoseconds since = 0;          ///< When it began to do so.
  picoseconds asleep_since = 0;   ///< While it sleeps.
  double owed = 0;                ///< Of its units, what is less than a picosecond.
  picoseconds line_arrives = 0;   ///< The end of its latest wait for a line.
  std::uint8_t awaited_line = 0;  ///< That line's name.
  time_spent spent;
  time_spent spent_searching;  ///< What of `spent` fell into its searches.

  std::function<void()> body;
  operating_system::mapped_memory stack;  ///< None for the caller of `run`.
  operating_system::context context;
};

}  // namespace stealbench::virtual_machine
