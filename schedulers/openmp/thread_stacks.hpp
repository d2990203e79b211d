// The threads that an OpenMP runtime starts: how large their stacks are, and for whom they work.
//
// OpenMP has no call for it. OMP_STACKSIZE is read once, when the runtime is loaded, which is
// before main. GNU's libgomp starts its threads without a size of its own, unless that variable is
// set, and so glibc's default holds, which can be set at any time. LLVM's libomp has a call, which
// counts until the first parallel region.
//
// libomp corrupts its heap when regions with tasks are entered from one thread after another (LLVM
// 14; ten threads in turn, each with a region of three, are enough). So under libomp a second
// calling thread is refused.
#pragma once

#include <atomic>
#include <cstddef>
#include <stdexcept>
#include <system_error>

#include <omp.h>
#include <pthread.h>

namespace stealbench::openmp {

enum class runtime : unsigned char { gnu, llvm };

#ifdef KMP_VERSION_MAJOR
inline constexpr runtime of_the_compiler = runtime::llvm;
#else
inline constexpr runtime of_the_compiler = runtime::gnu;
extern "C" void kmp_set_stacksize_s(std::size_t bytes);  // libomp's, which GNU's omp.h lacks.
#endif

/// Throws std::logic_error unless the first thread that has called this calls it again.
inline void check_calling_thread() {
  static std::atomic<unsigned> callers = 0;  // Counts; orders nothing.
  thread_local const unsigned caller = ++callers;
  if (caller != 1) throw std::logic_error("libomp: all runs must come from one thread");
}

/// Threads that are started during the lifetime of such an object get stacks of `bytes`. Threads
/// that the runtime keeps from an earlier region stay as they are.
template <runtime Used>
class thread_stacks {
 public:
  /// Throws std::system_error if no thread may have a stack of that size.
  explicit thread_stacks(std::size_t bytes) {
    if constexpr (Used == runtime::llvm) kmp_set_stacksize_s(bytes);
    check(pthread_getattr_default_np(&before_));
    pthread_attr_t wanted;
    check(pthread_getattr_default_np(&wanted));
    int error = pthread_attr_setstacksize(&wanted, bytes);
    if (error == 0) error = pthread_setattr_default_np(&wanted);
    pthread_attr_destroy(&wanted);
    check(error);
  }
  thread_stacks(const thread_stacks&) = delete;
  thread_stacks& operator=(const thread_stacks&) = delete;
  ~thread_stacks() {
    pthread_setattr_default_np(&before_);
    pthread_attr_destroy(&before_);
  }

 private:
  static void check(int error) {
    if (error != 0) throw std::system_error(error, std::generic_category(), "thread stack size");
  }

  pthread_attr_t before_{};
};

}  // namespace stealbench::openmp
