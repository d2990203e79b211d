// A benchmark process from its command line to what it writes, with cells that do what a script
// says in a time that the test sets: each value of an entry, and a wrong answer in each phase.
#include "bench/cell/process.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/utsname.h>

#include "bench/cell/program.hpp"
#include "bench/cell/scripted_cell_fixture.hpp"
#include "bench/costs/catalogue.hpp"
#include "bench/system/fake_time_fixture.hpp"
#include "bench/system/host.hpp"
#include "bench/system/scratch_folder_fixture.hpp"
#include "bench/system/usage.hpp"
#include "schedulers/counters.hpp"
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/operating_system/thread.hpp"
#include "schedulers/settings.hpp"
#include "schedulers/timeline.hpp"
#include "schedulers/work_stealing/options.hpp"

namespace stealbench::cell {
namespace {

using nlohmann::json;

enum class build : bool { timed, counting };

struct made_cell {
  build which;
  schedulers::options options;
  std::uint64_t n;
};

/// What the executable has that this file pretends to be, and what was asked of it.
struct stage {
  script timed;
  script counting;
  std::vector<made_cell> cells;
  unsigned cells_alive_at_most = 0;
  costs::figure_result figure;
  std::vector<std::pair<std::string, schedulers::options>> measured;
};

stage& on_stage() {
  static stage now;
  return now;
}

/// A cell that is counted while it lives, as a pool would keep its threads.
class counted_cell final : public scripted_cell {
 public:
  explicit counted_cell(script what) : scripted_cell(std::move(what)) {
    on_stage().cells_alive_at_most = std::max(on_stage().cells_alive_at_most, ++alive);
  }
  ~counted_cell() override { --alive; }
  counted_cell(const counted_cell&) = delete;
  counted_cell& operator=(const counted_cell&) = delete;

  static inline unsigned alive = 0;
};

template <build Which>
std::unique_ptr<cell> make(const schedulers::options& options, const kit::parameters& chosen) {
  stage& now = on_stage();
  now.cells.push_back({Which, options, chosen.integer("n")});
  return std::make_unique<counted_cell>(Which == build::timed ? now.timed : now.counting);
}

kit::description described(const std::string& name) {
  return kit::described(name + R"(: what the script says
n=35 (0 to 99): any number
sizes: n=1 | n=2 | n=3 | n=4
)");
}

}  // namespace

// A scheduler that has settings; with another deque it is another executable.
const strategy& linked_strategy() {
  static const strategy linked{
      .self = {.scheduler = "work-stealing",
               .library = "a library",
               .settings = schedulers::settings_of("work-stealing"),
               .counters = {}},
      .deque = "split",
      .programs = {{described("scripted"), &make<build::timed>, &make<build::counting>},
                   {described("uncounted"), &make<build::timed>, nullptr}},
      .measure = [](std::string_view which, const schedulers::options& options) {
        on_stage().measured.emplace_back(which, options);
        return on_stage().figure;
      }};
  return linked;
}

namespace {

/// Arguments of a benchmark of the script.
std::vector<std::string> scripted(std::vector<std::string> more) {
  more.insert(more.begin(), {"--workload", "scripted", "--size", "none"});
  return more;
}

struct outcome_of_process {
  int status;
  std::string output;
  std::string errors;
};

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Process : public system::scratch_folder {
 protected:
  Process() { on_stage() = {}; }

  [[nodiscard]] static outcome_of_process run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "stealbench-work-stealing");
    std::vector<char*> raw;
    raw.reserve(arguments.size() + 1);
    for (std::string& each : arguments) raw.push_back(each.data());
    raw.push_back(nullptr);
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int status = run_process(static_cast<int>(arguments.size()), raw.data());
    return {status, testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr()};
  }

  [[nodiscard]] std::string trace_file() const { return (folder() / "trace.json").string(); }

