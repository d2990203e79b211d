#include "bench/cell/trace/chrome_trace.hpp"

#include <chrono>
#include <sstream>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "schedulers/timeline.hpp"

namespace stealbench::cell {
namespace {

using nlohmann::json;
using schedulers::activity;
using schedulers::interval;
using schedulers::timeline;

interval::time at(int microseconds) {
  return interval::time{std::chrono::microseconds{microseconds}};
}

const time_window window{.begin = at(100), .end = at(200)};

json traced(const timeline& recorded) {
  std::ostringstream text;
  write_chrome_trace(text, recorded, window, "title", {{"workload", "fib"}});
  return json::parse(text.str());
}

/// The events of one kind.
std::vector<json> events_of(const json& trace, const char* phase) {
  std::vector<json> found;
  for (const json& each : trace.at("traceEvents")) {
    if (each.at("ph") == phase) found.push_back(each);
  }
  return found;
}

TEST(ChromeTrace, SaysWhatRanAndNamesTheThreadsAfterTheWorkers) {
  const json trace = traced(timeline(2, 0));
  EXPECT_EQ(trace.at("otherData"), json::parse(R"({"workload": "fib"})"));
  const std::vector<json> labels = events_of(trace, "M");
  ASSERT_EQ(labels.size(), 3U);
  EXPECT_EQ(labels[0].at("name"), "process_name");
  EXPECT_EQ(labels[0].at("args").at("name"), "title");
  EXPECT_EQ(labels[2].at("name"), "thread_name");
  EXPECT_EQ(labels[2].at("tid"), 1);
  EXPECT_EQ(labels[2].at("args").at("name"), "worker 1");
}

// What is beyond the window is left out; that a stretch is cut at its ends TracedProcess tests.
TEST(ChromeTrace, HasACompleteEventForEachStretchInMicroseconds) {
  timeline recorded(1, 5);
  recorded.of(0).add({.begin = at(80), .end = at(100), .what = activity::searching});
  recorded.of(0).add({.begin = at(110), .end = at(120), .what = activity::running});
  recorded.of(0).add(
      {.begin = at(120), .end = at(125), .what = activity::searching, .failed_steals = 7});
  recorded.of(0).add({.begin = at(125), .end = at(130), .what = activity::parked});
  recorded.of(0).add({.begin = at(200), .end = at(220), .what = activity::searching});
  const std::vector<json> events = events_of(traced(recorded), "X");
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[0].at("name"), "run");
  EXPECT_EQ(events[0].at("ts"), 10.0);
  EXPECT_EQ(events[0].at("dur"), 10.0);
  EXPECT_TRUE(events[0].at("args").empty()) << "it tried to steal nothing";
  EXPECT_EQ(events[1].at("name"), "look for work");
  EXPECT_EQ(events[1].at("args").at("failed_steals"), 7);
  EXPECT_EQ(events[2].at("name"), "parked");
  EXPECT_TRUE(events[2].at("args").empty());
}

TEST(ChromeTrace, HasAnInstantEventForEachStealWithItsVictim) {
  timeline recorded(2, 2);
  recorded.of(1).add({.begin = at(110), .end = at(120), .what = activity::running, .victim = 0});
  recorded.of(1).add({.begin = at(130), .end = at(140), .what = activity::running});
  const std::vector<json> steals = events_of(traced(recorded), "i");
  ASSERT_EQ(steals.size(), 1U);
  EXPECT_EQ(steals[0].at("ts"), 10.0);
  EXPECT_EQ(steals[0].at("tid"), 1);
  EXPECT_EQ(steals[0].at("args").at("victim"), 0);
}

TEST(Track, DropsAndCountsWhatItHasNoRoomFor) {
  timeline recorded(2, 2);
  for (int i = 0; i < 5; ++i) {
    recorded.of(1).add({.begin = at(i), .end = at(i + 1), .what = activity::running});
  }
  ASSERT_EQ(recorded.of(1).intervals().size(), 2U);
  EXPECT_EQ(recorded.of(1).intervals().back().begin, at(1));
  EXPECT_EQ(recorded.of(1).dropped(), 3U);
  EXPECT_EQ(recorded.of(0).dropped(), 0U);
}

}  // namespace
}  // namespace stealbench::cell
