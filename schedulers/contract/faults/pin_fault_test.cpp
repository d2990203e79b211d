// A worker that cannot be pinned, since the processors that the process may use have changed, ends
// in std::system_error: for a started thread from the constructor, for the caller from `run`.
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include <sys/syscall.h>

#include "schedulers/contract/faults/refused_call.hpp"
#include "schedulers/contract/fixture.hpp"

namespace stealbench::schedulers::contract {
namespace {

void refuse_to_pin() {
  // As the kernel does where the cpuset no longer holds the processor.
  if (!refuse_system_call(SYS_sched_setaffinity, EINVAL)) std::abort();
}

/// Prints the system error that `f` throws, and ends the process.
template <class F>
[[noreturn]] void print_error_of(const F& f) {
  try {
    f();
    std::fputs("no error\n", stderr);
  } catch (const std::system_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  std::_Exit(0);
}

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class PinFaultDeathTest : public testing::Test {
 protected:
  void SetUp() override {
    if (subject(options{.workers = 2}).worker_count() == 1) GTEST_SKIP() << "pins nothing";
    if (!can_refuse_system_calls()) {
      GTEST_SKIP() << "this process may not install a seccomp filter";
    }
  }
};

TEST_F(PinFaultDeathTest, AThreadThatCannotBePinnedEndsInAnErrorThatSaysSo) {
  EXPECT_EXIT(print_error_of([] {
                refuse_to_pin();
                const subject scheduler(options{.workers = 3, .pin = true});
              }),
              testing::ExitedWithCode(0),
              "^cannot start a thread with a stack of [0-9]+ bytes on processor [0-9]+: Invalid "
              "argument\n$");
}

TEST_F(PinFaultDeathTest, ACallerThatCannotBePinnedGetsAnErrorFromItsRun) {
  EXPECT_EXIT(print_error_of([] {
                subject scheduler(options{.workers = 3, .pin = true});
                scheduler.run([](auto) {});
                refuse_to_pin();
                scheduler.run([](auto) { std::fputs("has run\n", stderr); });
              }),
              testing::ExitedWithCode(0), "^sched_setaffinity: Invalid argument\n$");
}

}  // namespace
}  // namespace stealbench::schedulers::contract
