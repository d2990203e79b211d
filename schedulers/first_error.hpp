// The exception that a join rethrows, out of several that were thrown in parallel.
#pragma once

#include <cstddef>
#include <exception>
#include <mutex>
#include <utility>

namespace stealbench::schedulers {

/// Keeps the exception with the lowest rank: the place of its branch in the serial order. `keep`
/// may be called by all branches at once and locks; no other pays. `rethrow` is for the join
/// alone, after it has waited for every branch.
class first_error {
 public:
  /// Keeps the exception that is being handled, unless one of a lower rank is held already.
  void keep(std::size_t rank) noexcept {
    std::exception_ptr dropped = std::current_exception();  // It ends when the lock is free again.
    const std::lock_guard lock(mutex_);
    if (error_ && rank_ < rank) return;
    error_.swap(dropped);
    rank_ = rank;
  }

  /// Calls `closure(worker)`, and keeps what it throws.
  template <class F, class Worker>
  void run(F& closure, Worker worker, std::size_t rank) noexcept {
    try {
      static_cast<void>(closure(worker));
    } catch (...) {
      keep(rank);
    }
  }

  /// Rethrows what is held, if anything is, and holds nothing thereafter.
  void rethrow() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  std::mutex mutex_;
  std::exception_ptr error_;
  std::size_t rank_ = 0;
};

}  // namespace stealbench::schedulers
