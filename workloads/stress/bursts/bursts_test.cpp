#include "workloads/stress/bursts/bursts.hpp"

#include <chrono>
#include <cstdint>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/kit/in_order_worker.hpp"
#include "workloads/kit/sleeps_fixture.hpp"

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

long sleeps_in_40_gaps(const char* idle) {
  workload::input in = workload::prepare(
      {workload::describe(),
       {{"bursts", "40"}, {"tasks", "1"}, {"work", "1"}, {"gap", "100"}, {"idle", idle}}});
  const long before = kit::sleeps_so_far();
  workload::run(serial::worker{}, in);
  return kit::sleeps_so_far() - before;
}

TEST(Bursts, SleepOrSpinInTheirGapsAsTheyAreTold) {
  // The kernel may add or spare a few.
  EXPECT_GT(sleeps_in_40_gaps("sleep"), 20);
  EXPECT_LT(sleeps_in_40_gaps("spin"), 20);
}

/// Whose time is the work that it has been charged, and which another thread takes over from the
/// second of its tasks on.
struct handed_over_machine {
  inline static std::uint64_t units = 0;
  inline static unsigned asked = 0;
  static void work(std::uint64_t more) { units += more; }
  static clock::time_point now() { return clock::time_point(nanoseconds(units)); }
  static const void* this_thread() {
    static constexpr char one = 0;
    static constexpr char other = 0;
    return ++asked <= 2 ? &one : &other;  // The burst, and its first task.
  }
};

TEST(Bursts, MeasureUntilTheFirstTaskThatStartsElsewhere) {
  handed_over_machine::units = handed_over_machine::asked = 0;
  workload::input in = workload::prepare(
      {workload::describe(), {{"bursts", "1"}, {"tasks", "4"}, {"gap", "0"}, {"work", "100"}}});
  const workload::output out = workload::run(kit::in_order_worker<handed_over_machine>(), in);
  ASSERT_EQ(out.latencies.size(), 1U);
  EXPECT_EQ(out.latencies.front(), nanoseconds(in.done.units())) << "the first task's own time";
}

}  // namespace
}  // namespace stealbench::bursts
