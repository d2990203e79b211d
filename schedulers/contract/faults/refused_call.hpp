// System calls that the kernel refuses, as in a sandbox or where rights were taken away.
#pragma once

#include <cstddef>
#include <cstdint>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace stealbench::schedulers::contract {

/// Has the kernel answer this system call with `error`, to the calling thread and to all that it
/// starts from now on, for good: where its third argument is no less than `third`. False where the
/// process may not install a seccomp filter.
[[nodiscard]] inline bool refuse_system_call(long number, int error, std::uint32_t third = 0) {
  sock_filter instructions[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[2])),  // Its lower half.
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, third, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error)),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const sock_fprog filter{.len = 6, .filter = instructions};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

/// Whether refuse_system_call would succeed; tried in another process.
[[nodiscard]] inline bool can_refuse_system_calls() {
  const pid_t child = fork();
  if (child == 0) _exit(refuse_system_call(-1, 0) ? 0 : 1);
  int status = 1;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

}  // namespace stealbench::schedulers::contract