  /// What Google Benchmark wrote.
  [[nodiscard]] json measure(std::vector<std::string> arguments, int expected_status = 0) const {
    arguments.insert(arguments.begin(), "--benchmark_min_time=0");
    return measure_as_given(std::move(arguments), expected_status);
  }
  [[nodiscard]] json measure_as_given(std::vector<std::string> arguments,
                                      int expected_status = 0) const {
    const std::string file = (folder() / "out.json").string();
    arguments.insert(arguments.begin(), {"--benchmark_repetitions=1", "--benchmark_out_format=json",
                                         "--benchmark_out=" + file});
    const outcome_of_process ended = run(arguments);
    EXPECT_EQ(ended.status, expected_status) << ended.errors;
    // Google Benchmark writes the relative deviation of what is always zero as NaN, which is no
    // JSON.
    std::string written = text_of(file);
    for (std::size_t at = 0; (at = written.find(": NaN", at)) != std::string::npos;) {
      written.replace(at, 5, ": null");
    }
    return json::parse(written);
  }
  [[nodiscard]] json measure_one(std::vector<std::string> arguments, int status = 0) const {
    return measure(scripted(std::move(arguments)), status)["benchmarks"].at(0);
  }

  /// The report of one run, which goes to the standard output.
  [[nodiscard]] static json report(std::vector<std::string> arguments, int expected_status = 0) {
    arguments.insert(arguments.begin(), {"--workers", "2"});
    const outcome_of_process ended = run(scripted(std::move(arguments)));
    EXPECT_EQ(ended.status, expected_status) << ended.errors;
    return json::parse(ended.output);
  }

  /// Runs where there is no more address space than this.
  [[nodiscard]] outcome_of_process run_within(rlim_t bytes,
                                              std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(),
                     {"--benchmark_min_time=0", "--benchmark_out=" + (folder() / "out").string()});
    rlimit before{};
    EXPECT_EQ(getrlimit(RLIMIT_AS, &before), 0);
    const rlimit lower{.rlim_cur = bytes, .rlim_max = before.rlim_max};
    EXPECT_EQ(setrlimit(RLIMIT_AS, &lower), 0);
    outcome_of_process ended = run(std::move(arguments));
    setrlimit(RLIMIT_AS, &before);
    return ended;
  }

 private:
  const system::fake_time time_{1ns};
};

constexpr system::usage first_used{
    .user_seconds = 9.5, .system_seconds = 8.25, .voluntary_switches = 90, .forced_switches = 80};
constexpr system::usage later_used{
    .user_seconds = 0.75, .system_seconds = 0.125, .voluntary_switches = 6, .forced_switches = 5};

void expect_values(const json& entry, const char* expected) {
  const json values = json::parse(expected);
  for (const auto& [name, value] : values.items()) {
    EXPECT_DOUBLE_EQ(entry[name], value) << name;
  }
}
void expect_later_used(const json& entry) {
  expect_values(entry, R"({"user_seconds": 0.75, "system_seconds": 0.125, "cpu_seconds": 0.875,
                           "voluntary_switches": 6, "forced_switches": 5})");
}

// The median is neither the fastest, the slowest, the mean, the first nor the last; usage is the
// mean.
TEST_F(Process, WritesEachValueOfItsSteadyStateAndOfItsFirstRun) {
  on_stage().timed = {.runs = {{.wall = 400ms, .used = first_used},
                               {.wall = 90ms, .used = later_used + later_used},
                               {.wall = 41ms},
                               {.wall = 20ms, .used = later_used}},
                      .start_up = 11ms,
                      .fork_count = 123,
                      .worker_count = 4};
  const json entry = measure_one({"--workers", "3", "--set", "n=5", "--sample-ms", "150"});
  EXPECT_EQ(entry["name"], "scripted/work-stealing/n:5/workers:3/manual_time");
  EXPECT_EQ(entry["time_unit"], "ms");
  EXPECT_NEAR(entry["real_time"].get<double>(), 41, 1e-3);
  EXPECT_NEAR(entry["first_run_seconds"].get<double>(), 0.4, 1e-6);
  expect_later_used(entry);
  expect_values(entry, R"({"iterations": 1, "runs": 3, "start_up_seconds": 0.011,
                           "fork_count": 123, "worker_count": 4, "verified": 1})");
  EXPECT_NEAR(entry["peak_rss_bytes"].get<double>(), system::peak_rss_bytes(), 64 << 20);
  EXPECT_GT(entry["peak_rss_bytes"].get<double>(), 1 << 20);
}

