#include "schedulers/engine/parking_lot.hpp"

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/engine/std_machine.hpp"

namespace stealbench::engine {
namespace {

using tested_lot = parking_lot<std_machine>;

TEST(Parker, ReturnsAtOnceWhenItsTokenCameFirst) {
  parker<std_machine> parker;
  parker.unpark();
  parker.park();  // Would hang.
}

TEST(Parker, PublishesWhatTheWakerWrote) {
  parker<std_machine> parker;
  int message = 0;  // Not atomic: ThreadSanitizer checks the edge P1.
  std::thread sleeper([&] {
    parker.park();
    EXPECT_EQ(message, 1);
  });
  message = 1;
  parker.unpark();
  sleeper.join();
}

TEST(ParkingLot, WakesNobodyWhenNobodySleeps) {
  tested_lot lot(2);
  tested_lot::sleeper state;
  EXPECT_EQ(lot.wake_any(), 0U);
  EXPECT_EQ(lot.wake(state), 0U);
}

TEST(ParkingLot, DoesNotSleepWhenTheLastLookFindsWork) {
  tested_lot lot(1);
  tested_lot::sleeper state;
  lot.start_searching();
  lot.park(state, [] { return true; });  // Would hang.
  EXPECT_EQ(lot.stop_searching([] { return false; }), 0U);
}

TEST(ParkingLot, ASleeperThatIsNotWokenLooksAgain) {
  tested_lot lot(1);
  tested_lot::sleeper state;
  lot.start_searching();
  int looks = 0;
  lot.park(state, [&] { return ++looks == 4; },
           {.first = std::chrono::milliseconds{1}, .longest = std::chrono::milliseconds{2}});
  EXPECT_EQ(looks, 4);
  EXPECT_EQ(lot.stop_searching([] { return false; }), 0U);
}

// Runs a worker that searches, parks until `awake` is set, and stops searching.
class sleeping_thread {
 public:
  explicit sleeping_thread(tested_lot& lot)
      : thread_([this, &lot] {
          lot.start_searching();
          while (!awake.load()) {
            lot.park(state, [this] {
              looked.store(true);
              return awake.load();
            });
          }
          lot.stop_searching([] { return false; });
        }) {
    while (!looked.load()) std::this_thread::yield();
  }
  ~sleeping_thread() { thread_.join(); }

  tested_lot::sleeper state;
  std::atomic<bool> awake{false};
  std::atomic<bool> looked{false};

 private:
  std::thread thread_;
};

TEST(ParkingLot, WakesOneSleeperForAnyJob) {
  tested_lot lot(1);
  sleeping_thread only(lot);
  only.awake.store(true);
  EXPECT_EQ(lot.wake_any(), 1U);
}

TEST(ParkingLot, WakesNobodyMoreWhileAWokenWorkerSearches) {
  tested_lot lot(3);
  tested_lot::sleeper woken;
  sleeping_thread other(lot);
  lot.start_searching();  // This thread searches, so a new job needs no sleeper.
  EXPECT_EQ(lot.wake_any(), 0U);
  other.awake.store(true);
  EXPECT_EQ(lot.stop_searching([] { return true; }), 1U) << "the last searcher hands the search on";
}

TEST(ParkingLot, LetsTheLastSearcherGoWithoutAWakeUpWhenNothingIsLeft) {
  tested_lot lot(2);
  sleeping_thread other(lot);
  lot.start_searching();
  EXPECT_EQ(lot.stop_searching([] { return false; }), 0U);
  other.awake.store(true);
  EXPECT_EQ(lot.wake(other.state), 1U);
}

TEST(ParkingLot, WakesTheSleeperThatIsMeant) {
  tested_lot lot(2);
  sleeping_thread first(lot);
  sleeping_thread second(lot);
  first.awake.store(true);
  EXPECT_EQ(lot.wake(first.state), 1U);
  second.awake.store(true);
  // Only once the first one has left may the lot be told that a job is for anybody.
  EXPECT_EQ(lot.wake(second.state), 1U);
}

// Tokens go round a ring of workers that sleep as often as they can. A lost wake-up hangs the test.
TEST(ParkingLot, LosesNoWakeUpWhereWorkersSleepAllTheTime) {
  constexpr unsigned workers = 4;
  constexpr unsigned rounds = 2000;
  tested_lot lot(workers);
  std::vector<tested_lot::sleeper> sleepers(workers);
  std::vector<std::atomic<unsigned>> inbox(workers);
  std::vector<std::thread> threads;
  threads.reserve(workers);
  for (unsigned self = 0; self < workers; ++self) {
    threads.emplace_back([&, self] {
      for (unsigned round = 1; round <= rounds; ++round) {
        lot.start_searching();
        while (inbox[self].load(std::memory_order_acquire) < round) {
          lot.park(sleepers[self],
                   [&] { return inbox[self].load(std::memory_order_acquire) >= round; });
        }
        lot.stop_searching([] { return false; });
        const unsigned next = (self + 1) % workers;
        inbox[next].store(next == 0 ? round + 1 : round, std::memory_order_release);
        lot.wake(sleepers[next]);
      }
    });
  }
  inbox[0].store(1, std::memory_order_release);
  lot.wake(sleepers[0]);
  for (auto& each : threads) each.join();
  EXPECT_EQ(inbox[0].load(), rounds + 1);
}

}  // namespace
}  // namespace stealbench::engine
