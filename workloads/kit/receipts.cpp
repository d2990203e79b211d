#include "workloads/kit/receipts.hpp"

#include <algorithm>

#include "workloads/kit/steps.hpp"

namespace stealbench::kit {

receipts::receipts(std::uint64_t tasks, std::uint64_t steps)
    : tasks_(tasks), steps_(steps), stride_(stride_for(tasks)), receipts_(lanes * stride_) {}

void receipts::clear() { std::fill(receipts_.begin(), receipts_.end(), 0); }

// The first step of a task depends on the last one that the thread took: else the processor takes
// the steps of several short tasks side by side, in less time than in a row. A task without steps
// has nothing to wait for.
void receipts::perform(std::uint64_t task) {
  std::uint64_t end = task;
  if (steps_ > 0) {
    thread_local std::uint64_t last_end = 0;
    std::uint64_t none = 0;
    asm("" : "+r"(none));  // The compiler does not know that it is 0.
    end = last_end = stepped(task + (last_end & none), steps_);
  }
  receipts_[place_of(task)] +=
      end | 1;  // Odd, so that no receipt is 0, and none is its own double.
}

std::uint64_t receipts::ran_once() const {
  const affine_map all_steps = leap(steps_);
  std::uint64_t count = 0;
  for (std::uint64_t task = 0; task < tasks_; ++task) {
    count += receipts_[place_of(task)] == (all_steps.of(task) | 1) ? 1U : 0U;
  }
  return count;
}

}  // namespace stealbench::kit
