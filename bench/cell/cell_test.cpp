// What the process of process_test.cpp does not show: what a cell is made of, and a warm one's
// sums.
#include "bench/cell/cell.hpp"

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>
#include <sched.h>

#include "bench/cell/catalogue.hpp"
#include "bench/cell/scripted_cell_fixture.hpp"
#include "bench/cell/sequential.hpp"
#include "bench/system/fake_time_fixture.hpp"
#include "bench/system/scratch_folder_fixture.hpp"
#include "schedulers/operating_system/processors.hpp"

namespace stealbench::cell {
namespace {

TEST(Cell, IsChargedForWhatItsOtherProcessesUseToo) {
  constexpr system::usage some{
      .user_seconds = 0.5, .system_seconds = 0.25, .voluntary_switches = 9, .forced_switches = 4};
  const system::fake_time time;
  const auto found = play({.runs = {{.used = some}}, .used_elsewhere = some})->run().used;
  EXPECT_NEAR(found.user_seconds, 2 * 0.5, 1e-9);
  EXPECT_NEAR(found.system_seconds, 2 * 0.25, 1e-9);
  EXPECT_NEAR(found.voluntary_switches, 2 * 9, 1e-9);
  EXPECT_NEAR(found.forced_switches, 2 * 4, 1e-9);
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

TEST(Cell, KnowsHowLongItsSchedulerTookToBeMadeAndWhatItAndTheWorkloadSay) {
  const system::fake_time time;
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

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
using WaitingThreads = system::scratch_folder;

TEST_F(WaitingThreads, AreAveragedOverTheRunsAfterTheFirstWithResetsAndChecksIfTheSystemSays) {
  const system::fake_time time;
  const auto steady_state_of = [this](script what) {
    return warm_cell(play(std::move(what)), 0, folder()).run_for(4s);
  };
  EXPECT_EQ(steady_state_of({}).waiting_threads, std::nullopt);
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

// The rest of it is compared with what an executable accepts: check_catalogue.py.

using nlohmann::ordered_json;

ordered_json grain_of(const std::string& name) {
  const ordered_json printed = catalogue();
  for (const ordered_json& each : printed["workloads"]) {
    if (each["name"] == name) return each["grain"];
  }
  return "no such workload";
}

TEST(Catalogue, SaysWhatTheGrainOfAWorkloadCountsAndWhereItsRangeEnds) {
  EXPECT_EQ(grain_of("bfs"), ordered_json::parse(R"({"parameter": "grain", "counts": "size",
      "least": 1, "most": 16384, "bounded_by": ""})"));
  EXPECT_EQ(grain_of("health")["counts"], "levels_of_a_piece");
  EXPECT_EQ(grain_of("nqueens"), ordered_json::parse(R"({"parameter": "cutoff",
      "counts": "levels_of_forks", "least": 0, "most": 18446744073709551615, "bounded_by": "n"})"));
  EXPECT_EQ(grain_of("fib"), nullptr);
}

}  // namespace
}  // namespace stealbench::cell
