#include "schedulers/engine/std_machine.hpp"

#include <cerrno>

#include <gtest/gtest.h>
#include <sys/syscall.h>

#include "schedulers/contract/refused_call.hpp"

namespace stealbench::engine {
namespace {

// Its answer was once ignored, and jobs ran twice or never.
TEST(StdMachineDeathTest, EndsWithAMessageWhereMembarrierIsRefusedAfterItWasRegistered) {
  if (!asymmetric_fence_available()) GTEST_SKIP() << "membarrier is refused from the start";
  if (!schedulers::contract::can_refuse_system_calls()) {
    GTEST_SKIP() << "this process may not install a seccomp filter";
  }
  const auto enter_a_sandbox_and_go_on = [] {
    std_machine::heavy_fence();
    if (schedulers::contract::refuse_system_call(SYS_membarrier, EPERM)) std_machine::heavy_fence();
  };
  EXPECT_DEATH(enter_a_sandbox_and_go_on(),
               "^stealbench: membarrier was registered at start-up and is refused now "
               "\\(Operation not permitted\\)");
}

}  // namespace
}  // namespace stealbench::engine
