// What a worker waits with, and for: patience, latches, and the heart that beats.
// parking_lot_test.cpp has the sleep.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/engine/machine.hpp"
#include "schedulers/engine/sleep/heart.hpp"
#include "schedulers/engine/sleep/latch.hpp"
#include "schedulers/engine/sleep/patience.hpp"
#include "schedulers/engine/std_machine.hpp"

namespace stealbench::engine {
namespace {

/// Counts what a worker does while it waits.
struct counting_machine {
  static void spin() { ++spins; }
  static void yield_thread() { ++yields; }
  static constexpr engine::limits limits() {
    return {.spin_rounds = 100, .yield_rounds = 20, .longest_pause = 4};
  }
  static unsigned join_rounds(unsigned workers) { return 300 * workers; }
  static constexpr unsigned most_searchers(unsigned workers) { return workers / 2 + 1; }
  struct process_mark {
    static void expect_here() { ++looks; }
  };

  static inline unsigned looks;
  static inline unsigned spins;
  static inline unsigned yields;
};
using tested_patience = patience<counting_machine>;
using schedulers::attempt_limit;
using schedulers::backoff_policy;
using schedulers::idle_policy;
using schedulers::searcher_limit;

const auto not_over = [] { return false; };

/// The rounds until it is time to sleep.
unsigned rounds_before_sleep(const schedulers::options& chosen, purpose why = purpose::any_job) {
  const tested_patience waiting(chosen);
  unsigned round = 0;
  while (round < 1'000'000 && waiting.pause(why, round, not_over)) ++round;
  return round;
}

/// How often it pauses in each of the first rounds.
std::vector<unsigned> pauses(backoff_policy how, unsigned rounds) {
  const tested_patience waiting({.workers = 2, .backoff = how});
  std::vector<unsigned> spins;
  for (unsigned round = 0; round < rounds; ++round) {
    counting_machine::spins = counting_machine::yields = 0;
    EXPECT_TRUE(waiting.pause(purpose::any_job, round, not_over));
    spins.push_back(counting_machine::spins);
    EXPECT_EQ(counting_machine::yields, how == backoff_policy::yield_thread ? 1U : 0U);
  }
  return spins;
}

TEST(Patience, EndsAfterAsManyAttemptsAsChosenAndLaterAtAJoin) {
  EXPECT_EQ(rounds_before_sleep({.workers = 8}), 120U);
  for (const unsigned workers : {2U, 3U, 8U, 64U, 256U}) {
    const unsigned looks = std::min(workers - 1, engine::most_looks);
    const unsigned rounds =
        rounds_before_sleep({.workers = workers, .attempts = attempt_limit::twice_workers}) - 20;
    if (workers < 200) {
      EXPECT_GE(rounds * looks, 2 * workers);
      EXPECT_LT((rounds - 1) * looks, 2 * workers);
    } else {
      EXPECT_EQ(rounds, 100U) << "and no more than shipped";
    }
  }
  EXPECT_EQ(rounds_before_sleep({.workers = 1, .attempts = attempt_limit::twice_workers}), 22U);
  EXPECT_EQ(rounds_before_sleep({.workers = 2}, purpose::join), 620U);
  EXPECT_EQ(
      rounds_before_sleep({.workers = 2, .attempts = attempt_limit::twice_workers}, purpose::join),
      24U);
}

// A child of fork() has no other workers to wait for (process_mark).
TEST(Patience, NeverEndsWhereIdleWorkersDoNotSleepAndLooksWhetherItIsStillInItsProcess) {
  counting_machine::looks = 0;
  EXPECT_EQ(rounds_before_sleep({.workers = 2}), 120U);
  EXPECT_EQ(counting_machine::looks, 1U);
  for (const idle_policy restless : {idle_policy::spin, idle_policy::yield_thread}) {
    counting_machine::looks = 0;
    EXPECT_EQ(rounds_before_sleep({.workers = 2, .idle = restless}), 1'000'000U);
    EXPECT_GE(counting_machine::looks, 1'000'000U / 1024);
  }
}

TEST(Patience, BacksOffAsChosen) {
  EXPECT_EQ(pauses(backoff_policy::linear, 6), (std::vector<unsigned>{1, 2, 3, 4, 4, 4}));
  EXPECT_EQ(pauses(backoff_policy::exponential, 9),
            (std::vector<unsigned>{1, 2, 4, 8, 16, 32, 64, 64, 64}));
  EXPECT_EQ(pauses(backoff_policy::yield_thread, 3), (std::vector<unsigned>{0, 0, 0}));
}

TEST(Patience, EndsAPauseWhenTheWaitIsOver) {
  const tested_patience waiting({.workers = 2, .backoff = backoff_policy::exponential});
  counting_machine::spins = 0;
  EXPECT_TRUE(waiting.pause(purpose::any_job, 20, [] { return counting_machine::spins == 5; }));
  EXPECT_EQ(counting_machine::spins, 5U);
}

TEST(Patience, LetsAsManySearchAsChosen) {
  EXPECT_EQ(tested_patience({.workers = 8}).most_searchers(), 5U);
  EXPECT_EQ(tested_patience({.workers = 8, .searchers = searcher_limit::one}).most_searchers(), 1U);
  EXPECT_EQ(tested_patience({.workers = 8, .searchers = searcher_limit::all}).most_searchers(), 8U);
}

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

using tested_heart = heart<std_machine>;
constexpr std::chrono::microseconds period{50};

void await_beats(const tested_heart& heart, std::uint64_t more) {
  const std::uint64_t wanted = heart.beats() + more;
  while (heart.beats() < wanted) std::this_thread::yield();  // Would hang.
}

TEST(Heart, BeatsInEachRun) {
  std::atomic<std::uint64_t> felt{0};
  tested_heart beating(period, [&] { ++felt; });
  for (int run = 0; run < 3; ++run) {
    const tested_heart::run_scope scope(&beating);
    await_beats(beating, 10);
  }
  EXPECT_GE(felt, 29U) << "the latest one may be under way";
}

TEST(Heart, GoesOnFromARunToTheNext) {
  tested_heart beating(period, [] {});
  const std::uint64_t wanted = 20;
  while (beating.beats() < wanted) const tested_heart::run_scope scope(&beating);  // Would hang.
}

TEST(Heart, DoesNotBeatFasterThanItsPeriod) {
  tested_heart beating(period, [] {});
  const tested_heart::run_scope scope(&beating);
  const auto begin = std::chrono::steady_clock::now();
  const std::uint64_t before = beating.beats();
  await_beats(beating, 20);
  const auto passed = std::chrono::steady_clock::now() - begin;
  // A beat that was due before may come at once.
  EXPECT_GE(passed, (beating.beats() - before - 2) * period);
}

TEST(Heart, EndsWhateverItDoes) {
  for (int i = 0; i < 100; ++i) {
    std::optional<tested_heart> beating(std::in_place, period, [] {});
    if (i % 2 == 0) const tested_heart::run_scope scope(&*beating);
    if (i % 3 == 0) std::this_thread::yield();
    beating.reset();  // Would hang.
  }
}

}  // namespace
}  // namespace stealbench::engine
