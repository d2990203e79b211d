#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sched.h>

#include "bench/system/fake_time_fixture.hpp"
#include "bench/system/scratch_folder_fixture.hpp"
#include "bench/system/usage.hpp"

namespace stealbench::system {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Waiting : public scratch_folder {
 protected:
  void write(const std::string& thread, const std::string& text) const {
    fs::create_directories(folder() / "task" / thread);
    std::ofstream(folder() / "task" / thread / "schedstat") << text << '\n';
  }
};

TEST_F(Waiting, IsTheSecondNumberOfEachThreadAddedUp) {
  write("10", "5000000000 2000000000 17");
  write("11", "7000000000 500000000 3");
  EXPECT_DOUBLE_EQ(waited_seconds(folder()).value(), 2.5);
  fs::create_directories(folder() / "task" / "12");
  EXPECT_DOUBLE_EQ(waited_seconds(folder()).value(), 2.5) << "one that has just ended";
}

TEST_F(Waiting, IsUnknownWhereTheSystemDoesNotSay) {
  EXPECT_FALSE(waited_seconds(folder()));
  EXPECT_FALSE(waiting_meter(folder()).threads());
  write("10", "text");
  EXPECT_FALSE(waited_seconds(folder()));
}

TEST_F(Waiting, IsAveragedOverTheTimeBetween) {
  const fake_time time;
  write("10", "0 1000000000 1");
  const waiting_meter meter(folder());
  EXPECT_FALSE(meter.threads()) << "no time has passed";
  fake_time::pass(4s);
  EXPECT_DOUBLE_EQ(meter.threads().value(), 0);
  write("10", "0 4000000000 1");
  write("11", "0 3000000000 1");
  EXPECT_DOUBLE_EQ(meter.threads().value(), 1.5);
  fs::remove_all(folder() / "task" / "10");
  write("11", "0 500000000 1");
  EXPECT_EQ(meter.threads().value(), 0) << "of a thread that has ended nothing is known";
}

// Two threads on one processor: while one runs the other waits, whatever else the machine does.
TEST_F(Waiting, IsSeenByTheKernelWhereTwoThreadsShareAProcessor) {
  if (!waited_seconds()) GTEST_SKIP() << "this kernel does not say";
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  int first = 0;
  while (!CPU_ISSET(first, &before)) ++first;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  const waiting_meter meter;
  std::atomic<bool> is_over = false;
  std::thread second([&] {
    while (!is_over) {
    }
  });
  const double until = waited_seconds().value() + 0.2;
  while (waited_seconds().value() < until) {
  }
  EXPECT_GT(meter.threads().value(), 0.1);
  is_over = true;
  second.join();
  ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
}

}  // namespace
}  // namespace stealbench::system
