#include "schedulers/engine/std_machine.hpp"

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/syscall.h>

#include "schedulers/contract/faults/refused_call.hpp"
#include "schedulers/operating_system/processors.hpp"

namespace stealbench::engine {
namespace {

const bool asymmetric_before_main = std_machine::asymmetric();

TEST(StdMachine, HasTheSameFencesForAPoolThatIsMadeBeforeMain) {
  EXPECT_EQ(asymmetric_before_main, std_machine::asymmetric());
}

// Its answer was once ignored, and jobs ran twice or never.
TEST(StdMachineDeathTest, EndsWithAMessageWhereMembarrierIsRefusedAfterItWasRegistered) {
  if (!std_machine::asymmetric()) GTEST_SKIP() << "membarrier is refused from the start";
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

// Critical sections of all lengths, so that some who wait get the lock while they spin and some
// have gone to sleep.
TEST(StdMachine, LetsOneThreadAtATimeHoldAMutex) {
  std_machine::mutex mutex;
  unsigned long count = 0;  // Plain: ThreadSanitizer sees who has no lock.
  constexpr unsigned rounds = 5'000;
  const auto add = [&](unsigned thread) {
    for (unsigned i = 0; i < rounds; ++i) {
      mutex.lock();
      const unsigned long before = count;
      for (unsigned pauses = i % 512 == thread ? 1000 : i % 4; pauses > 0; --pauses) {
        std_machine::spin();
      }
      count = before + 1;
      mutex.unlock();
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 4; ++i) threads.emplace_back(add, i);
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(count, 4 * rounds);
}

TEST(StdMachine, WaitsForMoreThanASecondToo) {
  std_machine::atomic<std::uint32_t> word{1};
  errno = 0;
  EXPECT_TRUE(std_machine::wait(word, 0, std::chrono::milliseconds{1500}));
  EXPECT_EQ(errno, EAGAIN) << "the word has changed: the time itself was no error";
}

TEST(StdMachine, SpinsLongerAtAJoinWhereEachWorkerHasAProcessor) {
  const unsigned processors = operating_system::processor_count();
  EXPECT_EQ(std_machine::join_rounds(processors), 3'000U);
  EXPECT_EQ(std_machine::join_rounds(processors + 1), std_machine::limits().spin_rounds);
}

}  // namespace
}  // namespace stealbench::engine
