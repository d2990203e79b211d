// Which workers thieves spare, and for how long: by a clock that the test sets. And how many jobs
// they then take, in simulated time.
#include "schedulers/work_stealing/steal_worth.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>

#include <gtest/gtest.h>

#include "schedulers/counters.hpp"
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/virtual_machine/tests/test_machine.hpp"
#include "schedulers/work_stealing/scheduler.hpp"

namespace stealbench::work_stealing {
namespace {

using namespace std::chrono_literals;

struct timed_machine : engine::std_machine {
  static inline std::chrono::nanoseconds passed{0};
  static std::chrono::steady_clock::time_point now() {
    return std::chrono::steady_clock::time_point{passed};
  }
};
using timed_worth = steal_worth<timed_machine>;
constexpr auto step = 1024ns;

class StealWorth : public testing::Test {  // NOLINT: GoogleTest shows it as the name of the suite.
 protected:
  void SetUp() override { timed_machine::passed = 1000 * step; }

  void note_short(unsigned jobs) {
    for (unsigned noted = 0; noted < jobs; noted += timed_worth::short_jobs_per_note) {
      worth.note_short();
    }
  }
  /// For how long the victim is spared from now on; the clock then shows its end.
  std::chrono::nanoseconds spared_for() {
    const auto begin = timed_machine::passed;
    while (worth.is_spared()) timed_machine::passed += step;
    return timed_machine::passed - begin;
  }

  timed_worth worth;
};

TEST_F(StealWorth, IsNotDoubtedBeforeManyJobsInARowWereShort) {
  note_short(128);
  EXPECT_FALSE(worth.is_spared());
  note_short(4);
  EXPECT_TRUE(worth.is_spared());
}

TEST_F(StealWorth, IsTriedAgainAfterPausesThatDoubleUpToALongestOne) {
  note_short(128);
  for (const int steps : {1, 2, 4, 8, 16, 32, 64, 64, 64}) {
    note_short(4);
    EXPECT_EQ(spared_for(), steps * step);
  }
}

TEST_F(StealWorth, KeepsItsLongestPauseHoweverManyJobsAreShort) {
  note_short(1U << 18);
  EXPECT_EQ(spared_for(), 64 * step);
}

TEST_F(StealWorth, IsRestoredByOneLongJob) {
  note_short(1000);
  ASSERT_TRUE(worth.is_spared());
  worth.note_long();
  EXPECT_FALSE(worth.is_spared());
  note_short(128);
  EXPECT_FALSE(worth.is_spared()) << "they are counted from the long one on";
}

TEST_F(StealWorth, IsOfJobsThatTakeLongerThanTheClaimsOfAllThieves) {
  EXPECT_EQ(timed_worth::least_length(100ns, 2), 150ns);
  EXPECT_EQ(timed_worth::least_length(100ns, 4), 450ns);
  EXPECT_EQ(timed_worth::least_length(100ns, 64), 1us) << "long anyway";
}

struct counts_and_times {
  schedulers::counters counts;
  virtual_machine::window times;
};

/// With `children` of one worker, the i-th of which takes length_ns(i).
template <class Length>
counts_and_times spawned(unsigned children, const Length& length_ns, unsigned workers = 8,
                         std::uint64_t seed = 1) {
  using namespace virtual_machine;
  settings chosen{
      .costs = round_costs, .prices = {}, .unit_ns = 1, .seed = seed, .job_stacks = workers};
  counts_and_times found;
  simulated(chosen, [&] {
    scheduler_on<machine>::counting_variant scheduler(
        {.workers = workers, .stack_bytes = test_stack_bytes});
    running.all->await_stillness();
    running.all->begin_window();
    scheduler.run([&](auto worker) {
      auto group = worker->task_group();
      for (unsigned i = 0; i < children; ++i) {
        group.spawn([length = length_ns(i)](auto) { machine::work(length); });
      }
      group.sync();
    });
    found = {scheduler.counters().value(), running.all->end_window()};
  });
  return found;
}

/// How many of them others have run, if each takes as long.
std::uint64_t moved(unsigned children, unsigned length_ns, unsigned workers = 8) {
  const auto all_alike = [=](unsigned /*i*/) { return length_ns; };
  return spawned(children, all_alike, workers).counts.jobs_moved;
}

TEST(Thieves, LeaveAWorkerAloneWithJobsThatAreShorterThanTheirSteals) {
  EXPECT_LT(moved(20'000, 100), 1'000U);
  EXPECT_GT(moved(2'000, 10'000), 1'500U) << "seven of eight";
  // A job of a microsecond is long.
  EXPECT_LT(moved(10'000, 500), 1'000U);
  EXPECT_GT(moved(10'000, 1'000), 5'000U);
  // A claim takes some 100 ns here: of one thief alone shorter jobs are worth it.
  EXPECT_LT(moved(10'000, 50, 2), 2'000U);
  EXPECT_GT(moved(10'000, 500, 2), 3'000U);
  // Before each of many has learnt what a claim takes. One that took its first jobs for long ones
  // would have the others come back.
  EXPECT_LT(moved(20'000, 100, 64), 600U);
}

TEST(Thieves, AreOfferedNoRestOfManyChildrenWhileTheySpareTheirOwner) {
  // The median of nine seeds: of ten syncs one falls between two times of sparing.
  const auto exposed = [](unsigned length) {
    std::array<std::uint64_t, 9> all{};
    std::uint64_t seed = 0;
    for (std::uint64_t& each : all) {
      ++seed;
      const auto found = spawned(
          20'000, [=](unsigned /*i*/) { return length; }, 8, seed);
      each = found.counts.jobs_exposed;
    }
    std::ranges::sort(all);
    return all[all.size() / 2];
  };
  EXPECT_LT(exposed(100), 2'000U);
  EXPECT_GT(exposed(10'000), 10'000U);
}

TEST(Thieves, GoOnWhereSomeOfTheJobsAreLong) {
  const auto some_long = [](unsigned i) { return i % 20 == 0 ? 2'000U : 100U; };
  EXPECT_GT(spawned(10'000, some_long).counts.jobs_moved, 2'000U);
}

TEST(Thieves, WaitForLinesThatHaveNames) {
  const auto short_ones = [](unsigned /*i*/) { return 500U; };
  std::int64_t all = 0;
  std::int64_t unnamed = 0;
  std::uint64_t of_worth = 0;
  for (const virtual_machine::line_wait& each : spawned(10'000, short_ones).times.lines) {
    all += each.time;
    if (each.name == "unnamed") unnamed += each.time;
    if (each.name == "deques: whether jobs are worth their steals") of_worth += each.waits;
  }
  EXPECT_GT(of_worth, 100U);
  EXPECT_LT(unnamed, all / 100);
}

}  // namespace
}  // namespace stealbench::work_stealing
