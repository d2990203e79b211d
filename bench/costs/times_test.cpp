// The stop-watch of the figures, with a clock that the test sets: each time, count and usage.
#include "bench/costs/times.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "bench/costs/figures.hpp"
#include "bench/system/fake_time_fixture.hpp"
#include "bench/system/usage.hpp"
#include "schedulers/options.hpp"

namespace stealbench::costs {
namespace {

using namespace std::chrono_literals;
using system::fake_time;
using system::usage;

constexpr usage some{
    .user_seconds = 0.5, .system_seconds = 0.25, .voluntary_switches = 8, .forced_switches = 4};

// What a reading of a coarse clock takes, and by which it advances.
constexpr auto coarse_step = 20us;

void expect_usage(const usage& found, double times) {
  EXPECT_NEAR(found.user_seconds, some.user_seconds * times, 1e-9);
  EXPECT_NEAR(found.system_seconds, some.system_seconds * times, 1e-9);
  EXPECT_NEAR(found.voluntary_switches, some.voluntary_switches * times, 1e-9);
  EXPECT_NEAR(found.forced_switches, some.forced_switches * times, 1e-9);
}

TEST(Median, IsTheMiddleOneOrTheMidpointOfTheMiddleTwoOfSomeFiniteValues) {
  EXPECT_EQ(median({7}), 7);
  EXPECT_EQ(median({9, 1, 5}), 5);
  EXPECT_EQ(median({4, 1}), 2.5);
  EXPECT_EQ(median({8, 1, 4, 2}), 3);
  EXPECT_EQ(median({1, 3, 1e9, 2, 4}), 3) << "an outlier does not move it";
  EXPECT_THROW(static_cast<void>(median({})), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(median({1, std::nan("")})), std::invalid_argument);
}

TEST(Clock, TakesTheTimeOfAReadingAndAdvancesByAStep) {
  const fake_time time(30ns);
  EXPECT_DOUBLE_EQ(clock_nanoseconds(), 30);
  EXPECT_DOUBLE_EQ(clock_step_nanoseconds(), 30);
  EXPECT_DOUBLE_EQ(nanoseconds_of([] { fake_time::pass(5us); }), 5030);
  const auto before = fake_time::passed();
  busy_for(3us);
  EXPECT_GE(fake_time::passed() - before, 3us);
  EXPECT_LE(fake_time::passed() - before, 3us + 60ns);
}

TEST(Clock, IsReadOftenEnoughToKnowItsMedianAndItsLeastStep) {
  const fake_time time(30ns);
  // Two readings for each value: one is longer, one shorter, and three take as long as usual.
  fake_time::vary_readings({100ns, -20ns, 0ns, 0ns, 0ns});
  EXPECT_DOUBLE_EQ(clock_nanoseconds(), 30);
  fake_time::vary_readings({100ns, -20ns, 0ns, 0ns, 0ns});
  EXPECT_DOUBLE_EQ(clock_step_nanoseconds(), 10);
}

TEST(Clock, AdvancesByAStepHoweverManyReadingsShowTheSameTime) {
  const fake_time time;
  fake_time::vary_readings({0ns, 0ns, 0ns, 0ns, 100ns});
  EXPECT_DOUBLE_EQ(clock_step_nanoseconds(), 100);
}

TEST(Batches, TakeTheTimeOfAnOperationWithoutThatOfReadingTheClock) {
  const fake_time time(40ns);
  std::uint64_t calls = 0;
  // 1 µs and 10 operations a batch: a run has 128 batches, the least power of two from 100 µs on.
  const figure_times times = time_batches(10, [&calls] {
    ++calls;
    fake_time::pass(1us);
  });
  for (const double each : times.ns_per_operation) EXPECT_DOUBLE_EQ(each, 100);
  EXPECT_EQ(times.operations_per_run, 1280U);
  EXPECT_EQ(times.all_operations, 10 * calls);
  EXPECT_EQ(times.ns_per_operation.size(), 1001U);
  EXPECT_EQ(times.uncounted_runs, 0U);
  EXPECT_DOUBLE_EQ(times.first_run_seconds, 1.04e-6) << "one batch";
  EXPECT_EQ(times.still_seconds, 0);
}

TEST(Batches, AreCalledMoreOftenWhereTheClockIsCoarse) {
  const fake_time time(coarse_step);
  // 100 steps are 2 ms.
  const figure_times times = time_batches(1, [] { fake_time::pass(1us); });
  EXPECT_EQ(times.operations_per_run, 2048U);
  EXPECT_EQ(times.uncounted_runs, 0U);
}

TEST(Batches, AreCalledAsOftenAfterARunOfTheSearchThatWasInterrupted) {
  for (const std::uint64_t interrupted : {2U, 4U, 100U}) {
    const fake_time time(1ns);
    std::uint64_t calls = 0;
    const figure_times times =
        time_batches(1, [&] { fake_time::pass(++calls == interrupted ? 5ms : 1us); });
    EXPECT_EQ(times.operations_per_run, 128U) << interrupted;
    EXPECT_EQ(times.all_operations, calls);
  }
}

TEST(Batches, AreCalledNoMoreThan65536TimesInARun) {
  const fake_time time(1ns);
  std::uint64_t calls = 0;
  // All runs of the search are too short, and the first one behind it too.
  constexpr std::uint64_t short_calls = 3UL * 65'536;
  const figure_times times =
      time_batches(3, [&calls] { fake_time::pass(++calls <= short_calls ? 1ns : 1us); });
  EXPECT_EQ(times.operations_per_run, 3U * 65'536U);
  EXPECT_EQ(times.all_operations, 3 * calls);
}

TEST(Batches, EndAfter200MillisecondsButNotBefore21Runs) {
  const fake_time time(1ns);
  const auto runs = [](std::chrono::nanoseconds batch) {
    return time_batches(1, [batch] { fake_time::pass(batch); }).ns_per_operation.size();
  };
  EXPECT_EQ(runs(1s), 21U);
  EXPECT_EQ(runs(2ms), 100U);
}

TEST(Batches, HaveTheUsageOfARunAfterTheFirstOnesInTheMean) {
  const fake_time time(1ns);
  std::uint64_t calls = 0;
  const figure_times times = time_batches(1, [&calls] {
    // The first run and the two that find the size, and then all that count.
    const bool counts = ++calls > 3;
    fake_time::use(counts ? some : usage{.user_seconds = 77, .forced_switches = 77});
    fake_time::pass(1s);
  });
  EXPECT_EQ(times.operations_per_run, 1U);
  expect_usage(times.per_run, 1);
}

TEST(Batches, DoNotCountARunThatIsTooShortForTheClock) {
  const fake_time time(coarse_step);
  std::uint64_t calls = 0;
  // The least run is 2 ms; of those that are timed every second one is shorter.
  const figure_times times = time_batches(1, [&calls] {
    fake_time::pass(++calls <= 3 || calls % 2 == 0 ? 3ms : 1ms);
    fake_time::use(some);
  });
  const std::uint64_t runs = calls - 3;
  EXPECT_EQ(times.uncounted_runs, runs / 2);
  EXPECT_EQ(times.ns_per_operation.size(), runs - runs / 2);
  for (const double each : times.ns_per_operation) EXPECT_DOUBLE_EQ(each, 3e6);
  EXPECT_EQ(times.all_operations, calls);
  expect_usage(times.per_run, 1);
  EXPECT_THROW(static_cast<void>(time_batches(1, [] {})), std::runtime_error);
}

TEST(Batches, AreRefusedWhere20RunsAreLongEnoughAndNotWhere21Are) {
  const auto counted = [](std::uint64_t long_runs) {
    const fake_time time(coarse_step);
    std::uint64_t calls = 0;
    // Three runs before those that are timed; the least run is 2 ms.
    return time_batches(1, [&] { fake_time::pass(++calls <= 3 + long_runs ? 3ms : 1us); })
        .ns_per_operation.size();
  };
  EXPECT_THROW(static_cast<void>(counted(20)), std::runtime_error);
  EXPECT_EQ(counted(21), 21U);
}

TEST(SingleRuns, AreWhatTheRunsSayAfterOneThatWarmsUp) {
  const fake_time time(1ns);
  std::vector<double> said{9e9, 4, 1, 2, 40, 3};
  std::size_t next = 0;
  const figure_times times = time_each(5, [&] {
    fake_time::use(next == 0 ? usage{.user_seconds = 77} : some);
    return said[next++];
  });
  EXPECT_EQ(times.ns_per_operation, (std::vector<double>{4, 1, 2, 40, 3}));
  EXPECT_EQ(median_of(times), 3);
  EXPECT_DOUBLE_EQ(times.first_run_seconds, 9);
  EXPECT_EQ(times.all_operations, 6U);
  EXPECT_EQ(times.operations_per_run, 1U);
  expect_usage(times.per_run, 1);
}

TEST(Idleness, IsTheProcessorTimePerSecondOfThePoolThatIsLeftAlone) {
  const fake_time time(1ns);
  std::uint64_t runs = 0;
  std::chrono::nanoseconds latest{};
  const figure_times times = time_idleness([&] {
    if (++runs > 1) {
      EXPECT_GE(fake_time::passed() - latest, 220ms);
      EXPECT_LE(fake_time::passed() - latest, 220ms + 100ns);
    }
    fake_time::use(some);  // Of the run, and no part of what is idle.
    latest = fake_time::passed();
  });
  EXPECT_EQ(runs, 4U);
  EXPECT_EQ(times.ns_per_operation.size(), 3U);
  for (const double each : times.ns_per_operation) EXPECT_EQ(each, 0);
  EXPECT_DOUBLE_EQ(times.still_seconds, 0.22);
}

TEST(Idleness, CountsWhatAllThreadsBurnMeanwhile) {
  const fake_time time(1ns);
  for (const double busy_threads : {0.25, 16.0}) {  // Less and more than a second in a window.
    fake_time::use_while_asleep(busy_threads);
    const figure_times times = time_idleness([] {});
    for (const double each : times.ns_per_operation) EXPECT_NEAR(each, busy_threads * 1e9, 1e5);
  }
}

TEST(ResidentMemory, HasNoPartOfWhatTheAllocatorKeepsForLater) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer has an allocator of its own";
#endif
  constexpr std::size_t count = 32'768;
  constexpr std::size_t bytes = 1024;
  std::vector<std::unique_ptr<std::array<char, bytes>>> blocks(count);
  for (auto& each : blocks) each = std::make_unique<std::array<char, bytes>>();
  const double before = resident_bytes();
  blocks.erase(blocks.begin(), blocks.end() - 1);  // The last one keeps the heap from shrinking.
  EXPECT_LE(resident_bytes(), before - 0.8 * count * bytes);
}

/// Takes some memory, more or less of it each time, and a known time to be made.
class heavy_pool {
 public:
  explicit heavy_pool(const schedulers::options& options)
      : bytes_(options.workers * bytes_per_worker * halves.at(pools) / 2, 'x') {
    fake_time::pass(++pools == 1 ? 9s : 3ms);
  }
  static constexpr std::array<std::size_t, 4> halves{9, 1, 2, 3};
  static constexpr std::size_t bytes_per_worker = std::size_t{4} << 20;
  static inline unsigned pools = 0;