TEST_F(Process, GivesEachIterationsMean) {
  on_stage().timed = {
      .runs = {{.wall = 9s, .used = first_used}, {.wall = 100ms, .used = later_used}}};
  const json entry = measure_one({"--workers", "1", "--benchmark_min_time=0.5"});
  EXPECT_GE(entry["iterations"].get<int>(), 5);
  EXPECT_NEAR(entry["real_time"].get<double>(), 100, 1e-3);
  EXPECT_DOUBLE_EQ(entry["runs"], 1);
  expect_later_used(entry);
  EXPECT_NEAR(entry["first_run_seconds"].get<double>(), 9, 1e-6) << "once for all iterations";
}

TEST_F(Process, FailsAtAWrongAnswerOfItsWarmUpOrOfAnyTimedRunAndNotWhereNoneIsKnown) {
  // The warm-up is run 1; three runs make up the 30 ms.
  for (const std::size_t wrong : {1U, 2U, 3U, 4U}) {
    on_stage().timed = {.runs = taking({10ms}), .wrong_runs = {wrong}};
    const json entry = measure_one({"--workers", "1", "--sample-ms", "30"}, 1);
    EXPECT_EQ(entry["error_occurred"], true) << wrong;
    EXPECT_EQ(entry["error_message"], "wrong answer") << wrong;
  }
  on_stage().timed = {.runs = taking({10ms}), .wrong_runs = {5}};
  const json entry = measure_one({"--workers", "1", "--sample-ms", "30"});
  EXPECT_FALSE(entry.contains("error_occurred")) << "one wrong answer fails one process";
  EXPECT_EQ(entry["verified"], 1);
  on_stage().timed = {.is_known = false};
  EXPECT_FALSE(measure_one({"--workers", "1"}).contains("verified"));
}

TEST_F(Process, KeepsACellWarmForItsRepetitionsAndHasNoOtherBesideIt) {
  on_stage().timed = {.runs = {{.wall = 70ms}, {.wall = 10ms, .used = later_used}},
                      .start_up = 1ms,
                      .fork_count = 1};
  const json all =
      measure(scripted({"--workers", "1,2", "--benchmark_repetitions=2"}))["benchmarks"];
  unsigned of_a_repetition = 0;
  for (const json& each : all) {
    if (each["run_type"] != "iteration") continue;
    ++of_a_repetition;
    EXPECT_NEAR(each["real_time"].get<double>(), 10, 1e-3);
    EXPECT_NEAR(each["first_run_seconds"].get<double>(), 0.07, 1e-6);
  }
  EXPECT_EQ(of_a_repetition, 4U);
  ASSERT_EQ(on_stage().cells.size(), 2U);
  EXPECT_EQ(on_stage().cells[0].options.workers, 1U);
  EXPECT_EQ(on_stage().cells[1].options.workers, 2U);
  EXPECT_EQ(on_stage().cells_alive_at_most, 1U);
  EXPECT_EQ(counted_cell::alive, 0U) << "its threads have ended";
}

