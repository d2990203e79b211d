// The chaos machine does what the real one does, only later.
#include "verify/chaos_machine.hpp"

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <thread>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "schedulers/engine/sleep/parker.hpp"

namespace stealbench::verify {
namespace {

using engine::order;

TEST(ChaosMachine, HasTheRealMachinesAtomicOperations) {
  chaos_machine::atomic<std::uint32_t> word(1);
  EXPECT_EQ(word.exchange(2, order::acq_rel), 1U);
  EXPECT_EQ(word.fetch_add(5, order::relaxed), 2U);
  EXPECT_EQ(word.fetch_sub(3, order::relaxed), 7U);
  std::uint32_t expected = 3;
  EXPECT_FALSE(word.compare_exchange_strong(expected, 9, order::seq_cst, order::relaxed));
  EXPECT_EQ(expected, 4U);
  EXPECT_TRUE(word.compare_exchange_strong(expected, 9, order::seq_cst, order::relaxed));
  EXPECT_EQ(word.load(order::acquire), 9U);
  word.store(10, order::release);
  EXPECT_EQ(word.load(order::acquire), 10U);
}

/// How often the calling thread has given up its processor to wait, as it does to sleep.
long waits() {
  rusage used{};
  getrusage(RUSAGE_THREAD, &used);
  return used.ru_nvcsw;
}

/// Of the delays before and after 40,000 operations some twenty are sleeps. No operation waits by
/// itself where there is one thread, and load adds none.
template <class Operation>
void expect_delays(
    const char* name, const Operation& operation, const std::function<void()>& prepare = [] {}) {
  long waited = 0;
  for (int i = 0; i < 40'000; ++i) {
    prepare();
    const long before = waits();
    operation();
    waited += waits() - before;
  }
  EXPECT_GT(waited, 0) << name;
}

TEST(ChaosMachine, DelaysBeforeAnOperationAndBehindIt) {
  long before = 0;
  long behind = 0;
  for (int i = 0; i < 80'000; ++i) {
    const long begin = waits();
    const long meanwhile = delayed(waits);
    before += meanwhile - begin;
    behind += waits() - meanwhile;
  }
  EXPECT_GT(before, 0);
  EXPECT_GT(behind, 0);
}

TEST(ChaosMachine, DelaysEachAtomicOperation) {
  chaos_machine::atomic<std::uint32_t> word(1);
  expect_delays("load", [&] { (void)word.load(order::relaxed); });
  expect_delays("store", [&] { word.store(1, order::relaxed); });
  expect_delays("exchange", [&] { (void)word.exchange(1, order::relaxed); });
  expect_delays("fetch_add", [&] { word.fetch_add(1, order::relaxed); });
  expect_delays("fetch_sub", [&] { word.fetch_sub(1, order::relaxed); });
  expect_delays("compare_exchange_strong", [&] {
    std::uint32_t expected = 0;
    (void)word.compare_exchange_strong(expected, 2, order::relaxed, order::relaxed);
  });
}

TEST(ChaosMachine, DelaysFencesLocksAndWakeUps) {
  expect_delays("fence", [] { chaos_machine::fence(order::seq_cst); });
  expect_delays("compiler_fence", [] { chaos_machine::compiler_fence(); });
  expect_delays("light_fence", [] { chaos_machine::light_fence(); });
  expect_delays("heavy_fence", [] { chaos_machine::heavy_fence(); });
  chaos_machine::mutex mutex;
  const auto lock = [&] { mutex.lock(); };
  const auto unlock = [&] { mutex.unlock(); };
  expect_delays("unlock", unlock, lock);
  lock();
  expect_delays("lock", lock, unlock);
  expect_delays(
      "try_lock", [&] { (void)mutex.try_lock(); }, unlock);
  unlock();
  chaos_machine::atomic<std::uint32_t> word(1);
  constexpr std::uint32_t another_value = 0;  // For which no wait begins.
  expect_delays(
      "wait", [&] { (void)chaos_machine::wait(word, another_value, std::chrono::nanoseconds{0}); });
  expect_delays("notify_one", [&] { chaos_machine::notify_one(word); });
}

TEST(ChaosMachineDeathTest, RefusesASeedThatIsNoNumber) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // A process reads its seed once.
  for (const char* const wrong : {"many", "1x"}) {
    EXPECT_DEATH((setenv("STEALBENCH_CHAOS_SEED", wrong, 1), chaos::seed()),
                 "STEALBENCH_CHAOS_SEED=.+: must be a number from 0 to 2\\^64 - 1, or fresh");
  }
}

TEST(ChaosMachine, ExcludesThreadsByItsMutex) {
  chaos_machine::mutex mutex;
  unsigned count = 0;  // Not atomic: ThreadSanitizer would see a race.
  const auto counts = [&] {
    for (int i = 0; i < 1000; ++i) {
      mutex.lock();
      ++count;
      mutex.unlock();
    }
  };
  std::thread other(counts);
  counts();
  other.join();
  EXPECT_EQ(count, 2000U);
}

TEST(ChaosMachine, WakesASleeper) {
  engine::parker<chaos_machine> first;
  engine::parker<chaos_machine> second;
  std::thread other([&] {
    for (int i = 0; i < 200; ++i) {
      second.park();
      first.unpark();
    }
  });
  for (int i = 0; i < 200; ++i) {
    second.unpark();
    first.park();  // Would hang.
  }
  other.join();
}

}  // namespace
}  // namespace stealbench::verify
