// What the program and its plugin do with a scheduler of ours.
#pragma once

#include <atomic>
#include <cstddef>
#include <stdexcept>

#include <stealbench/schedulers/options.hpp>

namespace host {

/// A fork, a loop, a group and an exception. Each file has its own, so that only ours is shared.
template <class Scheduler>
static bool works(const stealbench::schedulers::options& options) {
  using worker = typename Scheduler::worker;
  Scheduler pool(options);
  std::atomic<int> sum = 0;
  bool is_caught = false;
  const int forked = pool.run([&](worker self) {
    const auto both = self->fork_join([](worker) { return 30; }, [](worker) { return 12; });
    self->parallel_for(std::size_t{0}, std::size_t{1000}, std::size_t{1},
                       [&](worker, std::size_t) { ++sum; });
    auto group = self->task_group();
    for (int i = 0; i < 10; ++i) group.spawn([&](worker) { ++sum; });
    group.sync();
    return both.first + both.second;
  });
  try {
    pool.run([](worker self) {
      self->fork_join([](worker) {}, [](worker) { throw std::runtime_error("from a branch"); });
    });
  } catch (const std::runtime_error&) {
    is_caught = true;
  }
  return forked == 42 && sum == 1010 && is_caught;
}

}  // namespace host