TEST_F(Process, MakesItsCellsWithTheOptionsThatItWasGiven) {
  const std::vector<std::string> given{
      "--workers", "3",  "--pin", "--stack-mib", "5", "--variant", "victim=first:split=eager",
      "--set",     "n=7"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), given.begin(), given.end());
    return more;
  };
  static_cast<void>(measure_one(given));
  EXPECT_EQ(run(with(scripted({"--once"}))).status, 0);
  EXPECT_EQ(run(with(scripted({"--trace", trace_file()}))).status, 0);
  const std::vector<made_cell>& cells = on_stage().cells;
  ASSERT_EQ(cells.size(), 4U);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    EXPECT_EQ(cells[i].which, i < 2 ? build::timed : build::counting) << i;
    EXPECT_EQ(cells[i].options.workers, 3U);
    EXPECT_TRUE(cells[i].options.pin);
    EXPECT_EQ(cells[i].options.stack_bytes, std::size_t{5} << 20);
    EXPECT_EQ(schedulers::own_options<work_stealing::options>(cells[i].options).victim,
              work_stealing::victim_choice::first);
    EXPECT_EQ(cells[i].options.split, schedulers::loop_split::eager);
    EXPECT_EQ(cells[i].n, 7U);
    EXPECT_EQ(cells[i].options.recording != nullptr, i == 3) << "a trace alone is recorded";
  }
}

TEST_F(Process, FailsInAllRepetitionsAfterTheFirstFailure) {
  // Run 1 is the first, before any measurement; run 3 is that of the second repetition.
  for (const unsigned failing : {1U, 3U}) {
    on_stage().cells.clear();
    on_stage().timed.at_run = [=, failed = std::make_shared<bool>()](std::size_t number) {
      if (number == failing && !std::exchange(*failed, true)) throw std::runtime_error("once");
    };
    const json all =
        measure(scripted({"--workers", "1", "--benchmark_repetitions=3"}), 1)["benchmarks"];
    ASSERT_EQ(on_stage().cells.size(), 1U) << failing;
    for (const std::size_t repetition : {1U, 2U}) {
      ASSERT_EQ(all.at(repetition).value("error_message", ""), "once") << failing;
    }
  }
}

TEST_F(Process, RunsOnOneWorkerAndOnEachProcessorWhereItIsNotToldOtherwise) {
  static_cast<void>(measure_one({}));
  const unsigned processors = operating_system::processor_count();
  ASSERT_EQ(on_stage().cells.size(), processors > 1 ? 2U : 1U);
  EXPECT_EQ(on_stage().cells.front().options.workers, 1U);
  EXPECT_EQ(on_stage().cells.back().options.workers, processors);
}

TEST_F(Process, RunsOnAStackAsLargeAsThoseOfTheWorkers) {
  std::size_t bytes = 0;
  on_stage().timed.at_run = [&bytes](std::size_t /*number*/) {
    pthread_attr_t of_thread;
    ASSERT_EQ(pthread_getattr_np(pthread_self(), &of_thread), 0);
    pthread_attr_getstacksize(&of_thread, &bytes);
    pthread_attr_destroy(&of_thread);
  };
  static_cast<void>(measure_one({"--workers", "1", "--stack-mib", "123"}));
  EXPECT_GE(bytes, std::size_t{123} << 20);
  EXPECT_LE(bytes, std::size_t{124} << 20);
}

TEST_F(Process, RefusesWhatItCannotRun) {
  const std::string out = "--benchmark_out=" + (folder() / "out").string();
  for (const std::vector<std::string>& bad : std::vector<std::vector<std::string>>{
           {"--set", "n=1", "--workers", "1", out},
           {"--workload", "scripted", "--size", "none", "--workers", "1,2", "--once"},
           {"--workload", "scripted", "--variant", "deque=locked", "--workers", "1", out},
           {"--metric", "fork", "--workload", "scripted", out},
           {"--metric", "fork", "--workers", "3", out}}) {
    EXPECT_EQ(run(bad).status, 2) << testing::PrintToString(bad);
  }
  EXPECT_TRUE(on_stage().cells.empty());
  EXPECT_TRUE(on_stage().measured.empty());
}

