#include "schedulers/operating_system/process_mark.hpp"

#include <cstdio>
#include <cstdlib>

namespace stealbench::operating_system {

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
