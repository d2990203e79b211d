// Threads with a stack of a chosen size, and pinning.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include <pthread.h>

#include "schedulers/operating_system/processors.hpp"

namespace stealbench::operating_system {

/// A joining thread whose stack is reserved at `stack_bytes` and committed page by page.
class thread {
 public:
  /// Starts `body`, which must not throw; on processor_of(`processor`) if one is given. Throws
  /// std::system_error when the thread cannot be started there.
  thread(std::size_t stack_bytes, std::optional<unsigned> processor, std::function<void()> body);
  thread(const thread&) = delete;
  thread& operator=(const thread&) = delete;
  ~thread();

  [[nodiscard]] bool is_calling() const { return pthread_equal(handle_, pthread_self()) != 0; }

 private:
  std::function<void()> body_;
  pthread_t handle_{};
};

/// Runs `body` on a stack of `stack_bytes` and waits for it; rethrows what it throws. For callers
/// of a scheduler's `run`, whose own stack may be the main thread's 8 MiB.
void run_on_stack(std::size_t stack_bytes, const std::function<void()>& body);

/// Threads that a library starts during the lifetime of such an object get stacks of `bytes`,
/// unless it asks for a size of its own: std::thread does not. Of the whole process: one at a time.
class default_stack_scope {
 public:
  /// Throws std::system_error if no thread may have a stack of that size.
  explicit default_stack_scope(std::size_t bytes);
  default_stack_scope(const default_stack_scope&) = delete;
  default_stack_scope& operator=(const default_stack_scope&) = delete;
  ~default_stack_scope();

 private:
  std::size_t before_;
};

/// Pins the calling thread to processor_of(index). Throws std::system_error.
void pin_this_thread(unsigned index);

/// The threads of this process by the operating system's numbers, the lowest first. Throws
/// std::system_error.
[[nodiscard]] std::vector<int> threads();

/// Pins each thread that has begun since `before` was read, the i-th to processor_of(i + 1):
/// workers of a library that offers no call for it. Throws std::system_error.
void pin_threads_since(const std::vector<int>& before);

/// Restores the calling thread's affinity at the end of a scope.
class affinity_scope {
 public:
  /// Throws std::system_error.
  affinity_scope();
  affinity_scope(const affinity_scope&) = delete;
  affinity_scope& operator=(const affinity_scope&) = delete;
  ~affinity_scope();

 private:
  processor_set before_{};
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
void yield_thread() noexcept;

/// The same for two calls if one thread makes them, while it lives.
[[nodiscard]] const void* this_thread() noexcept;

}  // namespace stealbench::operating_system
