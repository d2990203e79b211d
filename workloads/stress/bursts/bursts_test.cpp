#include "workloads/stress/bursts/bursts.hpp"

#include <chrono>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "schedulers/serial/scheduler.hpp"

namespace stealbench::bursts {
namespace {

using std::chrono::nanoseconds;

TEST(Bursts, HaveNoWakeLatencyWhereNobodyElseTakesPart) {
  workload::input in = workload::prepare(
      {workload::describe(), {{"bursts", "3"}, {"tasks", "4"}, {"gap", "0"}, {"work", "1"}}});
  const workload::output out = workload::run(serial::worker{}, in);
  EXPECT_EQ(workload::verify(in, out), true);
  EXPECT_EQ(workload::answer(in, out).dump(),
            R"({"ran_once":12,"bursts_shared":0,"median_wake_ns":null})");
}

TEST(Bursts, ShowTheMedianOfTheWakeLatencies) {
  const workload::input in =
      workload::prepare({workload::describe(), {{"bursts", "1"}, {"tasks", "1"}}});
  const workload::output out{.latencies = {nanoseconds(900), nanoseconds(20), nanoseconds(40)}};
  EXPECT_EQ(workload::answer(in, out)["median_wake_ns"], 40);
  EXPECT_EQ(workload::answer(in, out)["bursts_shared"], 3);
}

}  // namespace
}  // namespace stealbench::bursts
