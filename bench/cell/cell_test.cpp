#include "bench/cell/cell.hpp"

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>

#include <gtest/gtest.h>
#include <sched.h>

#include "bench/cell/scripted_cell_fixture.hpp"
#include "bench/cell/sequential.hpp"
#include "bench/system/fake_time_fixture.hpp"
#include "bench/system/scratch_folder_fixture.hpp"
#include "schedulers/operating_system/processors.hpp"

namespace stealbench::cell {
namespace {

using system::usage;

constexpr usage some_used{
    .user_seconds = 0.5, .system_seconds = 0.25, .voluntary_switches = 9, .forced_switches = 4};

void expect_usage(const usage& found, const usage& expected) {
  EXPECT_NEAR(found.user_seconds, expected.user_seconds, 1e-9);
  EXPECT_NEAR(found.system_seconds, expected.system_seconds, 1e-9);
  EXPECT_NEAR(found.voluntary_switches, expected.voluntary_switches, 1e-9);
  EXPECT_NEAR(found.forced_switches, expected.forced_switches, 1e-9);
}

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Cell : public testing::Test {
  const system::fake_time time_;
};

TEST_F(Cell, IsTimedAndChargedForItsRunAloneAndNotForItsResetOrItsCheck) {
  const auto subject = play({.runs = {{.wall = 40ms, .used = some_used}}});
  const measurement ran = subject->run();
  EXPECT_EQ(ran.wall, 40ms);
  expect_usage(ran.used, some_used);
  EXPECT_EQ(ran.verified, true) << "it was reset before it ran";
}

TEST_F(Cell, IsChargedForWhatItsOtherProcessesUseToo) {
  const auto subject = play({.runs = {{.used = some_used}}, .used_elsewhere = some_used});
  expect_usage(subject->run().used, some_used + some_used);
}

TEST_F(Cell, IsResetBeforeEachRun) {
  const auto subject = play({});
  EXPECT_EQ(subject->run().verified, true);
  EXPECT_EQ(subject->run().verified, true);
}

TEST_F(Cell, SaysOfEachRunWhetherItWasRight) {
  const auto subject = play({.wrong_runs = {2}});
  EXPECT_EQ(subject->run().verified, true);
  EXPECT_EQ(subject->run().verified, false);
  EXPECT_EQ(subject->run().verified, true);
  EXPECT_EQ(play({.is_known = false})->run().verified, std::nullopt);
}

/// Takes its time to be made, and has more workers than it was asked for.
class slow_scheduler {
 public:
  using worker = int;
  explicit slow_scheduler(const schedulers::options& options) : workers_(options.workers + 3) {
    system::fake_time::pass(11ms);
  }
  template <class F>
  auto run(const F& f) {
    system::fake_time::pass(40ms);
    return f(0);
  }
  [[nodiscard]] unsigned worker_count() const { return workers_; }
  [[nodiscard]] static std::optional<schedulers::counters> counters() { return {}; }

