// Whether a pool's threads are in this process: fork() copies the pool to a child, and none of
// them.
#pragma once

namespace stealbench::operating_system {

namespace detail {
/// Zero, or this process's generation. In memory that the kernel clears in a child, however that
/// was made; null where there is none, or begin_generation() has not been called. Atomic by
/// builtins, below the memory model; relaxed, since they tell of nothing else.
extern int* generation;
[[nodiscard]] int begin_generation() noexcept;
}  // namespace detail

/// Another number than in any process that this one descends from. (Its number as a process may be
/// that of an ancestor which has ended, or is in another namespace.)
[[nodiscard]] inline int this_generation() noexcept {
  const int* const memory = __atomic_load_n(&detail::generation, __ATOMIC_RELAXED);
  const int begun = memory == nullptr ? 0 : __atomic_load_n(memory, __ATOMIC_RELAXED);
  return begun != 0 ? begun : detail::begin_generation();
}

/// The process in which it was made.
class process_mark {
 public:
  /// Not in a child of it.
  [[nodiscard]] bool is_here() const noexcept { return this_generation() == generation_; }
  /// Ends a child with a message: a worker is about to wait there, in a run that was under way, for
  /// threads that it has not.
  void expect_here() const noexcept;

 private:
  const int generation_ = this_generation();
};

}  // namespace stealbench::operating_system
