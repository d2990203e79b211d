// Whether a pool's threads are in this process: fork() copies the pool to a child, and none of
// them.
#pragma once

#include <sys/types.h>
#include <unistd.h>

namespace stealbench::operating_system {

/// The process in which it was made. Asked by a system call, of some 50 ns, and not by a handler of
/// fork(), which not every way to a child calls.
class process_mark {
 public:
  /// Not in a child of it.
  [[nodiscard]] bool is_here() const noexcept { return getpid() == process_; }
  /// Ends a child with a message: a worker is about to wait there, in a run that was under way, for
  /// threads that it has not.
  void expect_here() const noexcept;

 private:
  const pid_t process_ = getpid();
};

}  // namespace stealbench::operating_system
