#include "bench/cell/neighbours.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/cell/scripted_cell_fixture.hpp"
#include "results/system/fake_time_fixture.hpp"

namespace stealbench::cell {
namespace {

using std::chrono::milliseconds;

std::string children_of_this_process() {
  const std::string self = std::to_string(getpid());
  std::ifstream file("/proc/" + self + "/task/" + self + "/children");
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A second process whose runs do as the script says, and are counted.
std::unique_ptr<neighbours> pool_of(script what, const std::shared_ptr<board>& seen,
                                    bool is_idle = false, std::chrono::nanoseconds sample = {}) {
  what.at_run = [seen, then = what.at_run](std::size_t number) {
    ++seen->runs_beside;
    then(number);
  };
  return fork_pool({[what] { return play(what); }, sample, 0, is_idle});
}

/// What is thrown; empty for nothing.
template <class Body>
std::string thrown_by(Body body) {
  try {
    body();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return {};
}

void nothing() {}

/// Some thirty milliseconds: the kernel adds another process's processor time at its ticks, which
/// are up to ten apart.
void let_run(const counting_processes& beside) {
  const auto resumed = beside.read().counted;
  wait_until([&] { return beside.read().counted > resumed + 100'000'000; });
}

TEST(Neighbours, CountFromResumeToStopAndEndWithTheObject) {
  ASSERT_EQ(children_of_this_process(), "");
  {
    counting_processes beside(3, milliseconds(1));
    beside.start();
    const std::string children = children_of_this_process();
    EXPECT_EQ(std::count(children.begin(), children.end(), ' '), 3) << children;
    for (int repetition = 0; repetition < 2; ++repetition) {
      const auto stopped = beside.read().counted;
      std::this_thread::sleep_for(milliseconds(5));
      EXPECT_EQ(beside.read().counted, stopped);
      beside.resume();
      const auto resumed = beside.read().counted;
      wait_until([&] { return beside.read().counted != resumed; });
      EXPECT_GT(beside.stop(1, nothing).share.value(), 0);
    }
  }
  EXPECT_EQ(children_of_this_process(), "");
}

/// The processes beside this one that have not ended.
std::vector<pid_t> numbers_of_children() {
  std::istringstream children(children_of_this_process());
  return {std::istream_iterator<pid_t>(children), {}};
}

TEST(Neighbours, CountWhatEachOfThemDoes) {
  counting_processes beside(2, milliseconds(1));
  beside.start();
  const std::vector<pid_t> processes = numbers_of_children();
  ASSERT_EQ(processes.size(), 2U);
  beside.resume();
  for (const pid_t each : processes) {
    kill(each, SIGSTOP);
    siginfo_t stopped{};
    ASSERT_EQ(waitid(P_PID, static_cast<id_t>(each), &stopped, WSTOPPED | WNOWAIT), 0);
    const auto counted = beside.read().counted;
    wait_until([&] { return beside.read().counted != counted; });
    kill(each, SIGCONT);
  }
  EXPECT_GT(beside.stop(1, nothing).share.value(), 0);
}

/// What these have used of the processors so far.
double cpu_seconds_of(const std::vector<pid_t>& processes) {
  double seconds = 0;
  for (const pid_t each : processes) {
    clockid_t clock{};
    timespec now{};
    if (clock_getcpuclockid(each, &clock) == 0 && clock_gettime(clock, &now) == 0) {
      seconds += static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
    }
  }
  return seconds;
}

TEST(Neighbours, UseTheProcessorsOfAllOfThem) {
  const system::fake_time time;
  counting_processes beside(4, milliseconds(1));
  beside.start();
  const std::vector<pid_t> processes = numbers_of_children();
  const double before = cpu_seconds_of(processes);
  beside.resume();
  for (int i = 0; i < 4; ++i) let_run(beside);
  system::fake_time::pass(std::chrono::seconds(1));
  const double processors = beside.stop(1, nothing).processors;
  // One of them has used about a quarter, and they run on for a moment after they were looked at.
  EXPECT_GT(processors, 0.5 * (cpu_seconds_of(processes) - before));
  EXPECT_LE(processors, cpu_seconds_of(processes) - before);
}

TEST(Neighbours, AShareIsOfTheirRateAlone) {
  counting_processes beside(1, milliseconds(20));
  beside.start();
  // Since an hour ago; the counts are hours.
  const auto share_of = [&](double hours) {
    counting_processes::reading before = beside.read();
    before.when -= std::chrono::hours(1);
    before.counted -= static_cast<std::uint64_t>(hours * 3600 * beside.rate_alone());
    return beside.share_since(before);
  };
  EXPECT_NEAR(share_of(1), 1, 0.01);
  EXPECT_NEAR(share_of(0.25), 0.25, 0.01);
}

TEST(Neighbours, MeasureTheirRateAloneForATenthOfASecond) {
  const system::fake_time time;
  counting_processes beside(1);
  beside.start();
  EXPECT_GT(system::fake_time::passed(), milliseconds(0));
  EXPECT_EQ(system::fake_time::passed() % milliseconds(100), milliseconds(0));
}

// By the machine's own clock. Others may have had the processor for a part of the time, but not in
// every attempt.
TEST(Neighbours, HaveARateAloneThatGivesWhatTheyHaveCounted) {
  const auto over_counted = [] {
    counting_processes beside(1);
    const clock::time_point before = clock::now();
    beside.start();
    const std::chrono::duration<double> elapsed = clock::now() - before;
    return elapsed.count() * beside.rate_alone() / static_cast<double>(beside.read().counted);
  };
  double found = over_counted();
  for (int i = 0; i < 50 && (found < 0.7 || found > 1.5); ++i) found = over_counted();
  EXPECT_GT(found, 0.7);
  EXPECT_LT(found, 1.5);
}

TEST(Neighbours, CountAloneAsFastAsTheyDoLaterAndUseAProcessorEach) {
  counting_processes beside(1, milliseconds(20));
  beside.start();
  beside.resume();
  let_run(beside);
  const neighbours::outcome theirs = beside.stop(1, nothing);
  // Whatever else runs: a load that comes and goes is no factor of a thousand.
  EXPECT_GT(theirs.share.value(), 0.001);
  EXPECT_LT(theirs.share.value(), 1000);
  EXPECT_GT(theirs.processors, 0.001);
  EXPECT_LT(theirs.processors, 1.1);
}

TEST(Neighbours, UseProcessorsInTheTimeFromResumeToStop) {
  const system::fake_time time;
  counting_processes beside(1, milliseconds(1));
  beside.start();
  beside.resume();
  let_run(beside);
  system::fake_time::pass(std::chrono::microseconds(1));
  EXPECT_GT(beside.stop(1, nothing).processors, 10) << "some milliseconds in a microsecond";
}

TEST(Neighbours, UseProcessorsInTheTimeBeforeStopWaitsForTheirOwnMeasurement) {
  const system::fake_time time;
  const auto seen = shared_board();
  const auto beside = pool_of({.at_run =
                                   [=](std::size_t number) {
                                     if (number == 2)
                                       wait_until([&] { return seen->own_runs > 0; });
                                   }},
                              seen);
  beside->start();
  const std::vector<pid_t> processes = numbers_of_children();
  const double before = cpu_seconds_of(processes);
  beside->resume();
  wait_until([&] { return cpu_seconds_of(processes) > before + 0.03; });
  system::fake_time::pass(std::chrono::microseconds(1));
  const auto run = [&] {
    system::fake_time::pass(std::chrono::hours(1));
    ++seen->own_runs;
  };
  EXPECT_GT(beside->stop(1, run).processors, 10) << "some milliseconds in a microsecond";
}

/// A cell with a worker that never sleeps, but does this.
class spinning_cell final : public cell {
 public:
  template <class Step>
  explicit spinning_cell(Step step)
      : worker_([step](const std::stop_token& end) {
          while (!end.stop_requested()) step();
        }) {}
  void reset() override {}
  void execute() override {}
  [[nodiscard]] std::optional<bool> verified() const override { return true; }
  [[nodiscard]] nlohmann::ordered_json answer() const override { return {}; }
  [[nodiscard]] std::uint64_t fork_count() const override { return 0; }
  [[nodiscard]] unsigned worker_count() const override { return 1; }

 private:
  std::jthread worker_;
};

TEST(Neighbours, APoolThatSpinsWhileItIsIdleIsStoppedToo) {
  const auto seen = shared_board();
  const auto spin = [=] { ++seen->runs_beside; };
  const auto beside =
      fork_pool({[=] { return std::make_unique<spinning_cell>(spin); }, {}, 0, /*is_idle=*/true});
  beside->start();
  const unsigned stopped = seen->runs_beside;
  std::this_thread::sleep_for(milliseconds(5));
  EXPECT_EQ(seen->runs_beside, stopped);
  beside->resume();
  wait_until([&] { return seen->runs_beside != stopped; });
}

// As LLVM's OpenMP does for 200 ms.
TEST(Neighbours, AnIdlePoolMaySpinForAWhileAfterItsRunBeforeItIsTakenForIdle) {
  const system::fake_time time;
  const auto seen = shared_board();
  const auto note_time = [=] {
    const auto passed = system::fake_time::passed();
    seen->runs_beside = static_cast<unsigned>(passed / milliseconds(1));
  };
  const auto beside = fork_pool(
      {[=] { return std::make_unique<spinning_cell>(note_time); }, {}, 0, /*is_idle=*/true});
  beside->start();
  beside->resume();
  wait_until([&] { return seen->runs_beside > 200; });
}

TEST(Neighbours, EndWithTheProcessThatHasStartedThem) {
  ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);  // An orphan becomes ours to collect.
  const auto seen = shared_board();
  const pid_t starter = fork();
  if (starter == 0) {
    counting_processes beside(1, milliseconds(1));
    beside.start();
    seen->runs_beside = static_cast<unsigned>(numbers_of_children().at(0));
    for (;;) pause();
  }
  wait_until([&] { return seen->runs_beside > 0; });
  const auto orphan = static_cast<pid_t>(seen->runs_beside);
  ASSERT_EQ(kill(starter, SIGKILL), 0);
  ASSERT_EQ(waitpid(starter, nullptr, 0), starter);
  wait_until([&] {
    siginfo_t ended{};
    return waitid(P_PID, static_cast<id_t>(orphan), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           ended.si_pid == orphan;
  });
  kill(orphan, SIGKILL);  // Should it live still.
  EXPECT_EQ(waitpid(orphan, nullptr, 0), orphan);
  prctl(PR_SET_CHILD_SUBREAPER, 0);
}

TEST(Neighbours, ASecondPoolIsWarmBeforeItIsMeasuredAndGoesOnUntilItIsStopped) {
  const auto seen = shared_board();
  const auto beside = pool_of({}, seen);
  EXPECT_EQ(seen->runs_beside, 0U) << "the first process has not begun";
  beside->start();
  EXPECT_EQ(seen->runs_beside, 1U);
  for (int repetition = 0; repetition < 2; ++repetition) {
    const unsigned stopped = seen->runs_beside;
    std::this_thread::sleep_for(milliseconds(5));
    EXPECT_EQ(seen->runs_beside, stopped);
    beside->resume();
    // Its own measurement is one run.
    wait_until([&] { return seen->runs_beside > stopped + 3; });
    static_cast<void>(beside->stop(1, nothing));
  }
}

TEST(Neighbours, ASecondPoolIsAsFastAsItsMeanRun) {
  const system::fake_time time;
  script what{.runs = taking({milliseconds(900), milliseconds(100), milliseconds(100),
                              milliseconds(400), milliseconds(7000)})};
  const auto beside = pool_of(what, shared_board(), false, milliseconds(600));
  beside->start();
  beside->resume();
  EXPECT_DOUBLE_EQ(beside->stop(0.04, nothing).share.value(), 0.2) << "0.04 s over 0.2 s";
}

TEST(Neighbours, TheFirstProcessGoesOnWhileTheSecondMeasures) {
  const auto seen = shared_board();
  const auto beside = pool_of({.at_run =
                                   [=](std::size_t number) {
                                     if (number == 2)
                                       wait_until([&] { return seen->own_runs > 4; });
                                   }},
                              seen);
  beside->start();
  beside->resume();
  static_cast<void>(beside->stop(1, [&] { ++seen->own_runs; }));
  EXPECT_GT(seen->own_runs, 4U);
}

TEST(Neighbours, AnIdlePoolRunsOnceAndNeverAgain) {
  const auto seen = shared_board();
  const auto beside = pool_of({}, seen, /*is_idle=*/true);
  beside->start();
  beside->resume();
  std::this_thread::sleep_for(milliseconds(20));
  const neighbours::outcome theirs =
      beside->stop(1, [] { ADD_FAILURE() << "there is nothing to wait for"; });
  EXPECT_EQ(seen->runs_beside, 1U);
  EXPECT_FALSE(theirs.share);
  EXPECT_LT(theirs.processors, 0.5);
}

TEST(Neighbours, OneThatFailsOrEndsIsAFailureWithItsReason) {
  const auto dying_at = [](std::size_t run) {
    return script{.at_run = [=](std::size_t number) {
      if (number == run) kill(getpid(), SIGKILL);
    }};
  };
  const std::string killed = "the process beside it: ended by signal 9 (Killed)";
  const std::string wrong = "the process beside it: wrong answer";
  for (const auto& [what, at_start, at_stop] :
       {std::tuple{dying_at(1), killed, std::string()},
        std::tuple{dying_at(2), std::string(), killed},
        std::tuple{script{.wrong_runs = {1}}, wrong, std::string()},
        std::tuple{script{.wrong_runs = {2}}, std::string(), wrong}}) {
    const auto seen = shared_board();
    const auto beside = pool_of(what, seen);
    EXPECT_EQ(thrown_by([&] { beside->start(); }), at_start);
    if (!at_start.empty()) continue;
    beside->resume();
    EXPECT_EQ(thrown_by([&] { static_cast<void>(beside->stop(1, nothing)); }), at_stop);
  }
}

TEST(Neighbours, AReasonIsCutOffWhereItIsTooLong) {
  const std::string reason(1000, 'x');
  const auto beside =
      pool_of({.at_run = [=](std::size_t /*number*/) { throw std::runtime_error(reason); }},
              shared_board());
  EXPECT_EQ(thrown_by([&] { beside->start(); }), "the process beside it: " + reason.substr(0, 247));
}

TEST(Neighbours, OneThatEndsAfterItsOwnMeasurementIsAFailureToo) {
  const auto seen = shared_board();
  const auto working = pool_of({.at_run =
                                    [](std::size_t number) {
                                      if (number == 5) _exit(3);
                                    }},
                               seen);
  const auto idle = pool_of({}, seen, /*is_idle=*/true);
  const auto counting = std::make_unique<counting_processes>(2, milliseconds(1));
  for (neighbours* const each :
       {working.get(), idle.get(), static_cast<neighbours*>(counting.get())}) {
    each->start();
    each->resume();
  }
  const std::vector<pid_t> numbers = numbers_of_children();
  ASSERT_EQ(numbers.size(), 4U);
  wait_until([&] { return seen->runs_beside == 6; });  // And the one of the idle pool.
  kill(numbers[1], SIGTERM);
  kill(numbers[3], SIGKILL);
  for (const std::size_t i : {0U, 1U, 3U}) {  // One that is stopped before it has ended has not.
    siginfo_t ended{};
    ASSERT_EQ(waitid(P_PID, static_cast<id_t>(numbers[i]), &ended, WEXITED | WNOWAIT), 0);
  }
  const auto stopped = [](neighbours& each) {
    return thrown_by([&] { static_cast<void>(each.stop(1, nothing)); });
  };
  EXPECT_EQ(stopped(*working), "the process beside it: exit status 3");
  EXPECT_EQ(stopped(*idle), "the process beside it: ended by signal 15 (Terminated)");
  EXPECT_EQ(stopped(*counting), "the process beside it: ended by signal 9 (Killed)");
}

}  // namespace
}  // namespace stealbench::cell
