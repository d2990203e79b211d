// Threads with a stack of a chosen size, and pinning.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include <pthread.h>
#include <sched.h>

namespace stealbench::operating_system {

/// A joining thread whose stack is reserved at `stack_bytes` and committed page by page.
class thread {
 public:
  /// Starts `body`, which must not throw; on the `processor`-th processor that the process may use,
  /// counted round, if one is given. Throws std::system_error when the thread cannot be started
  /// there.
  thread(std::size_t stack_bytes, std::optional<unsigned> processor, std::function<void()> body);
  thread(const thread&) = delete;
  thread& operator=(const thread&) = delete;
  ~thread();

 private:
  std::function<void()> body_;
  pthread_t handle_{};
};

/// Runs `body` on a stack of `stack_bytes` and waits for it; rethrows what it throws. For callers
/// of a scheduler's `run`, whose own stack may be the main thread's 8 MiB.
void run_on_stack(std::size_t stack_bytes, const std::function<void()>& body);

/// Pins the calling thread to the index-th processor that the process may use, counted round.
void pin_this_thread(unsigned index);

/// The operating system's number of the processor that pin_this_thread(index) chooses.
[[nodiscard]] unsigned processor_of(unsigned index);

/// Restores the calling thread's affinity at the end of a scope.
class affinity_scope {
 public:
  affinity_scope();
  affinity_scope(const affinity_scope&) = delete;
  affinity_scope& operator=(const affinity_scope&) = delete;
  ~affinity_scope();

 private:
  cpu_set_t before_;
};

/// Pins the calling thread as pin_this_thread does, and restores its affinity at the end of a
/// scope.
class pin_scope {
 public:
  explicit pin_scope(unsigned index) { pin_this_thread(index); }

 private:
  affinity_scope restore_;  // Made before the thread is pinned.
};

/// Lets other threads run on this processor.
void yield() noexcept;

/// The same for two calls if one thread makes them, while it lives.
[[nodiscard]] const void* this_thread() noexcept;

/// Processors that the process may use, by its affinity at start-up; at least 1.
[[nodiscard]] unsigned processor_count();

}  // namespace stealbench::operating_system
