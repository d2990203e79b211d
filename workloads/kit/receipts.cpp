#include "workloads/kit/receipts.hpp"

#include <algorithm>

#include "workloads/kit/steps.hpp"

namespace stealbench::kit {

receipts::receipts(std::uint64_t tasks, std::uint64_t steps)
    : tasks_(tasks), steps_(steps), stride_(stride_for(tasks)), of_(lanes * stride_) {}

void receipts::clear() { std::fill(of_.begin(), of_.end(), 0); }

// Odd, so that no receipt is 0, and none is its own double.
void receipts::perform(std::uint64_t task) { of_[place_of(task)] += stepped(task, steps_) | 1; }

std::uint64_t receipts::ran_once() const {
  const affine_map all_steps = leap(steps_);
  std::uint64_t count = 0;
  for (std::uint64_t task = 0; task < tasks_; ++task) {
    count += of_[place_of(task)] == (all_steps.of(task) | 1) ? 1U : 0U;
  }
  return count;
}

}  // namespace stealbench::kit
