// Receipts, times, hashes and the limit of memory, which workloads share.
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/kit/in_order_worker.hpp"
#include "workloads/kit/parameters.hpp"
#include "workloads/kit/receipts.hpp"
#include "workloads/kit/sorting.hpp"
#include "workloads/kit/steps.hpp"
#include "workloads/kit/times.hpp"

namespace stealbench::kit {
namespace {

TEST(Steps, LeadWhereALeapLeads) {
  for (std::uint64_t steps = 0; steps < 70; ++steps) {
    EXPECT_EQ(leap(steps).of(42), stepped(42, steps)) << steps;
  }
  EXPECT_EQ(leap(1'000'003).of(7), stepped(7, 1'000'003));
}

TEST(Receipts, AreCompleteOnceEveryTaskHasRun) {
  for (const std::uint64_t tasks : {1U, 7U, 8U, 15U, 16U, 17U, 127U, 128U, 129U, 1000U}) {
    receipts done(tasks, 3);
    for (std::uint64_t task = tasks; task-- > 0;) {
      EXPECT_FALSE(done.complete()) << tasks << " tasks, " << task;
      done.perform(task);
    }
    EXPECT_TRUE(done.complete()) << tasks;
    EXPECT_EQ(done.ran_once(), tasks);
  }
}

TEST(Receipts, ShowATaskThatRanTwiceOrWasLostUntilTheyAreCleared) {
  receipts done(20, 5);
  for (std::uint64_t task = 0; task < 20; ++task) done.perform(task);
  done.perform(0);
  EXPECT_EQ(done.ran_once(), 19u);
  done.clear();
  for (std::uint64_t task = 0; task < 20; ++task) done.perform(task);
  EXPECT_TRUE(done.complete());
  done.lose_last();
  EXPECT_FALSE(done.complete());
}

TEST(Receipts, PerformARangeOfTasksOnceEach) {
  receipts done(20, 3);
  done.perform_in_order(0, 5);
  done.perform_in_order(5, 14);
  EXPECT_EQ(done.ran_once(), 19u);
  done.perform_in_order(19, 1);
  EXPECT_TRUE(done.complete());
}

TEST(Receipts, HaveLanesOfAnOddNumberOfCacheLines) {
  constexpr std::uint64_t lanes = 16;
  constexpr std::uint64_t line_bytes = 64;
  for (std::uint64_t tasks = 0; tasks < 20'000; tasks += 128) {  // One line more in each lane.
    EXPECT_EQ(receipts::bytes_for(tasks) / lanes / line_bytes % 2, 1u) << tasks;
  }
}

/// A worker in simulated time that says what it was charged for.
struct charged_machine {
  static inline std::uint64_t units = 0;
  static void work(std::uint64_t added) { units += added; }
};
struct told_worker {
  using machine = charged_machine;
};

TEST(Receipts, ChargeTheWorkerForATask) {
  charged_machine::units = 0;
  receipts done(2, 5);
  told_worker told;
  done.perform(&told, 1);
  EXPECT_EQ(done.ran_once(), 1u);
  EXPECT_EQ(charged_machine::units, done.units());
}

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

struct machine_at_noon {
  inline static std::uint64_t units = 0;
  static constexpr clock::time_point noon{std::chrono::hours(12)};
  static void work(std::uint64_t more) { units += more; }
  static clock::time_point now() { return noon; }
};

TEST(Times, PassInEitherFormOfAGap) {
  for (const gap_form form : {gap_form::sleep, gap_form::spin}) {
    const clock::time_point begin = clock::now();
    wait(serial::worker{}, microseconds(300), form);
    EXPECT_GE(clock::now() - begin, microseconds(300));
  }
}

TEST(Times, AreThoseOfTheSimulatedMachineAndWorkOfItInAGap) {
  machine_at_noon::units = 0;
  wait(in_order_worker<machine_at_noon>(), microseconds(300), gap_form::sleep);
  EXPECT_EQ(machine_at_noon::units, 300'000U);
  EXPECT_EQ(now(in_order_worker<machine_at_noon>()), machine_at_noon::noon);
  const clock::time_point before = clock::now();
  EXPECT_GE(now(serial::worker{}), before);
}

TEST(Times, CountTheProcessorTimeOfEveryThreadButNoSleep) {
  const nanoseconds before = processor_time();
  std::thread([] {  // Until it has had that much itself: it may have to wait for a processor.
    const nanoseconds start = processor_time();
    while (processor_time() - start < milliseconds(2)) continue;
  })
      .join();
  EXPECT_GE(processor_time() - before, milliseconds(2));
  const nanoseconds awake = processor_time();
  wait(milliseconds(50), gap_form::sleep);
  EXPECT_LT(processor_time() - awake, milliseconds(50));
}

TEST(Times, HaveAnUpperMedian) {
  EXPECT_EQ(median_of({nanoseconds(900)}), nanoseconds(900));
  EXPECT_EQ(median_of({nanoseconds(900), nanoseconds(20), nanoseconds(40)}), nanoseconds(40));
  EXPECT_EQ(median_of({nanoseconds(900), nanoseconds(20)}), nanoseconds(900));
}

using keys = std::vector<std::uint64_t>;

TEST(MultisetHash, IgnoresTheOrderAndSeesHowOftenAKeyOccurs) {
  EXPECT_EQ(multiset_hash(keys{1, 2, 3}), multiset_hash(keys{3, 1, 2}));
  EXPECT_NE(multiset_hash(keys{1, 1, 2}), multiset_hash(keys{1, 2, 2}));
  EXPECT_NE(multiset_hash(keys{0}), multiset_hash(keys{}));
  EXPECT_NE(multiset_hash(keys{1, 4}), multiset_hash(keys{2, 3})) << "the same sum";
}

TEST(RequireMemory, TakesWhatFitsAndNamesTheGreatestValueThatDoes) {
  const std::uint64_t all = physical_memory_bytes();
  EXPECT_NO_THROW(require_memory("n", all, [](std::uint64_t n) { return n; }));
  try {
    require_memory("n", all / 4 + 1, [](std::uint64_t n) { return 4 * n; });
    FAIL() << "took too much";
  } catch (const bad_input& refused) {
    const std::string message = refused.what();
    EXPECT_NE(message.find("up to " + std::to_string(all / 4)), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace stealbench::kit