 private:
  std::vector<char> bytes_;
};

TEST(MemoryFigure, IsThatOfAWorkerAndItsTimeThatOfMakingThePool) {
  const fake_time time(1ns);
  heavy_pool::pools = 0;
  unsigned started = 0;
  const figure_result found =
      measure_memory<heavy_pool>({.workers = 8}, [&started](const heavy_pool& /*pool*/) {
        ++started;
        fake_time::pass(1h);  // No part of making it.
      });
  EXPECT_EQ(heavy_pool::pools, 4U);
  EXPECT_EQ(started, 4U);
#if !defined(__SANITIZE_THREAD__)  // It keeps several bytes beside each that is written.
  EXPECT_NEAR(found.bytes_per_worker, heavy_pool::bytes_per_worker,
              0.2 * heavy_pool::bytes_per_worker)
      << "the median of all but the first";
#endif
  EXPECT_GE(fake_time::passed(), 9s + 3 * 3ms + 4 * (1h + until_asleep))
      << "their threads sleep by then";
  EXPECT_EQ(found.worker_count, 8U);
  EXPECT_NEAR(found.start_up_seconds, 3e-3, 1e-8);
  EXPECT_NEAR(found.times.first_run_seconds, 9, 1e-8);
  EXPECT_NEAR(median_of(found.times), 3e6, 10);
}

}  // namespace
}  // namespace stealbench::costs
