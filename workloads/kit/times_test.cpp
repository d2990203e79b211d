#include "workloads/kit/times.hpp"

#include <chrono>
#include <cstdint>
#include <thread>

#include <gtest/gtest.h>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/kit/in_order_worker.hpp"

namespace stealbench::kit {
namespace {

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

TEST(Times, AreWorkOfTheSimulatedMachineInAGap) {
  machine_at_noon::units = 0;
  wait(in_order_worker<machine_at_noon>(), microseconds(300), gap_form::sleep);
  EXPECT_EQ(machine_at_noon::units, 300'000U);
}

TEST(Times, AreThoseOfTheSimulatedMachine) {
  EXPECT_EQ(now(in_order_worker<machine_at_noon>()), machine_at_noon::noon);
  const clock::time_point before = clock::now();
  EXPECT_GE(now(serial::worker{}), before);
}

TEST(Times, CountTheProcessorTimeOfEveryThread) {
  const nanoseconds before = processor_time();
  std::thread([] {  // Until it has had that much itself: it may have to wait for a processor.
    const nanoseconds start = processor_time();
    while (processor_time() - start < milliseconds(2)) continue;
  })
      .join();
  EXPECT_GE(processor_time() - before, milliseconds(2));
}

TEST(Times, DoNotCountSleepAsProcessorTime) {
  const nanoseconds before = processor_time();
  wait(milliseconds(50), gap_form::sleep);
  EXPECT_LT(processor_time() - before, milliseconds(50));
}

TEST(Times, HaveAnUpperMedian) {
  EXPECT_EQ(median_of({nanoseconds(900)}), nanoseconds(900));
  EXPECT_EQ(median_of({nanoseconds(900), nanoseconds(20), nanoseconds(40)}), nanoseconds(40));
  EXPECT_EQ(median_of({nanoseconds(900), nanoseconds(20)}), nanoseconds(900));
}

}  // namespace
}  // namespace stealbench::kit
