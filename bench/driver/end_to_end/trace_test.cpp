// `stealbench trace`, run as a user runs it.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bench/driver/end_to_end/driver_fixture.hpp"
#include "bench/driver/rounds/installation.hpp"

namespace stealbench::end_to_end {
namespace {

using rounds::known_schedulers;

/// Exact: a time in a trace is a whole number of nanoseconds, written in microseconds.
std::int64_t nanoseconds(const json& microseconds) {
  return std::llround(microseconds.get<double>() * 1000);
}

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class DriverTrace : public driver_fixture {
 protected:
  [[nodiscard]] std::filesystem::path file() const { return folder() / "trace.json"; }

  [[nodiscard]] std::vector<std::string> arguments(const std::string& scheduler,
                                                   unsigned workers = 2) const {
    return {"trace", "fib",       "--scheduler",           scheduler,  "--size",
            "test",  "--workers", std::to_string(workers), "--output", file().string()};
  }
  [[nodiscard]] json written() const { return json::parse(text_of(file()), nullptr, false); }

  /// The counting schedulers that are built beside the driver.
  [[nodiscard]] static std::vector<std::string> traceable() {
    return rounds::installation(std::filesystem::path(STEALBENCH_DRIVER).parent_path()).counting();
  }

  /// Each interval begins where the worker's one before has ended or later, and ends with the run.
  static void expect_tracks_in_order(const json& trace) {
    const auto run_ns = trace["otherData"]["time_ns"].get<std::int64_t>();
    std::map<unsigned, std::int64_t> ends;
    for (const json& event : trace["traceEvents"]) {
      if (event["ph"] != "X") continue;
      std::int64_t& end = ends[event["tid"].get<unsigned>()];
      EXPECT_GE(nanoseconds(event["ts"]), end) << event;
      EXPECT_GE(nanoseconds(event["dur"]), 0) << event;
      end = nanoseconds(event["ts"]) + nanoseconds(event["dur"]);
      EXPECT_LE(end, run_ns) << event;
    }
    EXPECT_EQ(ends.count(0), 1U) << "worker 0 ran the root";
  }
};

TEST_F(DriverTrace, ShowsWhatEachWorkerDidInOrderAndWithinTheRun) {
  for (const std::string& scheduler : traceable()) {
    const process_result result = drive(arguments(scheduler));
    ASSERT_EQ(result.status, 0) << scheduler << ": " << result.errors;
    const json trace = written();
    ASSERT_TRUE(trace.is_object()) << scheduler;
    expect_tracks_in_order(trace);
    EXPECT_EQ(trace["otherData"]["workload"], "fib");
    EXPECT_EQ(trace["otherData"]["scheduler"], scheduler);
    EXPECT_EQ(trace["otherData"]["workers"], 2);
    EXPECT_EQ(trace["otherData"]["parameters"]["n"], 20);
    EXPECT_EQ(trace["otherData"]["verified"], true);
  }
}

TEST_F(DriverTrace, HasAsManyStealsAsWereCountedAndTheBusyTimeToo) {
  for (const std::string& scheduler : traceable()) {
    const process_result result = drive(arguments(scheduler));
    ASSERT_EQ(result.status, 0) << scheduler;
    const json trace = written();
    const auto is_event = [](const json& each) { return each["ph"] == "X" || each["ph"] == "i"; };
    const auto events = std::ranges::count_if(trace["traceEvents"], is_event);
    EXPECT_TRUE(contains(result.output, ": " + std::to_string(events) + " events of "))
        << result.output;
    const json& counters = trace["otherData"]["counters"];
    ASSERT_EQ(trace["otherData"]["dropped_intervals"], 0) << scheduler;
    std::uint64_t steals = 0;
    std::map<unsigned, std::int64_t> busy_ns;
    for (const json& event : trace["traceEvents"]) {
      if (event["ph"] == "i") ++steals;
      if (event["ph"] == "X" && event["name"] == "run") {
        busy_ns[event["tid"].get<unsigned>()] += nanoseconds(event["dur"]);
      }
    }
    EXPECT_EQ(steals, counters["steals"]) << scheduler;
    for (unsigned worker = 0; worker < 2; ++worker) {
      EXPECT_EQ(busy_ns[worker], counters["per_worker"][worker]["busy_ns"]) << scheduler;
    }
  }
}

TEST_F(DriverTrace, MakesOneStretchOfAllTheJobsThatAWorkerRunsAlone) {
  for (const std::string& scheduler : traceable()) {
    ASSERT_EQ(drive(arguments(scheduler, 1)).status, 0) << scheduler;
    std::vector<json> intervals;
    const json trace = written();
    for (const json& event : trace["traceEvents"]) {
      if (event["ph"] == "X") intervals.push_back(event);
    }
    ASSERT_EQ(intervals.size(), 1U) << scheduler;
    EXPECT_EQ(intervals.front()["name"], "run");
  }
}

TEST_F(DriverTrace, SaysWhatItHadNoRoomFor) {
  if (traceable().empty()) GTEST_SKIP() << "no scheduler that counts is built";
  std::vector<std::string> narrow = arguments(traceable().front());
  for (const char* const more : {"--events", "1", "--set", "n=30"}) narrow.emplace_back(more);
  // Until the second worker gets as far as to steal or to sleep, and so has more than one interval.
  for (int attempt = 0; attempt < 100; ++attempt) {
    const process_result result = drive(narrow);
    ASSERT_EQ(result.status, 0) << result.errors;
    const json trace = written();
    expect_tracks_in_order(trace);
    const bool is_whole = trace["otherData"]["dropped_intervals"] == 0;
    EXPECT_EQ(result.errors.find("warning") == std::string::npos, is_whole) << result.errors;
    EXPECT_EQ(result.errors.find("--events") == std::string::npos, is_whole) << result.errors;
    if (!is_whole) return;
  }
  FAIL() << "nothing was dropped";
}

TEST_F(DriverTrace, RefusesASchedulerThatCountsNothingAndNamesThoseThatDo) {
  std::vector<std::string> parts{"cannot be traced"};
  for (const std::string& each : traceable()) parts.push_back(each);
  for (const char* const each : {"serial", "onetbb", "openmp"}) {
    if (is_built(each)) expect_refusal(arguments(each), parts);
  }
  if (is_built("serial")) expect_refusal(arguments("sequential"), parts);
  EXPECT_FALSE(std::filesystem::exists(file()));
  expect_refusal(arguments("fastest"), {"unknown scheduler 'fastest'"});
}

TEST_F(DriverTrace, KnowsWhichSchedulersCount) {
  for (const std::string& scheduler : known_schedulers()) {
    if (!is_built(scheduler)) continue;
    const process_result result =
        drive({"run", "fib", "--scheduler", scheduler, "--size", "test", "--json"});
    const bool counts = !json::parse(result.output)["counters"].is_null();
    const std::vector<std::string> all = traceable();
    EXPECT_EQ(counts, std::find(all.begin(), all.end(), scheduler) != all.end()) << scheduler;
  }
}

TEST_F(DriverTrace, RefusesAnOutputThatCannotBeWritten) {
  if (traceable().empty()) GTEST_SKIP() << "no scheduler that counts is built";
  std::vector<std::string> changed = arguments(traceable().front());
  changed.back() = (folder() / "missing" / "trace.json").string();
  expect_refusal(changed, {"missing", "valid:"});
  changed.back() = folder().string();
  expect_refusal(changed, {"a folder", "valid:"});
  changed.pop_back();
  changed.pop_back();
  expect_refusal(changed, {"--output"});
}

TEST_F(DriverTrace, ReplacesRegularFilesAlone) {
  if (traceable().empty()) GTEST_SKIP() << "no scheduler that counts is built";
  std::vector<std::string> changed = arguments(traceable().front());
  // As /dev/stdout, which a test must not put at risk.
  for (const char* const stream : {"/proc/self/fd/1", "/proc/self/fd/2", "/dev/fd/1"}) {
    const std::filesystem::path link = folder() / "stream";
    std::filesystem::create_symlink(stream, link);
    changed.back() = link.string();
    expect_refusal(changed, {"output file '" + link.string() + "': not a regular file", "valid:"});
    EXPECT_TRUE(std::filesystem::is_symlink(link));
    std::filesystem::remove(link);
  }
  ASSERT_EQ(call_shell("mkfifo " + file().string()).status, 0);
  changed.back() = file().string();
  expect_refusal(changed, {"not a regular file"});
  EXPECT_TRUE(std::filesystem::is_fifo(file()));
  std::filesystem::create_symlink("trace.json", folder() / "to_pipe");
  changed.back() = (folder() / "to_pipe").string();
  expect_refusal(changed, {"not a regular file"});

  std::filesystem::create_directory(folder() / "far away\nbelow");
  std::filesystem::create_symlink("far away\nbelow/a b.json", folder() / "link");
  changed.back() = (folder() / "link").string();
  const process_result result = drive(changed);
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(std::filesystem::is_symlink(folder() / "link"));
  EXPECT_TRUE(json::parse(text_of(folder() / "far away\nbelow" / "a b.json")).is_object());
}

TEST_F(DriverTrace, AsksForItsMemoryFirst) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer itself reserves more address space";
#endif
  if (traceable().empty()) GTEST_SKIP() << "no scheduler that counts is built";
  std::vector<std::string> changed = arguments(traceable().front());
  changed.insert(changed.end(), {"--events", "10000000"});
  const std::string command = [&] {
    std::string text = "ulimit -v 800000; exec '" STEALBENCH_DRIVER "'";
    for (const std::string& each : changed) text += " " + each;
    return text;
  }();
  const process_result result = call_shell(command);
  EXPECT_EQ(result.status, 2);
  for (const char* const part : {"--events 10000000", "2 workers", "610 MiB of memory",
                                 "valid: --events up to ", ", or fewer --workers\n"}) {
    EXPECT_TRUE(contains(result.errors, part)) << part << " in\n" << result.errors;
  }
  EXPECT_FALSE(contains(result.errors, "bad_alloc")) << result.errors;
  EXPECT_FALSE(std::filesystem::exists(file()));
}

TEST_F(DriverTrace, SaysHowMuchAddressSpaceTheWorkersNeed) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer itself reserves more address space";
#endif
  if (traceable().empty()) GTEST_SKIP() << "no scheduler that counts is built";
  for (const char* const what : {"run", "trace"}) {
    const process_result result =
        call_shell(std::string("ulimit -v 2000000; exec '" STEALBENCH_DRIVER "' ") + what +
                   " fib --size test --workers 200 --scheduler " + traceable().front() +
                   (std::string(what) == "trace" ? " --output " + file().string() : ""));
    EXPECT_EQ(result.status, 2);
    for (const char* const part : {"--workers 200: stacks of 256 MiB need 50 GiB of address space",
                                   "valid: fewer workers, or a higher limit (ulimit -v"}) {
      EXPECT_TRUE(contains(result.errors, part)) << part << " in\n" << result.errors;
    }
  }
}

TEST_F(DriverTrace, RefusesARoomForNothing) {
  if (traceable().empty()) GTEST_SKIP() << "no scheduler that counts is built";
  std::vector<std::string> changed = arguments(traceable().front());
  changed.emplace_back("--events");
  changed.emplace_back("0");
  expect_refusal(changed, {"--events 0: must be between 1 and"});
}

TEST_F(DriverTrace, LeavesAnOlderFileAloneWhenTheRunFails) {
  if (traceable().empty()) GTEST_SKIP() << "no scheduler that counts is built";
  std::ofstream(file()) << "older";
  setenv("STEALBENCH_INJECT_ERROR", "fib", 1);
  const process_result result = drive(arguments(traceable().front()));
  unsetenv("STEALBENCH_INJECT_ERROR");
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.errors.find("wrong answer"), std::string::npos) << result.errors;
  EXPECT_EQ(text_of(file()), "older");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder()), {}), 1);

  ASSERT_EQ(drive(arguments(traceable().front())).status, 0);
  EXPECT_TRUE(written().is_object()) << "replaced by a run that succeeds";
}

}  // namespace
}  // namespace stealbench::end_to_end
