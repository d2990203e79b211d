#include "bench/system/usage.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/system/fake_time_fixture.hpp"
#include "bench/system/host.hpp"
#include "bench/system/scratch_folder_fixture.hpp"

namespace stealbench::system {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

void expect_usage(const usage& found, const usage& expected) {
  EXPECT_NEAR(found.user_seconds, expected.user_seconds, 1e-9);
  EXPECT_NEAR(found.system_seconds, expected.system_seconds, 1e-9);
  EXPECT_EQ(found.voluntary_switches, expected.voluntary_switches);
  EXPECT_EQ(found.forced_switches, expected.forced_switches);
}

constexpr usage some{.user_seconds = 2.750001,
                     .system_seconds = 0.000003,
                     .voluntary_switches = 11,
                     .forced_switches = 5};
constexpr usage other{
    .user_seconds = 0.5, .system_seconds = 4.25, .voluntary_switches = 2, .forced_switches = 7};

TEST(Usage, IsOfAllThreadsOfTheProcessSinceItBegan) {
  const fake_time time;
  const usage before = usage_of_process();
  expect_usage(before, {1000.25, 100.5, 10, 1});
  fake_time::use(some);
  fake_time::switch_thread(100, 200);
  expect_usage(usage_of_process() - before, some);
}

TEST(Usage, IsAddedAndSubtractedAndDividedMemberByMember) {
  expect_usage(some + other, {3.250001, 4.250003, 13, 12});
  expect_usage(some - other, {2.250001, -4.249997, 9, -2});
  expect_usage(other / 4, {0.125, 1.0625, 0.5, 1.75});
}

TEST(Usage, OfProcessorsIsUserAndSystemTime) { EXPECT_DOUBLE_EQ(other.cpu_seconds(), 4.75); }

TEST(ProcessMemory, IsReadInBytes) {
  double pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const double expected = pages * static_cast<double>(sysconf(_SC_PAGESIZE));
  const auto found = bytes_in("/proc/self/status", "VmSize:");
  ASSERT_TRUE(found);
  EXPECT_NEAR(*found, expected, 0.01 * expected);
  EXPECT_FALSE(bytes_in("/proc/self/status", "VmNothing:"));
  EXPECT_FALSE(bytes_in("/proc/self/no_such_file", "VmSize:"));
}

TEST(ProcessMemory, AtItsPeakIsWhatWasResidentAndNotWhatWasReservedOrIsLeft) {
  constexpr std::size_t mib = std::size_t{1} << 20;
  constexpr std::size_t touched = 64 * mib;
  constexpr std::size_t reserved = 1024 * mib;
  const double resident = bytes_in("/proc/self/status", "VmRSS:").value();
  void* const pages = mmap(nullptr, reserved, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(pages, MAP_FAILED);
  std::fill_n(static_cast<char*>(pages), touched, 'x');
  munmap(pages, reserved);
  const double peak = peak_rss_bytes();
  EXPECT_GE(peak, resident + 0.9 * touched);
  EXPECT_LE(peak, resident + 6.0 * touched) << "with five bytes of ThreadSanitizer for each";
  EXPECT_GE(peak, bytes_in("/proc/self/status", "VmRSS:").value() + 0.9 * touched);
}

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Lines : public scratch_folder {};

TEST_F(Lines, AreFoundByTheirBeginning) {
  const auto file = folder() / "file";
  std::ofstream(file) << "a 1\n b 2\nb 3\nb 4\n";
  EXPECT_EQ(first_line(file), "a 1");
  EXPECT_EQ(first_line(file, "b"), "b 3");
  EXPECT_EQ(first_line(file, "c"), std::nullopt);
  EXPECT_EQ(first_line(folder() / "none"), std::nullopt);
}

TEST_F(Lines, OfAProcessorAreItsNameAndWhereTheyAreKnownItsFamilyAndModel) {
  std::ofstream(folder() / "family") << "cpu family\t: 26\nmodel\t\t: 2\nmodel name\t: Z80\n";
  EXPECT_EQ(processor_model(folder() / "family"), "Z80 (family 26, model 2)");
  EXPECT_EQ(processor_model(folder() / "none"), "unknown");
}

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
  std::thread busy([&] {
    while (!is_over) {
    }
  });
  const double until = waited_seconds().value() + 0.2;
  while (waited_seconds().value() < until) {
  }
  EXPECT_GT(meter.threads().value(), 0.1);
  is_over = true;
  busy.join();
  ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
}

}  // namespace
}  // namespace stealbench::system
