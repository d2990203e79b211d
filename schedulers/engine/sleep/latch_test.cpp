#include "schedulers/engine/sleep/latch.hpp"

#include <thread>

#include <gtest/gtest.h>

#include "schedulers/engine/std_machine.hpp"

namespace stealbench::engine {
namespace {

struct waiter {};
using tested_latch = latch<waiter, std_machine>;

TEST(Latch, IsDoneOnceSetAndHandsTheWaiterThatCameBeforeToTheSetter) {
  waiter waiting;
  for (const int registered : {0, 1, 2}) {
    tested_latch latch{};
    for (int i = 0; i < registered; ++i) EXPECT_TRUE(latch.register_waiter(waiting));
    EXPECT_FALSE(latch.done());
    EXPECT_EQ(latch.set(), registered > 0 ? &waiting : nullptr);
    EXPECT_TRUE(latch.done());
    EXPECT_FALSE(latch.register_waiter(waiting)) << "too late";
  }
}

TEST(Latch, PublishesWhatTheSetterWrote) {
  for (int round = 0; round < 1000; ++round) {
    tested_latch latch{};
    int result = 0;  // Not atomic: ThreadSanitizer checks the edge L1.
    std::thread setter([&] {
      result = round + 1;
      static_cast<void>(latch.set());
    });
    while (!latch.done()) std::this_thread::yield();
    EXPECT_EQ(result, round + 1);
    setter.join();
  }
}

}  // namespace
}  // namespace stealbench::engine
