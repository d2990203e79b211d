// What is read from a process, and why one does not count: of scripts that write what the test
// says.
#include "bench/driver/rounds/cell_process.hpp"

#include <chrono>
#include <csignal>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "results/system/process.hpp"
#include "results/system/scratch_folder_fixture.hpp"
#include "results/system/usage.hpp"
#include "workloads/kit/parameters.hpp"

namespace stealbench::rounds {
namespace {

using namespace std::chrono_literals;
using nlohmann::ordered_json;
using system::ending;
using system::process_result;

const char* const unreadable = "unreadable output: not the Google Benchmark JSON of this benchmark";

process_result ended(ending how, int status, const std::string& errors = {}) {
  process_result result;
  result.how = how;
  result.status = status;
  result.errors = errors;
  return result;
}

/// Of the cell below, each value another.
ordered_json good_entry() {
  return {{"name", "fib/work-stealing:deque=abp/n:30/workers:3/manual_time"},
          {"real_time", 1500.0},
          {"cpu_time", 99.0},
          {"time_unit", "us"},
          {"iterations", 98},
          {"cpu_seconds", 2.0},
          {"user_seconds", 3.0},
          {"system_seconds", 4.0},
          {"start_up_seconds", 5.0},
          {"first_run_seconds", 6.0},
          {"voluntary_switches", 7.0},
          {"forced_switches", 8.0},
          {"peak_rss_bytes", 9.0},
          {"runs", 10.0},
          {"fork_count", 11.0},
          {"worker_count", 12.0}};
}

ordered_json good_report() {
  return {{"workload", "fib"}, {"scheduler", "work-stealing"}, {"workers", 3},
          {"parameters", {}},  {"answer", "832040"},           {"verified", true},
          {"time_ns", 1234},   {"counters", {{"steals", 5}}}};
}

ordered_json printed(const ordered_json& entry) {
  return {{"context", {{"host_name", "here"}}}, {"benchmarks", ordered_json::array({entry})}};
}

/// Scripts write what the test puts into files, and note their arguments.
// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class CellProcess : public system::scratch_folder {
 protected:
  /// A process that prints the text, and then does what the shell is told.
  target writing(const std::string& text, const std::string& then = "") {
    std::ofstream(folder() / "text") << text;
    const std::string at = folder().string();
    return {.which = {.what = {"fib", {{"n", "30"}}},
                      .scheduler = "work-stealing:deque=abp",
                      .workers = 3},
            .executable = plant("cell", "printf '%s\\n' \"$@\" > " + at + "/arguments\ncat " + at +
                                            "/text\n" + then)};
  }
  target writing(const ordered_json& json, const std::string& then = "") {
    return writing(json.dump(), then);
  }
  [[nodiscard]] std::string arguments() const { return text_of(folder() / "arguments"); }

  cell_run timed(const target& what, timeout limit = {}) {
    return run_timed(what, limit, runner_, 70ms);
  }
  cell_run once(const target& what, timeout limit = {}) {
    return run_once(what, {"--once"}, limit, runner_);
  }

  system::process_runner& runner() { return runner_; }

