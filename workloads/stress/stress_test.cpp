// What each program of this family adds to what is tested of all (catalogue_test.cpp,
// charge_test.cpp).
#include <chrono>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/kit/in_order_worker.hpp"
#include "workloads/kit/sleeps_fixture.hpp"
#include "workloads/prepared_fixture.hpp"
#include "workloads/stress/bpc/bpc.hpp"
#include "workloads/stress/bursts/bursts.hpp"
#include "workloads/stress/chain/chain.hpp"
#include "workloads/stress/control_loop/control_loop.hpp"
#include "workloads/stress/empty_loop/empty_loop.hpp"
#include "workloads/stress/empty_tree/empty_tree.hpp"
#include "workloads/stress/nested_loops/nested_loops.hpp"
#include "workloads/stress/spawn/spawn.hpp"
#include "workloads/stress/spc/spc.hpp"

namespace stealbench::workloads {
namespace {

using numbers = std::vector<std::uint64_t>;
using std::chrono::microseconds;
using std::chrono::nanoseconds;

/// What a run in serial code answers with.
template <class Workload>
std::string answer_of(const std::vector<kit::assignment>& chosen) {
  auto in = prepared<Workload>(chosen);
  const auto out = Workload::run(serial::worker{}, in);
  return Workload::answer(in, out).dump();
}

TEST(ProgramsOfReceipts, AnswerWithTheTasksThatRanOnce) {
  auto in = prepared<bpc::workload>({{"depth", "10"}, {"consumers", "3"}, {"work", "3"}});
  const auto out = bpc::workload::run(serial::worker{}, in);
  bpc::produce(serial::worker{}, in.done, in.how, 9);
  EXPECT_EQ(bpc::workload::answer(in, out).dump(), R"({"ran_once":27})");
  EXPECT_EQ(bpc::workload::verify(in, out), false) << "the last producer ran twice";
}

TEST(Chain, EndsWhereItsStepsEndInEitherForm) {
  for (const chain::link_form form : {chain::link_form::group, chain::link_form::fork}) {
    for (std::uint64_t links = 1; links < 20; ++links) {
      const chain::workload::input in{.links = links, .steps = 3, .form = form};
      const std::uint64_t end = kit::stepped(0, 3 * links);
      EXPECT_EQ(chain::workload::run(serial::worker{}, in), end) << links;
      EXPECT_EQ(chain::workload::verify(in, end), true);
      EXPECT_EQ(chain::workload::verify(in, kit::stepped(0, 3 * links - 3)), false) << "too few";
    }
  }
}

TEST(EmptyLoop, AnswersWithTheFewestAndTheMostVisits) {
  auto in = prepared<empty_loop::workload>({{"indices", "10"}, {"loops", "3"}});
  const auto out = empty_loop::workload::run(serial::worker{}, in);
  ++in.slots[3];
  EXPECT_EQ(empty_loop::workload::answer(in, out).dump(), R"({"fewest_visits":3,"most_visits":4})");
  EXPECT_EQ(empty_loop::workload::verify(in, out), false);
}

TEST(EmptyTree, SumsTheNumbersOfItsLeavesOrWhereTheirStepsLead) {
  for (const std::uint64_t work : {0U, 5U}) {
    for (unsigned depth = 0; depth <= 12; ++depth) {
      std::uint64_t sum = 0;
      for (std::uint64_t leaf = 1U << depth; leaf < 2U << depth; ++leaf) {
        sum += kit::stepped(leaf, work);
      }
      EXPECT_EQ(empty_tree::known_sum(depth, work), sum) << depth;
      const empty_tree::workload::input in{.depth = depth, .work = work};
      EXPECT_EQ(empty_tree::workload::sequential(in), sum) << depth;
      EXPECT_EQ(empty_tree::workload::run(serial::worker{}, in), sum) << depth;
    }
  }
  EXPECT_EQ(empty_tree::known_sum(31), 6917529026567340032u) << "2^30 (3 * 2^31 - 1)";
}

TEST(NestedLoops, HaveRowsAsTheirSkewSays) {
  using nested_loops::skew;
  const auto lengths = [](skew how, std::uint64_t rows, std::uint64_t columns) {
    numbers all(rows);
    std::iota(all.begin(), all.end(), 0);
    for (auto& each : all) each = nested_loops::row_length(how, each, rows, columns);
    return all;
  };
  EXPECT_EQ(lengths(skew::equal, 3, 8), (numbers{8, 8, 8}));
  EXPECT_EQ(lengths(skew::linear, 4, 8), (numbers{2, 4, 6, 8}));
  EXPECT_EQ(lengths(skew::linear, 4, 1), (numbers{1, 1, 1, 1}));
  EXPECT_EQ(lengths(skew::halving, 5, 8), (numbers{8, 4, 2, 1, 1}));
  EXPECT_EQ(nested_loops::row_length(skew::halving, 64, 100, 8), 1u);
}

TEST(Spawn, KnowsTheGreatestNumberOfLiveChildren) {
  EXPECT_EQ(spawn::greatest_live({}), 0u);
  EXPECT_EQ(spawn::greatest_live(numbers{1, 2, 3}), 1u) << "each ends before the next is spawned";
  EXPECT_EQ(spawn::greatest_live(numbers{3, 3, 3}), 3u) << "all end after the last spawn";
  EXPECT_EQ(spawn::greatest_live(numbers{3, 1, 3}), 2u);
  EXPECT_EQ(spawn::greatest_live(numbers{2, 2, 5, 5, 5}), 3u);
}

TEST(Spawn, CountsLiveChildrenOnlyWhenAsked) {
  EXPECT_EQ(answer_of<spawn::workload>({{"children", "1"}}), R"({"ran_once":1})");
  EXPECT_EQ(answer_of<spawn::workload>({{"children", "100"}, {"count_live", "yes"}}),
            R"({"ran_once":100,"greatest_live":1})")
      << "children run at their spawn";
}

TEST(Spc, TakesAllBatchesAsLargeAsTheTasksIfNoneIsSetAndNoticesAStepThatWasSkipped) {
  auto in = prepared<spc::workload>({{"tasks", "100"}, {"produce", "2"}});
  EXPECT_EQ(in.how.batch, 100u);
  const std::uint64_t out = spc::workload::run(serial::worker{}, in);
  EXPECT_EQ(spc::workload::verify(in, out), true);
  EXPECT_EQ(spc::workload::verify(in, out + 1), false);
}

// The kernel may add a few sleeps, or spare some.
template <class Workload>
long sleeps_in_a_run(const std::vector<kit::assignment>& chosen) {
  auto in = prepared<Workload>(chosen);
  const long before = kit::sleeps_so_far();
  Workload::run(serial::worker{}, in);
  return kit::sleeps_so_far() - before;
}

TEST(Bursts, HaveNoWakeLatencyWhereNobodyElseTakesPart) {
  EXPECT_EQ(
      answer_of<bursts::workload>({{"bursts", "3"}, {"tasks", "4"}, {"gap", "0"}, {"work", "1"}}),
      R"({"ran_once":12,"bursts_shared":0,"median_wake_ns":null})");
}

TEST(Bursts, ShowTheMedianOfTheWakeLatencies) {
  const auto in = prepared<bursts::workload>({{"bursts", "1"}, {"tasks", "1"}});
  const bursts::workload::output out{
      .latencies = {nanoseconds(900), nanoseconds(20), nanoseconds(40)}};
  EXPECT_EQ(bursts::workload::answer(in, out)["median_wake_ns"], 40);
  EXPECT_EQ(bursts::workload::answer(in, out)["bursts_shared"], 3);
}

TEST(Bursts, SleepOrSpinInTheirGapsAsTheyAreTold) {
  std::vector<kit::assignment> gaps{
      {"bursts", "40"}, {"tasks", "1"}, {"work", "1"}, {"gap", "100"}, {"idle", "sleep"}};
  EXPECT_GT(sleeps_in_a_run<bursts::workload>(gaps), 20);
  gaps.back().second = "spin";
  EXPECT_LT(sleeps_in_a_run<bursts::workload>(gaps), 20);
}

/// Whose time is the work that it has been charged, and which another thread takes over from the
/// second of its tasks on.
struct handed_over_machine {
  inline static std::uint64_t units = 0;
  inline static unsigned asked = 0;
  static void work(std::uint64_t more) { units += more; }
  static kit::clock::time_point now() { return kit::clock::time_point(nanoseconds(units)); }
  static const void* this_thread() {
    static constexpr char one = 0;
    static constexpr char other = 0;
    return ++asked <= 2 ? &one : &other;  // The burst, and its first task.
  }
};

TEST(Bursts, MeasureUntilTheFirstTaskThatStartsElsewhere) {
  handed_over_machine::units = handed_over_machine::asked = 0;
  auto in =
      prepared<bursts::workload>({{"bursts", "1"}, {"tasks", "4"}, {"gap", "0"}, {"work", "100"}});
  const auto out = bursts::workload::run(kit::in_order_worker<handed_over_machine>(), in);
  ASSERT_EQ(out.latencies.size(), 1U);
  EXPECT_EQ(out.latencies.front(), nanoseconds(in.done.units())) << "the first task's own time";
}

class ControlLoop : public testing::Test {  // NOLINT: GoogleTest shows it as the suite's name.
 protected:
  using workload = control_loop::workload;
  // Three ticks of two bursts.
  workload::input in_ = prepared<workload>({{"ticks", "3"},
                                            {"bursts", "2"},
                                            {"tasks", "4"},
                                            {"work", "1"},
                                            {"serial", "300"},
                                            {"gap", "1000"}});
};

TEST_F(ControlLoop, ShowsTheMedianLatencyAndTheProcessorTimeOfATick) {
  const workload::output out{.latencies = {nanoseconds(900), nanoseconds(20), nanoseconds(40)},
                             .processor_time = nanoseconds(600)};
  EXPECT_EQ(workload::answer(in_, out).dump(),
            R"({"ran_once":0,"median_tick_ns":40,"cpu_ns_per_tick":200})");
}

TEST_F(ControlLoop, CountsTheSerialCodeInTheLatencyOfATickButNotTheGap) {
  const auto out = workload::run(kit::in_order_worker<handed_over_machine>(), in_);
  EXPECT_EQ(workload::verify(in_, out), true);
  ASSERT_EQ(out.latencies.size(), 3U);
  // A burst of four tasks before the serial code and one after it.
  for (const auto latency : out.latencies) {
    EXPECT_EQ(latency, microseconds(300) + nanoseconds(8 * in_.done.units()));
  }
  EXPECT_EQ(out.processor_time, std::nullopt) << "in simulated time";
  EXPECT_TRUE(workload::answer(in_, out)["cpu_ns_per_tick"].is_null());
}

TEST_F(ControlLoop, TakesTheProcessorTimeOfTheSerialCodeButNotThatOfTheGaps) {
  const nanoseconds before = kit::processor_time();
  const kit::clock::time_point begin = kit::clock::now();
  const auto out = workload::run(serial::worker{}, in_);
  const nanoseconds whole = kit::processor_time() - before;
  EXPECT_GE(kit::clock::now() - begin, 3 * (microseconds(1000) + microseconds(300)));
  ASSERT_TRUE(out.processor_time.has_value());
  EXPECT_GT(*out.processor_time, nanoseconds(0));
  EXPECT_LE(*out.processor_time, whole);
}

TEST_F(ControlLoop, SleepsInTheGapsAloneAndKeepsItsProcessorInTheSerialCode) {
  // Beside 40 gaps, 80 times of serial code.
  EXPECT_NEAR(static_cast<double>(sleeps_in_a_run<workload>({{"ticks", "40"},
                                                             {"bursts", "3"},
                                                             {"tasks", "1"},
                                                             {"work", "1"},
                                                             {"serial", "100"},
                                                             {"gap", "100"}})),
              40, 20);
}

TEST_F(ControlLoop, MeasuresItsSequentialVersionAlike) {
  const auto out = workload::sequential(in_);
  EXPECT_EQ(workload::verify(in_, out), true);
  EXPECT_EQ(out.latencies.size(), 3U);
  for (const auto latency : out.latencies) EXPECT_GE(latency, microseconds(300));
  EXPECT_GT(out.processor_time, nanoseconds(0));
}

}  // namespace
}  // namespace stealbench::workloads
