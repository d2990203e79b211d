#include "workloads/stress/control_loop/control_loop.hpp"

#include <chrono>
#include <cstdint>
#include <optional>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/kit/in_order_worker.hpp"
#include "workloads/kit/sleeps_fixture.hpp"

namespace stealbench::control_loop {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

kit::parameters three_ticks() {
  return {workload::describe(),
          {{"ticks", "3"},
           {"bursts", "2"},
           {"tasks", "4"},
           {"work", "1"},
           {"serial", "300"},
           {"gap", "1000"}}};
}

/// A machine whose time is the work that it has been charged.
struct charged_machine {
  inline static std::uint64_t units = 0;
  static void work(std::uint64_t more) { units += more; }
  static kit::clock::time_point now() { return kit::clock::time_point(nanoseconds(units)); }
};

TEST(ControlLoop, ShowsTheMedianLatencyAndTheProcessorTimeOfATick) {
  const workload::input in = workload::prepare(three_ticks());
  const workload::output out{.latencies = {nanoseconds(900), nanoseconds(20), nanoseconds(40)},
                             .processor_time = nanoseconds(600)};
  EXPECT_EQ(workload::answer(in, out).dump(),
            R"({"ran_once":0,"median_tick_ns":40,"cpu_ns_per_tick":200})");
}

TEST(ControlLoop, CountsTheSerialCodeInTheLatencyOfATickButNotTheGap) {
  workload::input in = workload::prepare(three_ticks());
  const workload::output out = workload::run(kit::in_order_worker<charged_machine>(), in);
  EXPECT_EQ(workload::verify(in, out), true);
  ASSERT_EQ(out.latencies.size(), 3U);
  // A burst of four tasks before the serial code and one after it.
  for (const auto latency : out.latencies) {
    EXPECT_EQ(latency, microseconds(300) + nanoseconds(8 * in.done.units()));
  }
}

TEST(ControlLoop, ShowsNoProcessorTimeInSimulatedTime) {
  workload::input in = workload::prepare(three_ticks());
  const workload::output out = workload::run(kit::in_order_worker<charged_machine>(), in);
  EXPECT_EQ(out.processor_time, std::nullopt);
  EXPECT_TRUE(workload::answer(in, out)["cpu_ns_per_tick"].is_null());
}

TEST(ControlLoop, TakesTheProcessorTimeOfTheSerialCodeButNotThatOfTheGaps) {
  workload::input in = workload::prepare(three_ticks());
  const nanoseconds before = kit::processor_time();
  const kit::clock::time_point begin = kit::clock::now();
  const workload::output out = workload::run(serial::worker{}, in);
  const nanoseconds whole = kit::processor_time() - before;
  EXPECT_GE(kit::clock::now() - begin, 3 * (microseconds(1000) + microseconds(300)));
  ASSERT_TRUE(out.processor_time.has_value());
  EXPECT_GT(*out.processor_time, nanoseconds(0));
  EXPECT_LE(*out.processor_time, whole);
}

TEST(ControlLoop, SleepsInTheGapsAloneAndKeepsItsProcessorInTheSerialCode) {
  workload::input in = workload::prepare({workload::describe(),
                                          {{"ticks", "40"},
                                           {"bursts", "3"},
                                           {"tasks", "1"},
                                           {"work", "1"},
                                           {"serial", "100"},
                                           {"gap", "100"}}});
  const long before = kit::sleeps_so_far();
  workload::run(serial::worker{}, in);
  // Beside 40 gaps, 80 times of serial code. The kernel may add or spare a few.
  EXPECT_NEAR(static_cast<double>(kit::sleeps_so_far() - before), 40, 20);
}

TEST(ControlLoop, MeasuresItsSequentialVersionAlike) {
  workload::input in = workload::prepare(three_ticks());
  const workload::output out = workload::sequential(in);
  EXPECT_EQ(workload::verify(in, out), true);
  EXPECT_EQ(out.latencies.size(), 3U);
  for (const auto latency : out.latencies) EXPECT_GE(latency, microseconds(300));
  EXPECT_GT(out.processor_time, nanoseconds(0));
}

}  // namespace
}  // namespace stealbench::control_loop
