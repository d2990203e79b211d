// Which sanitizer the including program is compiled with, and what LeakSanitizer is to know of us.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define STEALBENCH_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define STEALBENCH_ADDRESS_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define STEALBENCH_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define STEALBENCH_THREAD_SANITIZER 1
#endif
#endif

#ifdef STEALBENCH_ADDRESS_SANITIZER

#include <sanitizer/lsan_interface.h>

namespace stealbench::operating_system::detail {
/// Of all pools. Atomic by builtins, below the memory model; relaxed, since it publishes nothing.
inline int runs_under_way = 0;
}  // namespace stealbench::operating_system::detail

/// LeakSanitizer asks at the exit of a process. It sees the stack that a thread is on, and neither
/// job stacks nor the stacks of suspended fibers: what a run that is under way has there, and what
/// that refers to, it would take for leaked, and change the status of the process.
extern "C" [[gnu::used, gnu::weak, gnu::visibility("default")]] int __lsan_is_turned_off() {
  using stealbench::operating_system::detail::runs_under_way;
  return __atomic_load_n(&runs_under_way, __ATOMIC_RELAXED) > 0 ? 1 : 0;
}

#endif

namespace stealbench::operating_system {

/// A run begins, or ends.
inline void note_run([[maybe_unused]] int more) noexcept {
#ifdef STEALBENCH_ADDRESS_SANITIZER
  __atomic_fetch_add(&detail::runs_under_way, more, __ATOMIC_RELAXED);
#endif
}

/// The first base of `Object`, which is not on the heap and refers to memory that is.
template <class Object>
class leak_root {
#ifdef STEALBENCH_ADDRESS_SANITIZER
 protected:
  leak_root() { __lsan_register_root_region(static_cast<Object*>(this), sizeof(Object)); }
  ~leak_root() { __lsan_unregister_root_region(static_cast<Object*>(this), sizeof(Object)); }

 public:
  leak_root(const leak_root&) = delete;
  leak_root& operator=(const leak_root&) = delete;
#endif
};

}  // namespace stealbench::operating_system