TEST_F(Process, RefusesANameOfNoBenchmarkAndAFlagOfNobody) {
  const auto with = [this](const char* flag) {
    return run({"--workload", "scripted", "--workers", "1",
                "--benchmark_out=" + (folder() / "out").string(), "--benchmark_filter=", flag});
  };
  EXPECT_EQ(with("--benchmark_filter=another").status, 2);
  EXPECT_EQ(with("--not-a-flag").status, 2);
  benchmark::ClearRegisteredBenchmarks();  // In a process of its own it would have ended.
  EXPECT_EQ(with("--benchmark_filter=").status, 0) << "flags outlive a run in this process";
}

TEST_F(Process, NeedsAddressSpaceForTheStacksOfItsLargestPoolAlsoWhereItIsNotTold) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer itself reserves more address space";
#endif
  const auto with = [this](const char* workers) {
    constexpr rlim_t tebibyte = rlim_t{1} << 40;
    return run_within(tebibyte, scripted({"--stack-mib", "16384", "--workers", workers}));
  };
  for (const char* const workers : {"1,100", "100,1"}) {
    const outcome_of_process refused = with(workers);
    EXPECT_EQ(refused.status, 2);
    EXPECT_NE(refused.errors.find("--workers 100: "), std::string::npos) << refused.errors;
  }
  const outcome_of_process fits = with("1,10");
  EXPECT_EQ(fits.status, 0) << fits.errors;
  // And for those that it is not told.
  constexpr rlim_t limit = rlim_t{100} << 30;
  const outcome_of_process figure =
      run_within(limit, {"--metric", "memory", "--stack-mib", "10240"});
  EXPECT_EQ(figure.status, 2);
  EXPECT_NE(figure.errors.find("--workers 16: "), std::string::npos) << figure.errors;
  if (operating_system::processor_count() < 2) GTEST_SKIP() << "needs two processors";
  // One stack has 64 GiB.
  EXPECT_EQ(run_within(limit, scripted({"--stack-mib", "65536"})).status, 2);
}

TEST_F(Process, SaysWhatHelpsWhereTheMachineHasNoMoreThreadsOrMemoryToGive) {
  const auto ended_by = [](const auto& error) {
    on_stage().timed.at_run = [=](std::size_t /*number*/) { throw error; };
    outcome_of_process ended = run(scripted({"--workers", "1", "--once"}));
    EXPECT_EQ(ended.status, 1);
    return ended.errors;
  };
  const std::string threads = ended_by(std::system_error(EAGAIN, std::generic_category()));
  EXPECT_NE(threads.find("valid: fewer workers, or higher limits"), std::string::npos) << threads;
  const std::string memory = ended_by(std::bad_alloc());
  EXPECT_NE(memory.find("not enough memory; valid: "), std::string::npos) << memory;
  const std::string other = ended_by(std::system_error(ENOENT, std::generic_category()));
  EXPECT_EQ(other.find("valid: "), std::string::npos) << other;
}

TEST_F(Process, IsMadeSlowerByADelayThatIsPlantedForItsScheduler) {
  on_stage().timed = {.runs = taking({10ms, 20ms})};
  const auto entry_with = [this](const char* delay) {
    setenv("STEALBENCH_INJECT_DELAY", delay, 1);
    json entry = measure_one({"--workers", "1"});
    unsetenv("STEALBENCH_INJECT_DELAY");
    return entry;
  };
  const json slow = entry_with("work-stealing=50");
  EXPECT_NEAR(slow["real_time"].get<double>(), 30, 0.01);
  EXPECT_NEAR(slow["first_run_seconds"].get<double>(), 0.015, 1e-5);
  const json other = entry_with("serial=50");
  EXPECT_NEAR(other["real_time"].get<double>(), 20, 0.01);
}

schedulers::counters distinct_counters() {
  schedulers::counters counts;
  std::uint64_t value = 1;
  for (const schedulers::counter& each : schedulers::every_counter) counts.*each.value = value++;
  counts.per_worker = {{.jobs_run = 101, .busy_ns = 1001}, {.jobs_run = 102, .busy_ns = 1002}};
  return counts;
}