 private:
  system::process_runner runner_;
};

const std::string of_cell =
    "--workload\nfib\n--size\nnone\n--workers\n3\n--variant\ndeque=abp\n"
    "--set\nn=30\n";

TEST_F(CellProcess, IsToldItsCellAndHowLongToMeasure) {
  static_cast<void>(timed(writing(printed(good_entry()))));
  EXPECT_EQ(arguments(),
            of_cell + "--benchmark_format=json\n--benchmark_min_time=0\n--sample-ms\n70\n");
  target figure = writing(printed(good_entry()));
  figure.is_figure = true;
  figure.which = {.what = {"fork", {}}, .scheduler = "serial", .workers = 1};
  static_cast<void>(run_timed(figure, {}, runner()));
  EXPECT_EQ(arguments(),
            "--metric\nfork\n--size\nnone\n--workers\n1\n"
            "--benchmark_format=json\n--benchmark_min_time=0\n--sample-ms\n150\n");
}

TEST_F(CellProcess, IsToldTheModeOfASingleRun) {
  static_cast<void>(once(writing(good_report())));
  EXPECT_EQ(arguments(), "--once\n" + of_cell);
  static_cast<void>(run_once(writing(good_report()), {"--once", "--counters-only"}, {}, runner()));
  EXPECT_EQ(arguments(), "--once\n--counters-only\n" + of_cell);
  static_cast<void>(run_once(writing(good_report()), {"--trace", "/trace.json", "--events", "4321"},
                             {}, runner()));
  EXPECT_EQ(arguments(), "--trace\n/trace.json\n--events\n4321\n" + of_cell);
}

TEST_F(CellProcess, HasTheContextAndTheEntryThatItWrote) {
  static_cast<void>(runner().run({"/bin/sh",
                                  {"-c",
                                   "i=0; while [ $i -lt 50000 ]; do i=$((i+1)); "
                                   "done"}}));  // No part of the cell's.
  const system::usage before = system::usage_of_children();
  cell_run run = timed(writing(printed(good_entry()),
                               "i=0; while [ $i -lt 50000 ]; do "
                               "i=$((i+1)); done"));
  EXPECT_EQ(run.failure, "");
  EXPECT_EQ(run.context, printed({})["context"]);
  const double used = (system::usage_of_children() - before).cpu_seconds();
  EXPECT_GT(used, 0);
  EXPECT_DOUBLE_EQ(run.entry["process_cpu_seconds"].get<double>(), used);
  run.entry.erase("process_cpu_seconds");
  EXPECT_EQ(run.entry, good_entry());
}

TEST_F(CellProcess, NeedsNoContext) {
  ordered_json alone = printed(good_entry());
  alone.erase("context");
  const cell_run run = timed(writing(alone));
  EXPECT_EQ(run.failure, "");
  EXPECT_EQ(run.context, ordered_json::object());
}

TEST_F(CellProcess, SaysWhyGoogleBenchmarkHasNoTime) {
  ordered_json entry = good_entry();
  entry["error_occurred"] = true;
  EXPECT_EQ(timed(writing(printed(entry))).failure, "an error without a message");
  entry["error_message"] = "wrong answer";
  EXPECT_EQ(timed(writing(printed(entry))).failure, "wrong answer") << "whatever the exit status";
  EXPECT_EQ(timed(writing(printed(entry), "echo words >&2; exit 1")).failure, "wrong answer");
  EXPECT_EQ(timed(writing(printed(entry), "kill -KILL $$")).failure, "ended by signal 9 (Killed)");
  entry["error_occurred"] = false;
  EXPECT_EQ(timed(writing(printed(entry))).failure, "");
}

TEST_F(CellProcess, SaysHowItEndedIfNotWell) {
  const ordered_json good = printed(good_entry());
  const std::pair<std::string, std::string> endings[]{
      {"exit 1", "exit status 1"},
      {"exit 2", "exit status 2"},
      {"echo first >&2; echo last >&2; exit 3", "exit status 3: last"},
      {"echo words >&2; kill -SEGV $$", "ended by signal 11 (Segmentation fault)"}};
  for (const auto& [then, failure] : endings) {
    EXPECT_EQ(timed(writing(good, then)).failure, failure);
  }
  EXPECT_EQ(timed(writing(good, "echo words >&2; exec sleep 1000"), 250ms).failure,
            "timed out after 0.25 s");
  target missing = writing(good);
  missing.executable = folder() / "missing";
  const std::string failure = timed(missing).failure;
  EXPECT_NE(failure.find("missing"), std::string::npos) << failure;
}

TEST_F(CellProcess, IsNotBelievedWhatIsNotOfItsCell) {
  const ordered_json good = printed(good_entry());
  std::vector<ordered_json> bad(9, good);
  bad[0]["benchmarks"][0]["name"] = "fib/work-stealing:deque=abp/n:30/workers:2/manual_time";
  bad[1]["benchmarks"][0]["name"] = "fib/work-stealing:deque=abp/n:30/workers:3";
  bad[2]["benchmarks"][0].erase("name");
  bad[3]["benchmarks"].push_back(good_entry());
  bad[4]["benchmarks"] = ordered_json::array();
  bad[5].erase("benchmarks");
  bad[6] = ordered_json::array({good});
  bad[7]["benchmarks"][0]["time_unit"] = "h";
  bad[8]["benchmarks"][0].erase("peak_rss_bytes");
  for (const ordered_json& each : bad) EXPECT_EQ(timed(writing(each)).failure, unreadable) << each;
  EXPECT_EQ(timed(writing(std::string("words"))).failure, unreadable);
  EXPECT_EQ(timed(writing(good, "head -c 5000000 /dev/zero | tr '\\0' ' '")).failure, unreadable)
      << "it was cut";
}

TEST_F(CellProcess, OfASingleRunHasTheReportThatItPrinted) {
  const cell_run good = once(writing(good_report()));
  EXPECT_EQ(good.failure, "");
  EXPECT_EQ(good.entry, good_report());
  ordered_json unknown = good_report();
  unknown["verified"] = unknown["time_ns"] = unknown["counters"] = nullptr;
  EXPECT_EQ(once(writing(unknown)).failure, "");
  EXPECT_EQ(once(writing(unknown)).entry, unknown);
  ordered_json wrong = good_report();
  wrong["verified"] = false;
  for (const char* const then : {"exit 0", "echo words >&2; exit 1"}) {
    EXPECT_EQ(once(writing(wrong, then)).failure, "wrong answer") << then;
    EXPECT_EQ(once(writing(wrong, then)).entry, wrong) << then;
  }
  EXPECT_EQ(once(writing(good_report(), "echo words >&2; exit 1")).failure, "exit status 1: words");
  EXPECT_EQ(once(writing(good_report(), "echo words >&2; exit 1")).entry, good_report());
}

TEST_F(CellProcess, OfASingleRunHasNoReportWhereItFailed) {
  const std::pair<std::string, std::string> endings[]{
      {"echo words >&2; exit 3", "exit status 3: words"},
      {"kill -KILL $$", "ended by signal 9 (Killed)"}};
  for (const auto& [then, failure] : endings) {
    const cell_run run = once(writing(good_report(), then));
    EXPECT_EQ(run.failure, failure);
    EXPECT_TRUE(run.entry.is_null()) << then;
  }
  EXPECT_EQ(once(writing(good_report(), "exec sleep 1000"), 250ms).failure,
            "timed out after 0.25 s");
  EXPECT_EQ(once(writing(std::string("words"), "echo no >&2; exit 1")).failure,
            "exit status 1: no");
}

TEST_F(CellProcess, OfASingleRunNeedsEveryMemberOfItsReport) {
  const ordered_json good = good_report();
  std::vector<std::string> bad{"words", good.dump().substr(1)};
  for (const auto& [key, value] : good.items()) {
    ordered_json without = good;
    without.erase(key);
    bad.push_back(without.dump());
  }
  for (const char* const key : {"verified", "time_ns", "counters"}) {
    ordered_json other = good_report();
    other[key] = "words";
    bad.push_back(other.dump());
  }
  const char* const long_output = "head -c 5000000 /dev/zero | tr '\\0' ' '";
  EXPECT_FALSE(once(writing(good, long_output)).failure.empty()) << "it was cut";
  for (const std::string& each : bad) {
    const cell_run run = once(writing(each));
    EXPECT_EQ(run.failure, "unreadable output: not the JSON of one run") << each;
    EXPECT_TRUE(run.entry.is_null()) << each;
  }
}

TEST_F(CellProcess, ThatRefusesItsInputIsQuoted) {
  const std::string words(300, 'x');
  try {
    static_cast<void>(
        once(writing(good_report(), "echo first >&2; echo " + words + " >&2; echo >&2; exit 2")));
    ADD_FAILURE() << "it must throw";
  } catch (const kit::bad_input& error) {
    EXPECT_EQ(error.what(), words);
  }
}

TEST(ReasonOfAProcess, IsHowItEndedAndItsLastWords) {
  const auto exited = [](const std::string& errors) {
    return why_ended(ended(ending::exited, 3, errors), 1s);
  };
  EXPECT_EQ(exited(""), "exit status 3");
  EXPECT_EQ(exited(" \n\r\n\t"), "exit status 3");
  EXPECT_EQ(exited("one\ntwo\nthree\r\n \n"), "exit status 3: three");
  EXPECT_EQ(exited(std::string(1000, 'x')), "exit status 3: " + std::string(240, 'x'));
  EXPECT_EQ(exited("\xFF!"), "exit status 3: \xEF\xBF\xBD!");
  const process_result killed = ended(ending::signalled, SIGKILL, "words");
  EXPECT_EQ(why_ended(killed, 1s), "ended by signal 9 (Killed)");
  const process_result late = ended(ending::timed_out, 0, "words");
  EXPECT_EQ(why_ended(late, 1500ms), "timed out after 1.5 s");
  EXPECT_EQ(why_ended(late, {}), "timed out");
}

ordered_json good_simulation() {
  return {{"workload", "fib"},
          {"workers", 20},
          {"seed", 1},
          {"seconds", 2.0},
          {"fork_count", 3},
          {"shares",
           {{"work", 0.5}, {"overhead", 0.2}, {"search", 0.1}, {"lines", 0.1}, {"asleep", 0.1}}},
          {"tasks_moved", 4},
          {"steal_attempts", 5},
          {"verified", true},
          {"counters", {{"steals", 6}, {"per_worker", {7, 8}}}}};
}

cell_run simulated(const ordered_json& json, process_result how = {}, unsigned workers = 20,
                   std::uint64_t seed = 1) {
  how.output = json.dump();
  const target subject{.which = {.what = {"fib", {}}, .scheduler = "serial", .workers = workers},
                       .executable = {}};
  return read_simulation(how, subject, seed, 2s);
}

TEST(SimulationProcess, HasWhatItPrintedWithoutWhatNoReportShows) {
  ordered_json expected = good_simulation();
  expected["counters"].erase("per_worker");
  EXPECT_EQ(simulated(good_simulation()).failure, "");
  EXPECT_EQ(simulated(good_simulation()).entry, expected) << "more than 16 workers";
  ordered_json small = good_simulation();
  small["workers"] = 16;
  EXPECT_EQ(simulated(small, {}, 16).entry, small);
  ordered_json second = good_simulation();
  second["seed"] = 2;
  expected = second;
  expected.erase("counters");
  EXPECT_EQ(simulated(second, {}, 20, 2).entry, expected) << "no counters but of the first seed";
}

TEST(SimulationProcess, SaysWhyItDoesNotCount) {
  const char* const not_its = "unreadable output: not the JSON of this simulation";
  const std::pair<const char*, ordered_json> changes[]{
      {"workload", "uts"}, {"workers", 19}, {"seed", 2}, {"seconds", 0}, {"shares", 1}};
  for (const auto& [key, value] : changes) {
    ordered_json other = good_simulation();
    other[key] = value;
    EXPECT_EQ(simulated(other).failure, not_its) << key;
  }
  const process_result failed = ended(ending::exited, 3, "words");
  EXPECT_EQ(simulated(good_simulation(), failed).failure, "exit status 3: words");
  const process_result late = ended(ending::timed_out, 0);
  EXPECT_EQ(simulated(good_simulation(), late).failure, "timed out after 2 s");
  ordered_json wrong = good_simulation();
  wrong["verified"] = false;
  EXPECT_EQ(simulated(wrong).failure, "wrong answer");
  EXPECT_EQ(simulated(wrong, ended(ending::exited, 1)).failure, "wrong answer");
  EXPECT_TRUE(simulated(wrong).entry.is_null());
}

}  // namespace
}  // namespace stealbench::rounds
