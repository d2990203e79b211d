// Closures that must all run at once.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace stealbench::schedulers::contract {

/// Where `closures` closures meet, each on a worker of its own.
class rendezvous {
 public:
  explicit rendezvous(unsigned closures) : closures_(closures) {}

  /// Returns once all have arrived. Ends the process with a message after a minute: a job that no
  /// worker has come for may not be had back, and its join would hang.
  void arrive() {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes{1};
    ++arrived_;
    while (arrived_ < closures_) {
      std::this_thread::yield();
      if (std::chrono::steady_clock::now() < deadline) continue;
      std::fprintf(stderr,
                   "of %u closures that must run at once, %u do after a minute: a worker sleeps "
                   "that should run one\n",
                   closures_, arrived_.load());
      std::abort();
    }
  }

 private:
  const unsigned closures_;
  // Counts; seq_cst by default, and no data passes through it.
  std::atomic<unsigned> arrived_{0};
};

}  // namespace stealbench::schedulers::contract
