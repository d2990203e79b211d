// What the counting variants record. Under ThreadSanitizer: that no thread writes what is read.
#include "schedulers/timeline.hpp"

#include <chrono>
#include <cstdint>

#include "schedulers/contract/fixture.hpp"

namespace stealbench::schedulers::contract {
namespace {

/// Runs three times, some time apart, and returns what was counted. A template, so that a scheduler
/// without a counting variant need not compile it.
template <class S>
counters record_runs([[maybe_unused]] unsigned workers, [[maybe_unused]] timeline& recorded) {
  counters seen;
  if constexpr (counts<S>) {
    typename S::counting_variant counting(options{.workers = workers, .recording = &recorded});
    for (int round = 0; round < 3; ++round) {
      counting.run([](auto worker) { fork_leaves(worker, 6, [] { linger(); }); });
      linger();
    }
    seen = counting.counters().value();
  }
  return seen;
}

TEST_P(SchedulerContract, RecordsWhatItCounts) {
  if (!counts<subject>) GTEST_SKIP() << "counts nothing";
  timeline recorded(GetParam(), 10'000);
  const counters seen = record_runs<subject>(GetParam(), recorded);
  std::uint64_t steals = 0;
  std::uint64_t failed_steals = 0;
  std::uint64_t parks = 0;
  for (unsigned i = 0; i < GetParam(); ++i) {
    std::chrono::nanoseconds busy{0};
    interval::time end{};
    for (const interval& each : recorded.of(i).intervals()) {
      EXPECT_LE(end, each.begin) << "worker " << i;
      EXPECT_LE(each.begin, each.end) << "worker " << i;
      end = each.end;
      if (each.what == activity::running) busy += each.end - each.begin;
      failed_steals += each.failed_steals;
      if (each.what == activity::parked) ++parks;
      if (each.victim == interval::no_victim) continue;
      ++steals;
      EXPECT_EQ(each.what, activity::running);
      EXPECT_LT(each.victim, GetParam());
    }
    EXPECT_EQ(recorded.of(i).dropped(), 0U);
    EXPECT_EQ(static_cast<std::uint64_t>(busy.count()), seen.per_worker[i].busy_ns) << i;
  }
  EXPECT_EQ(steals, seen.steals);
  // The idle workers have gone on since.
  EXPECT_GE(failed_steals, seen.failed_steals());
  EXPECT_GE(parks, seen.parks);
}

TEST_P(SchedulerContract, RunsOnWhenItsTimelineIsFull) {
  if (!counts<subject>) GTEST_SKIP() << "counts nothing";
  timeline recorded(GetParam(), 1);
  const counters seen = record_runs<subject>(GetParam(), recorded);
  EXPECT_EQ(seen.jobs_run, seen.jobs_spawned);
  EXPECT_EQ(recorded.of(0).intervals().size(), 1U);
  EXPECT_GE(recorded.of(0).dropped(), 2U) << "of three runs";
}

}  // namespace
}  // namespace stealbench::schedulers::contract