// In the order of the members of distinct_counters, by the names that raw files have.
constexpr const char* expected_counters =
    R"({"jobs_spawned":1,"jobs_run":2,"jobs_inlined":3,"steals":4,"jobs_moved":5,)"
    R"("attempts_taken":6,"attempts_empty":7,"attempts_lost":8,"parks":9,"wakes":10,)"
    R"("jobs_exposed":11,"beats":12,"most_live_jobs":13,"stacks":14,"stack_bytes":15,)"
    R"("queue_bytes":16,"per_worker":[{"jobs_run":101,"busy_ns":1001},)"
    R"({"jobs_run":102,"busy_ns":1002}]})";

TEST_F(Process, ReportsOneTimedRunAndTheCountersOfAnother) {
  on_stage().timed = {.runs = taking({30ms})};
  on_stage().counting = {.runs = taking({999ms}), .counters = distinct_counters()};
  const json found = report({"--once", "--set", "n=5"});
  EXPECT_EQ(found["workload"], "scripted");
  EXPECT_EQ(found["scheduler"], "work-stealing");
  EXPECT_EQ(found["workers"], 2);
  EXPECT_EQ(found["parameters"], json::parse(R"({"n":5})"));
  EXPECT_EQ(found["answer"], json::parse(R"({"run":1})"));
  EXPECT_EQ(found["verified"], true);
  EXPECT_NEAR(found["time_ns"].get<double>(), 30e6, 10);
  EXPECT_EQ(found["counters"], json::parse(expected_counters));
}

// The run of 20 ms, the fourth, is the middle one of those after the first.
TEST_F(Process, ReportsTheCountersOfAMiddleRunAlone) {
  on_stage().counting = {.runs = taking({999ms, 30ms, 10ms, 20ms, 1ms}),
                         .counters = distinct_counters()};
  const json found = report({"--once", "--counters-only", "--sample-ms", "60"});
  ASSERT_EQ(on_stage().cells.size(), 1U);
  EXPECT_EQ(on_stage().cells[0].which, build::counting);
  for (const char* const key : {"answer", "verified", "time_ns"}) {
    EXPECT_TRUE(found[key].is_null()) << key;
  }
  EXPECT_NEAR(found["counters"]["wall_ns"].get<double>(), 20e6, 10);
  EXPECT_EQ(found["counters"]["steals"], 4 * 4);
  EXPECT_EQ(found["counters"]["per_worker"][0]["jobs_run"], 4 * 101);
  EXPECT_EQ(found["counters"]["per_worker"][1]["jobs_run"], 4 * 102);
  EXPECT_EQ(found["counters"]["per_worker"][1]["busy_ns"], 4 * 1002);
  for (const auto& [most, value] : {std::pair{"most_live_jobs", 13},
                                    {"stacks", 14},
                                    {"stack_bytes", 15},
                                    {"queue_bytes", 16}}) {
    EXPECT_EQ(found["counters"][most], value) << most;
  }
  EXPECT_EQ(report({"--once", "--counters-only"})["counters"]["steals"], 2 * 4);
}

TEST_F(Process, ReportsNoCountersWhereNothingIsCountedButForWhatASchedulerCountsByItself) {
  const auto counters_of = [](const char* workload) {
    const outcome_of_process ended =
        run({"--workload", workload, "--size", "none", "--workers", "1", "--once"});
    EXPECT_EQ(ended.status, 0) << ended.errors;
    return json::parse(ended.output)["counters"];
  };
  EXPECT_TRUE(counters_of("uncounted").is_null());
  EXPECT_EQ(on_stage().cells.size(), 1U);
  on_stage().timed.own_counters["messages"] = 5;
  on_stage().counting.own_counters["messages"] = 7;
  EXPECT_EQ(counters_of("uncounted")["messages"], 5);
  EXPECT_EQ(counters_of("scripted")["messages"], 7);
}

