// The thread that answers: what it reads and where it runs.
#include "bench/costs/partner.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "bench/costs/figures.hpp"
#include "bench/costs/machine_timing.hpp"
#include "bench/costs/partner_fixture.hpp"
#include "bench/system/fake_time_fixture.hpp"
#include "schedulers/operating_system/thread.hpp"

namespace stealbench::costs {
namespace {

using namespace std::chrono_literals;
using system::fake_time;

TEST(Partner, AnswersEachNumberAndSaysWhetherItHadSlept) {
  partner sleeper(wait_by::futex, {});
  bool has_slept = false;
  for (std::uint32_t number = 1; number <= 100 || !has_slept; ++number) {  // Would hang.
    if (number > 50) std::this_thread::sleep_for(std::chrono::microseconds(200));
    has_slept = sleeper.send(number) || has_slept;
    sleeper.said().await(number);
    EXPECT_LE(sleeper.said().begun, sleeper.said().ended);
  }
  partner spinner(wait_by::spinning, {});
  EXPECT_FALSE(spinner.send(1));
  spinner.said().await(1);
}

TEST(Partner, SaysThatItWasAwakeWhenTheNextNumberCame) {
  if (operating_system::processor_count() < 2) GTEST_SKIP() << "needs two processors";
  // On one processor it may run before we do whenever it is woken, and sleep again each time.
  const operating_system::affinity_scope restore;
  operating_system::pin_this_thread(0);
  partner sleeper(wait_by::futex, 1);
  std::uint32_t number = 0;
  while (sleeper.send(++number) && number < 1000) {
  }
  EXPECT_LT(number, 1000U) << "was it never awake?";
}

TEST(Partner, ReadsTheClockFirstAndLastOfAllWhereItWaitsByFutex) {
  const fake_time time(40ns);
  const clock::time_point start = clock::now();
  partner sleeper(wait_by::futex, {});
  for (std::uint32_t number = 1; number <= 3; ++number) {
    fake_time::pass(1ms);
    sleeper.send(number);
    sleeper.said().await(number);
    EXPECT_EQ(sleeper.said().begun - start, 40ns + number * 1ms + (number - 1) * 80ns);
    EXPECT_EQ(sleeper.said().ended - sleeper.said().begun, 40ns);
    EXPECT_NE(sleeper.said().by, nullptr);
    EXPECT_NE(sleeper.said().by, operating_system::this_thread());
  }
}

TEST(Partner, ReadsNoClockWhereItSpins) {
  const fake_time time(40ns);
  partner spinner(wait_by::spinning, {});
  for (std::uint32_t number = 1; number <= 10; ++number) {
    spinner.send(number);
    spinner.said().await(number);
  }
  EXPECT_EQ(fake_time::passed(), 0ns);
}

TEST(Partner, WritesLinesThatItsOwnerDoesNotWrite) {
  const partner other(wait_by::spinning, {});
  const auto place = reinterpret_cast<std::uintptr_t>(&other.said());
  EXPECT_EQ(place % 128, 0U);
  EXPECT_GE(place - reinterpret_cast<std::uintptr_t>(&other), 128U) << "the word is before it";
}

int threads_pinned_to(unsigned processor) {
  int count = 0;
  for (const auto& each : std::filesystem::directory_iterator("/proc/self/task")) {
    count += is_pinned_to(processor, std::stoi(each.path().filename().string())) ? 1 : 0;
  }
  return count;
}

TEST(Partner, RunsOnTheProcessorThatItIsGiven) {
  if (operating_system::processor_count() < 2) GTEST_SKIP() << "needs two processors";
  for (const unsigned processor : {0U, 1U}) {
    partner other(wait_by::futex, processor);
    other.send(1);
    other.said().await(1);
    EXPECT_EQ(threads_pinned_to(processor), 1) << processor;
    EXPECT_EQ(threads_pinned_to(1 - processor), 0) << processor;
  }
  partner anywhere(wait_by::futex, {});
  anywhere.send(1);
  anywhere.said().await(1);
  EXPECT_EQ(threads_pinned_to(0) + threads_pinned_to(1), 0);
}

TEST(RawCosts, AreMeasuredOnPinnedThreadsIfTheOptionsSaySo) {
  if (operating_system::processor_count() < 2) GTEST_SKIP() << "needs two processors";
  for (const bool pin : {false, true}) {
    std::atomic<bool> is_over = false;  // Says when to stop looking, and publishes nothing.
    std::thread measuring([&] {
      // A machine that is busy has no such cost, which it says late enough.
      try {
        static_cast<void>(measure_raw("wake", {.workers = 2, .pin = pin}));
      } catch (const std::runtime_error&) {
      }
      is_over = true;
    });
    bool is_seen = false;
    while (!is_over) {
      is_seen = is_seen || threads_pinned_to(1) > 0;
      std::this_thread::sleep_for(1ms);
    }
    measuring.join();
    EXPECT_EQ(is_seen, pin);
  }
}

TEST(CountingThread, CountsOnTheSecondProcessor) {
  if (operating_system::processor_count() < 2) GTEST_SKIP() << "needs two processors";
  const counting_thread counting;
  const std::uint64_t before = counting.count();
  EXPECT_GT(before, 0U);
  while (counting.count() == before) std::this_thread::yield();  // Would hang.
  EXPECT_EQ(threads_pinned_to(1), 1);
  EXPECT_EQ(threads_pinned_to(0), 0);
}

}  // namespace
}  // namespace stealbench::costs
