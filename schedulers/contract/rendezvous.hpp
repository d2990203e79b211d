// Closures that must all run at once.
#pragma once

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "schedulers/contract/time_limit.hpp"

namespace stealbench::schedulers::contract {

/// Where `closures` closures meet, each on a worker of its own.
class rendezvous {
 public:
  explicit rendezvous(unsigned closures) : closures_(closures) {}

  /// Returns once all have arrived, and calls `meanwhile` until then. Ends the process with a
  /// message after a minute in which it was not stopped: a job that no worker has come for may not
  /// be had back, and its join would hang.
  template <class Meanwhile>
  void arrive(const Meanwhile& meanwhile) {
    waiting_time<> waited;
    ++arrived_;
    while (arrived_ < closures_) {
      meanwhile();
      if (!waited.is_over()) continue;
      std::fprintf(stderr,
                   "of %u closures that must run at once, %u do after a minute: a worker sleeps "
                   "that should run one\n",
                   closures_, arrived_.load());
      std::abort();
    }
  }
  void arrive() { arrive(std::this_thread::yield); }

 private:
  const unsigned closures_;
  // Counts; seq_cst by default, and no data passes through it.
  std::atomic<unsigned> arrived_{0};
};

/// A worker that gives at forks alone forks while it waits for the others, and so gives them what
/// they wait for: its oldest job first. Any other is in a leaf.
template <class Scheduler, class Worker>
void arrive_at(rendezvous& place, Worker worker) {
  if constexpr (Scheduler::can.give_at_forks_alone) {
    place.arrive([&] {
      worker->fork_join([](auto) {}, [](auto) {});
      std::this_thread::yield();
    });
  } else {
    place.arrive();
  }
}

}  // namespace stealbench::schedulers::contract