 private:
  unsigned workers_;
};

struct simple_workload {
  using input = unsigned;
  using output = unsigned;
  static kit::description describe() {
    return {.name = "simple", .summary = {}, .parameters = {}, .sizes = {}};
  }
  static input prepare(const kit::parameters& /*chosen*/) {
    system::fake_time::pass(1h);
    return 6;
  }
  static void reset(input& /*what*/) { system::fake_time::pass(1h); }
  static output run(int /*worker*/, input what) { return what * 7; }
  static output sequential(input what) { return what * 7; }
  static bool verify(input /*what*/, output found) { return found == 42; }
  static nlohmann::ordered_json answer(input /*what*/, output found) { return found; }
  static void corrupt(input& /*what*/, output& found) { ++found; }
  static std::uint64_t fork_count(input what, output found) { return found - what; }
};

TEST_F(Cell, KnowsHowLongItsSchedulerTookToBeMadeAndWhatItAndTheWorkloadSay) {
  const auto subject = make_cell<cell_of<slow_scheduler, simple_workload>>(
      {.workers = 2}, kit::parameters(simple_workload::describe(), {}));
  const measurement ran = subject->run();
  EXPECT_EQ(subject->start_up(), 11ms);
  EXPECT_EQ(ran.wall, 40ms);
  EXPECT_EQ(ran.verified, true);
  EXPECT_EQ(subject->worker_count(), 5U);
  EXPECT_EQ(subject->fork_count(), 36U);
  EXPECT_EQ(subject->answer(), 42U);
}

TEST(SequentialCell, StartsNothingAndForksNothing) {
  const system::fake_time time(1us);
  const auto subject = make_cell<cell_of<sequential, simple_workload>>(
      {}, kit::parameters(simple_workload::describe(), {}));
  EXPECT_EQ(subject->run().verified, true);
  EXPECT_EQ(subject->start_up(), 0ns);
  EXPECT_EQ(subject->fork_count(), 0U);
  EXPECT_EQ(subject->worker_count(), 1U);
}

TEST(SequentialCell, IsPinnedAsTheFirstWorkerOfAScheduler) {
  const auto subject = make_cell<cell_of<sequential, simple_workload>>(
      {.pin = true}, kit::parameters(simple_workload::describe(), {}));
  operating_system::processor_set now{};
  EXPECT_GT(sched_getaffinity(0, sizeof now, now.data()), -1);
  const auto first = operating_system::only(operating_system::processor_of(0));
  EXPECT_NE(CPU_EQUAL_S(sizeof now, now.data(), first.data()), 0);
}

TEST(SlowedCell, TakesAPartOfItsTimeLongerAndIsBusyMeanwhile) {
  const system::fake_time time(1us);  // A loop that reads the clock comes to an end.
  const auto subject = play({.runs = {{.wall = 40ms, .used = some_used}}});
  const measurement slow = subject->run(0.5);
  EXPECT_GE(slow.wall, 60ms);
  EXPECT_LE(slow.wall, 60ms + 10us);
  expect_usage(slow.used, some_used);
  EXPECT_LE(subject->run().wall, 40ms + 10us);
}

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class WarmCell : public testing::Test {
  const system::fake_time time_;
};

TEST_F(WarmCell, KeepsTheFirstRunApart) {
  warm_cell subject(play({.runs = {{.wall = 300ms, .used = some_used}, {.wall = 2ms}}}));
  EXPECT_EQ(subject.first_run().wall, 300ms);
  expect_usage(subject.first_run().used, some_used);
  const steady_state steady = subject.run_for(9ms);
  EXPECT_EQ(steady.runs, 5U) << "the first run is none of them, nor a part of their time";
  EXPECT_DOUBLE_EQ(steady.seconds, 0.002);
  expect_usage(steady.used, {});
  EXPECT_EQ(subject.first_run().wall, 300ms);
}

TEST_F(WarmCell, GivesTheMedianAndNotTheFastestTheSlowestTheMeanOrTheLast) {
  warm_cell subject(play({.runs = taking({77ms, 10ms, 1ms, 400ms, 12ms, 11ms, 13ms})}));
  const steady_state steady = subject.run_for(447ms);
  EXPECT_EQ(steady.runs, 6U);
  EXPECT_DOUBLE_EQ(steady.seconds, 0.0115);
}

TEST_F(WarmCell, RunsOnceAtLeastAndUntilTheRunsHaveTakenTheTimeTogether) {
  warm_cell subject(play({.runs = taking({1ms, 10ms})}));
  EXPECT_EQ(subject.run_for(0ns).runs, 1U);
  EXPECT_EQ(subject.run_for(10ms).runs, 1U);
  EXPECT_EQ(subject.run_for(20ms).runs, 2U) << "resets and checks take no part of it";
  EXPECT_EQ(subject.run_for(21ms).runs, 3U);
}

TEST_F(WarmCell, GivesTheMeanUsageOfARun) {
  const phase last{.wall = 10ms,
                   .used = {.user_seconds = 0.75,
                            .system_seconds = 0.5,
                            .voluntary_switches = 6,
                            .forced_switches = 2}};
  const phase middle{.wall = 10ms,
                     .used = {.user_seconds = 3.0,
                              .system_seconds = 0.125,
                              .voluntary_switches = 1,
                              .forced_switches = 0}};
  warm_cell subject(play({.runs = {{.wall = 1ms, .used = some_used}, middle, last}}));
  const steady_state steady = subject.run_for(40ms);
  EXPECT_EQ(steady.runs, 4U);
  expect_usage(steady.used, {.user_seconds = 5.25 / 4,
                             .system_seconds = 1.625 / 4,
                             .voluntary_switches = 19.0 / 4,
                             .forced_switches = 6.0 / 4});
}

TEST_F(WarmCell, StopsAtAWrongAnswer) {
  warm_cell subject(play({.wrong_runs = {3}}));
  EXPECT_EQ(subject.first_run().verified, true);
  const steady_state steady = subject.run_for(1h);
  EXPECT_TRUE(steady.is_wrong);
  EXPECT_EQ(steady.runs, 2U);
  EXPECT_FALSE(subject.run_for(0ns).is_wrong);
}

TEST_F(WarmCell, IsNotWrongWhereNoAnswerIsKnown) {
  warm_cell subject(play({.is_known = false}));
  EXPECT_FALSE(subject.run_for(1s).is_wrong);
}

TEST_F(WarmCell, SaysThatItsFirstRunIsWrong) {
  EXPECT_EQ(warm_cell(play({.wrong_runs = {1}})).first_run().verified, false);
}

TEST(SlowedWarmCell, IsSlowInItsFirstRunAndInEachLaterOne) {
  const system::fake_time time(1us);
  warm_cell subject(play({.runs = taking({20ms, 50ms})}), 1.0);
  EXPECT_NEAR(std::chrono::duration<double>(subject.first_run().wall).count(), 0.040, 1e-4);
  EXPECT_NEAR(subject.run_for(0ns).seconds, 0.1, 1e-4);
}

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class WaitingThreads : public system::scratch_folder {
 protected:
  [[nodiscard]] steady_state steady_state_of(script what) const {
    return warm_cell(play(std::move(what)), 0, folder()).run_for(4s);
  }

 private:
  const system::fake_time time_;
};

TEST_F(WaitingThreads, AreAveragedOverTheRunsWithTheirResetsAndChecksAndWithoutTheFirstRun) {
  std::filesystem::create_directories(folder() / "task" / "1");
  double waited_seconds = 0;
  script what{.runs = taking({1000ms, 2000ms})};
  what.at_run = [&](std::size_t number) {
    waited_seconds += number == 1 ? 50 : 6;
    std::ofstream(folder() / "task" / "1" / "schedstat") << "0 " << waited_seconds * 1e9 << " 1";
  };
  what.at_run(0);
  const steady_state steady = steady_state_of(std::move(what));
  EXPECT_EQ(steady.runs, 2U);
  EXPECT_DOUBLE_EQ(steady.waiting_threads.value(), 0.5) << "12 s of 24 s";
}

TEST_F(WaitingThreads, AreNoneWhereTheSystemDoesNotSay) {
  EXPECT_EQ(steady_state_of({}).waiting_threads, std::nullopt);
}

TEST(PlantedDelay, IsOfTheSchedulerThatIsNamedAlone) {
  setenv("STEALBENCH_INJECT_DELAY", "work-stealing=5", 1);
  EXPECT_DOUBLE_EQ(injected_delay("work-stealing"), 0.05);
  EXPECT_EQ(injected_delay("serial"), 0);
  setenv("STEALBENCH_INJECT_DELAY", "work-stealing:idle=spin=5", 1);
  EXPECT_DOUBLE_EQ(injected_delay("work-stealing:idle=spin"), 0.05);
  EXPECT_EQ(injected_delay("work-stealing"), 0);
  for (const char* const bad : {"work-stealing", "=", "x=", "x=five", "x=5%", "x=-1", "x=nan"}) {
    setenv("STEALBENCH_INJECT_DELAY", bad, 1);
    EXPECT_THROW(static_cast<void>(injected_delay("x")), std::invalid_argument) << bad;
  }
  unsetenv("STEALBENCH_INJECT_DELAY");
  EXPECT_EQ(injected_delay("work-stealing"), 0);
}

}  // namespace
}  // namespace stealbench::cell
