// Runs a program where the kernel knows neither membarrier nor memory that fork() wipes, as before
// Linux 4.14 and in many sandboxes: without_membarrier program [argument]...
#include <cerrno>
#include <cstdio>

#include <linux/membarrier.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "schedulers/contract/faults/refused_call.hpp"

int main(int argc, char** argv) {
  using stealbench::schedulers::contract::refuse_system_call;
  if (argc < 2) {
    std::fputs("usage: without_membarrier program [argument]...\n", stderr);
    return 2;
  }
  if (!refuse_system_call(SYS_madvise, EINVAL, MADV_WIPEONFORK) ||
      !refuse_system_call(SYS_membarrier, ENOSYS)) {
    std::perror("skipped: this process may not install a seccomp filter");
    return 77;  // For CTest.
  }
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0) != -1 || errno != ENOSYS) {
    std::fputs("the seccomp filter does not refuse membarrier\n", stderr);
    return 1;
  }
  execv(argv[1], argv + 1);
  std::perror(argv[1]);
  return 1;
}
