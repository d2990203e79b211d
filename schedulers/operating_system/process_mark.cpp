#include "schedulers/operating_system/process_mark.hpp"

#include <cstdio>
#include <cstdlib>

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

namespace stealbench::operating_system {
namespace {

void map_generation() {
  const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const page =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return;
  if (madvise(page, bytes, MADV_WIPEONFORK) != 0) {
    munmap(page, bytes);
    return;
  }
  __atomic_store_n(&detail::generation, static_cast<int*>(page), __ATOMIC_RELAXED);
  // An emulator may take that advice and not follow it.
  pthread_atfork(nullptr, nullptr, [] { *detail::generation = 0; });
}

}  // namespace

int* detail::generation = nullptr;

int detail::begin_generation() noexcept {
  // At the first call: a pool of a program may be made before this file's variables are.
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, map_generation);
  static int latest = 0;  // A child begins with its parent's.
  if (generation == nullptr) return getpid();
  int seen = 0;
  const int own = __atomic_add_fetch(&latest, 1, __ATOMIC_RELAXED);
  const bool is_first = __atomic_compare_exchange_n(generation, &seen, own, false, __ATOMIC_RELAXED,
                                                    __ATOMIC_RELAXED);
  return is_first ? own : seen;
}

void process_mark::expect_here() const noexcept {
  if (is_here()) [[likely]]
    return;
  std::fputs(
      "stealbench: a run goes on in a child process, without the workers that fork() left in its "
      "parent. Leave the run before fork(), or end the child in the branch that has forked.\n",
      stderr);
  std::abort();
}

}  // namespace stealbench::operating_system