TEST_F(Process, FailsAtAWrongAnswerOfTheTimedOrOfTheCountingRun) {
  on_stage().timed.wrong_runs = {1};
  EXPECT_EQ(report({"--once"}, 1)["verified"], false);
  on_stage().timed.wrong_runs = {};
  on_stage().counting.wrong_runs = {1};
  EXPECT_EQ(report({"--once"}, 1)["verified"], false);
  EXPECT_EQ(report({"--once", "--counters-only"}, 1)["verified"], false);
  on_stage().counting.wrong_runs = {2};
  on_stage().counting.counters = distinct_counters();
  EXPECT_EQ(report({"--once", "--counters-only"}, 1)["verified"], false);
  on_stage().counting.is_known = on_stage().timed.is_known = false;
  EXPECT_TRUE(report({"--once"})["verified"].is_null());
}

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
using TracedProcess = Process;

TEST_F(TracedProcess, WritesWhatWasRecordedFromTheBeginningOfTheRunToItsEnd) {
  on_stage().counting = {.runs = taking({80ms}), .counters = distinct_counters()};
  on_stage().counting.at_run = [](std::size_t /*number*/) {
    schedulers::timeline& recorded = *on_stage().cells.front().options.recording;
    EXPECT_EQ(recorded.workers(), 2U);
    const auto end = std::chrono::steady_clock::now();
    for (int i = 0; i < 5; ++i) {
      recorded.of(0).add({.begin = end - 50ms, .end = end - 30ms});
      recorded.of(1).add({.begin = end - 500ms, .end = end + 20ms, .victim = 0});
    }
    recorded.of(1).add({.begin = end, .end = end});
  };
  const json found = report({"--trace", trace_file(), "--events", "3"});
  EXPECT_NEAR(found["time_ns"].get<double>(), 80e6, 10);
  EXPECT_EQ(found["verified"], true);
  EXPECT_EQ(found["answer"], json::parse(R"({"run":1})"));
  EXPECT_EQ(found["counters"], json::parse(expected_counters));
  EXPECT_EQ(found["dropped_intervals"], 2 + 3);
  EXPECT_EQ(found["events"], 3 + 2 * 3);
  const json trace = json::parse(text_of(trace_file()));
  EXPECT_EQ(trace["otherData"]["dropped_intervals"], 5);
  EXPECT_EQ(trace["otherData"]["counters"], json::parse(expected_counters));
  EXPECT_TRUE(trace["otherData"]["provenance"].contains("commit"));
  const json& events = trace["traceEvents"];
  EXPECT_EQ(events[0]["args"]["name"], "scripted/work-stealing/workers:2");
  EXPECT_NEAR(events[2]["ts"].get<double>(), 30e3, 0.1) << "after the beginning of the run";
  EXPECT_NEAR(events[2]["dur"].get<double>(), 20e3, 0.1);
  EXPECT_NEAR(events.back()["dur"].get<double>(), 80e3, 0.1) << "the run is all that is shown";
}

TEST_F(TracedProcess, WritesNothingAtAWrongAnswerAndSaysWhereNoneIsKnown) {
  on_stage().counting = {.wrong_runs = {1}};
  std::ofstream(trace_file()) << "as before";
  EXPECT_EQ(report({"--trace", trace_file()}, 1)["verified"], false);
  EXPECT_EQ(text_of(trace_file()), "as before");
  on_stage().counting = {.is_known = false};
  EXPECT_TRUE(report({"--trace", trace_file()})["verified"].is_null());
}

TEST_F(TracedProcess, SaysWhyAFileCannotBeWritten) {
  const auto expect_error = [](const std::string& name, int status, const std::string& why) {
    const outcome_of_process ended = run(scripted({"--workers", "2", "--trace", name}));
    EXPECT_EQ(ended.status, status) << name;
    EXPECT_NE(ended.errors.find(why), std::string::npos) << ended.errors;
  };
  expect_error(folder(), 2,
               "output file '" + folder().string() +
                   "': Is a directory; valid: a file in a folder that can be written\n");
  expect_error("/dev/full", 1, "cannot write /dev/full: No space left");
}

