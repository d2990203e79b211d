// Which OpenMP runtime it is, and what to mind with each.
//
// OpenMP has no call for the stacks of the threads that it starts. OMP_STACKSIZE is read once, when
// the runtime is loaded, which is before main. GNU's libgomp starts its threads without a size of
// its own, unless that variable is set. LLVM's libomp has a call, which counts until the first
// parallel region.
//
// libomp corrupts its heap when regions with tasks are entered from one thread after another (LLVM
// 14; ten threads in turn, each with a region of three, are enough). So under libomp a second
// calling thread is refused.
//
// libgomp keeps its threads' descriptions in a child of fork(), which has none of the threads, and
// waits for them for ever. libomp begins anew there.
#pragma once

#include <atomic>
#include <cstddef>
#include <stdexcept>

#include <omp.h>

#include "schedulers/operating_system/process_mark.hpp"

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

/// Whether this is the process that has first called this, and no child of it.
inline bool has_begun_here() {
  static const operating_system::process_mark first;
  return first.is_here();
}

}  // namespace stealbench::openmp
