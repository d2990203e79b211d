#include "bench/system/usage.hpp"

#include <cstddef>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/system/fake_time_fixture.hpp"
#include "bench/system/host.hpp"
#include "bench/system/scratch_folder_fixture.hpp"

namespace stealbench::system {
namespace {

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

/// The whole number that /proc/self/statm has at this place, in pages.
double pages_in_statm(unsigned place) {
  std::ifstream stream("/proc/self/statm");
  double pages = 0;
  for (unsigned i = 0; i <= place; ++i) stream >> pages;
  return pages;
}

TEST(ProcessMemory, IsReadInBytes) {
  const double expected = pages_in_statm(0) * static_cast<double>(sysconf(_SC_PAGESIZE));
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

}  // namespace
}  // namespace stealbench::system