TEST_F(Process, WritesEachValueOfAFigure) {
  // What a minimum of time leaves behind in Google Benchmark is not that of the figure.
  static_cast<void>(measure_one({"--workers", "1", "--benchmark_min_time=0.5"}));
  on_stage().figure = {.times = {.ns_per_operation = {7e6, 3e6, 9e8, 5e6, 4e6},
                                 .operations_per_run = 600,
                                 .all_operations = 9999,
                                 .uncounted_runs = 12,
                                 .first_run_seconds = 0.25,
                                 .still_seconds = 0.02,
                                 .per_run = later_used},
                       .worker_count = 16,
                       .start_up_seconds = 0.125,
                       .bytes_per_worker = 4096};
  for (const auto& [name, workers] :
       {std::pair<std::string, unsigned>{"fork", 1}, {"memory", 16}}) {
    on_stage().measured.clear();
    const json entry =
        measure_as_given({"--metric", name, "--pin", "--variant", "victim=first"})["benchmarks"].at(
            0);
    EXPECT_EQ(entry["name"], name + "/work-stealing:victim=first/workers:" +
                                 std::to_string(workers) + "/manual_time");
    EXPECT_EQ(entry["time_unit"], "ns");
    // The median; and operations of a run.
    expect_values(entry, R"({"real_time": 5e6, "runs": 5, "start_up_seconds": 0.125,
                             "first_run_seconds": 0.25, "fork_count": 600, "worker_count": 16,
                             "uncounted_runs": 12, "still_seconds": 0.02})");
    expect_later_used(entry);
    EXPECT_GT(entry["peak_rss_bytes"], 0);
    EXPECT_EQ(entry.contains("bytes_per_worker"), name == "memory") << "its unit is bytes";
    EXPECT_EQ(entry.value("bytes_per_worker", 4096.0), 4096);
    ASSERT_EQ(on_stage().measured.size(), 1U) << "measured once";
    EXPECT_EQ(on_stage().measured[0].first, name);
    EXPECT_EQ(on_stage().measured[0].second.workers, workers);
    EXPECT_TRUE(on_stage().measured[0].second.pin);
    EXPECT_EQ(schedulers::own_options<work_stealing::options>(on_stage().measured[0].second).victim,
              work_stealing::victim_choice::first);
  }
}

TEST_F(Process, SaysWhereItsValuesComeFrom) {
  const json context = measure(scripted({"--workers", "1"}))["context"];
  for (const char* const key :
       {"commit", "compiler", "build_type", "flags", "processor", "processors", "governor",
        "kernel", "standard_library", "hwloc", "boost_context", "asymmetric_fence"}) {
    EXPECT_FALSE(context.value(key, "").empty()) << key;
  }
  const std::string compiler = context["compiler"];
  EXPECT_TRUE(compiler.starts_with("GNU ") || compiler.starts_with("Clang ")) << compiler;
  utsname machine{};
  ASSERT_EQ(uname(&machine), 0);
  EXPECT_NE(context["kernel"].get<std::string>().find(machine.release), std::string::npos);
  EXPECT_EQ(context["standard_library"].get<std::string>().find("lib"), 0U);
  for (const char* const key : {"hwloc", "boost_context"}) {
    EXPECT_EQ(std::ranges::count(context[key].get<std::string>(), '.'), 2) << context[key];
  }
  EXPECT_EQ(context["scheduler_library"], "a library");
  EXPECT_EQ(context["processors"], std::to_string(operating_system::processor_count()));
  EXPECT_EQ(context["asymmetric_fence"] == "membarrier", engine::std_machine::asymmetric());
}

}  // namespace
}  // namespace stealbench::cell
