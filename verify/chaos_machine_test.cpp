// The chaos machine does what the real one does, only later.
#include "verify/chaos_machine.hpp"

#include <cstdint>
#include <thread>

#include <gtest/gtest.h>

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
