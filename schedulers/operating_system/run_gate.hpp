// Who may enter a pool of threads: one run at a time, in the process that has the threads.
#pragma once

#include <atomic>
#include <cstdint>

#include <sys/types.h>
#include <unistd.h>

#include "schedulers/operating_system/sanitizers.hpp"

namespace stealbench::operating_system {

/// The process in which it was made: a child that fork() has copied it to is another one. A system
/// call, of some 50 ns, at each look, and no handler of fork(), which not every way to a child
/// calls.
class process_mark {
 public:
  [[nodiscard]] bool is_here() const noexcept { return getpid() == process_; }
  /// Ends another process with a message: a worker is about to wait there, in a run that fork() has
  /// copied, for threads that it has not copied.
  void expect_here() const noexcept;

 private:
  const pid_t process_ = getpid();
};

/// Of one pool. It can be asked when the pool has ended too, as long as its memory is there, as
/// that of an object with static storage duration is: threads may run on while such objects are
/// destroyed.
class run_gate {
 public:
  /// True if the caller may use the pool's threads, until it leaves. Any thread. Wait-free.
  [[nodiscard]] bool enter() noexcept {
    auto seen = state::open;
    // Acquire: pairs with leave, so that what one run has left the next one sees.
    const bool enters = process_.is_here() && state_.compare_exchange_strong(
                                                  seen, state::entered, std::memory_order_acquire,
                                                  std::memory_order_relaxed);
    if (enters) note_run(1);
    return enters;
  }
  /// Not where the pool has ended meanwhile: then it stays closed.
  void leave() noexcept {
    note_run(-1);
    auto seen = state::entered;
    // Release: pairs with enter and close.
    state_.compare_exchange_strong(seen, state::open, std::memory_order_release,
                                   std::memory_order_relaxed);
  }
  /// The pool ends. True if nobody is in it, and so its threads can be joined: not where a run is
  /// under way, as when a branch calls exit(), nor in a child, which has none of the threads.
  [[nodiscard]] bool close() noexcept {
    // Acquire: pairs with leave.
    return state_.exchange(state::closed, std::memory_order_acquire) == state::open &&
           process_.is_here();
  }

 private:
  enum class state : std::uint8_t { open, entered, closed };

  const process_mark process_;
  std::atomic<state> state_{state::open};
};

/// Tells a run that its pool, and so the gate, has ended before it. Beside what the pool's threads
/// use, which then stays.
class end_mark {
 public:
  /// The thread that ends the pool. Release: pairs with is_set.
  void set() noexcept { set_.store(true, std::memory_order_release); }
  /// The thread whose run ends. Acquire: pairs with set, before which the gate was there.
  [[nodiscard]] bool is_set() const noexcept { return set_.load(std::memory_order_acquire); }

 private:
  std::atomic<bool> set_{false};
};

}  // namespace stealbench::operating_system
