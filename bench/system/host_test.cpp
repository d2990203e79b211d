#include "bench/system/host.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/system/inherited.hpp"
#include "bench/system/scratch_folder_fixture.hpp"

namespace stealbench::system {
namespace {

namespace fs = std::filesystem;

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Memory : public scratch_folder {
 protected:
  [[nodiscard]] host_files files() const { return {folder() / "sys", folder() / "proc"}; }

  void write(const std::string& path, const std::string& text) const {
    fs::create_directories((folder() / path).parent_path());
    std::ofstream(folder() / path) << text << '\n';
  }
};

TEST_F(Memory, ThatIsLeftIsTheLeastOfWhatMachineAndGroupsLeave) {
  if (address_space_left()) GTEST_SKIP() << "the tests themselves have a limit";
  EXPECT_FALSE(memory_left(files()));
  write("proc/meminfo", "MemTotal: 9000 kB\nMemFree: 10 kB\nMemAvailable:    4000 kB");
  EXPECT_DOUBLE_EQ(memory_left(files()).value(), 4000 * 1024.0);
  write("proc/self/cgroup", "0::/a/b");
  write("sys/fs/cgroup/a/b/memory.max", "max");
  EXPECT_DOUBLE_EQ(memory_left(files()).value(), 4000 * 1024.0);
  write("sys/fs/cgroup/a/memory.max", "3000000");
  write("sys/fs/cgroup/a/memory.current", "1000000");
  EXPECT_DOUBLE_EQ(memory_left(files()).value(), 2'000'000);
  write("sys/fs/cgroup/a/b/memory.max", "500000");
  EXPECT_DOUBLE_EQ(memory_left(files()).value(), 500'000);
  write("sys/fs/cgroup/memory.max", "400000");
  EXPECT_DOUBLE_EQ(memory_left(files()).value(), 400'000);
  write("sys/fs/cgroup/a/memory.current", "5000000");
  EXPECT_DOUBLE_EQ(memory_left(files()).value(), 0) << "never less than nothing";
}

TEST_F(Memory, ThatTheKernelMayTakeBackFromFilesIsLeft) {
  write("proc/self/cgroup", "5:memory:/job\n0::/a");
  write("sys/fs/cgroup/a/memory.max", "3000000");
  write("sys/fs/cgroup/a/memory.current", "2900000");
  write("sys/fs/cgroup/a/memory.stat", "anon 7\nactive_file 11\ninactive_file 2500000");
  EXPECT_DOUBLE_EQ(memory_left(files()).value(), 2'600'000);
  write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "2000000");
  write("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "1900000");
  write("sys/fs/cgroup/memory/job/memory.stat",
        "inactive_file 30000\ntotal_active_file 11\ntotal_inactive_file 700000");
  EXPECT_DOUBLE_EQ(memory_left(files()).value(), 800'000) << "of the groups below it too";
  write("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "600000");
  EXPECT_DOUBLE_EQ(memory_left(files()).value(), 2'000'000) << "no more than the limit";
}

TEST_F(Memory, AGroupOfTheFirstVersionIsOfTheControllersThatItNames) {
  write("proc/self/cgroup", "4:memory_x:/one\n3:name=memory:/two\n1:memory,cpuacct:/three");
  for (const char* const group : {"memory_x/one", "name=memory/two", "memory,cpuacct/one"}) {
    write(std::string("sys/fs/cgroup/") + group + "/memory.limit_in_bytes", "1000");
  }
  write("sys/fs/cgroup/memory,cpuacct/three/memory.limit_in_bytes", "3000000");
  EXPECT_DOUBLE_EQ(memory_left(files()).value(), 3'000'000);
}

TEST_F(Memory, AGroupWhoseFolderNamesItsControllersInAnotherOrderLimitsItToo) {
  write("proc/self/cgroup", "5:hugetlb,memory:/job");
  write("sys/fs/cgroup/memory,hugetlb/job/memory.limit_in_bytes", "3000000");
  fs::create_directory_symlink("memory,hugetlb", folder() / "sys/fs/cgroup/memory");
  EXPECT_DOUBLE_EQ(memory_left(files()).value(), 3'000'000);
}

TEST_F(Memory, WhatTheKernelMayCommitIsALimitWhereItOvercommitsNothing) {
  if (address_space_left()) GTEST_SKIP() << "the tests themselves have a limit";
  write("proc/meminfo", "MemAvailable: 9000 kB\nCommitLimit: 4000 kB\nCommitted_AS: 1000 kB");
  for (const char* const overcommits : {"0", "1"}) {
    write("proc/sys/vm/overcommit_memory", overcommits);
    EXPECT_FALSE(address_space_left(files()));
  }
  write("proc/sys/vm/overcommit_memory", "2");
  EXPECT_DOUBLE_EQ(address_space_left(files()).value(), 3000 * 1024.0);
  EXPECT_DOUBLE_EQ(memory_left(files()).value(), 3000 * 1024.0);
  write("proc/meminfo", "CommitLimit: 4000 kB\nCommitted_AS: 5000 kB");
  EXPECT_DOUBLE_EQ(address_space_left(files()).value(), 0) << "never less than nothing";
}

TEST_F(Memory, AddressSpaceIsLeftByTheLimitLessWhatIsUsed) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  constexpr rlim_t limit = rlim_t{1} << 47;  // All there is: a sanitizer reserves 2^44 and more.
  const rlimit lower{limit, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_AS, &lower), 0);
  write("proc/self/status", "VmPeak:  9000 kB\nVmSize:  1024 kB");
  const auto left = address_space_left(files());
  const auto own = address_space_left();
  const auto least = memory_left(files());
  write("proc/sys/vm/overcommit_memory", "2");
  write("proc/meminfo", "CommitLimit: 1099511627776 kB\nCommitted_AS: 0 kB");
  const auto of_both = address_space_left(files());
  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_DOUBLE_EQ(left.value(), static_cast<double>(limit) - 1024 * 1024);
  EXPECT_LT(own.value(), static_cast<double>(limit));
  EXPECT_DOUBLE_EQ(least.value(), *left);
  EXPECT_DOUBLE_EQ(of_both.value(), *left) << "the kernel may commit more";
}

TEST_F(Memory, IsShownWithAUnit) {
  EXPECT_EQ(bytes_in_words(0), "0 bytes");
  EXPECT_EQ(bytes_in_words(1023), "1023 bytes");
  EXPECT_EQ(bytes_in_words(1024), "1 KiB");
  EXPECT_EQ(bytes_in_words(102.4e9), "95.4 GiB");
  EXPECT_EQ(bytes_in_words(999.4 * 1024), "999 KiB");
  EXPECT_EQ(bytes_in_words(999.6 * 1024), "1000 KiB");
  EXPECT_EQ(bytes_in_words(1023.4 * 1024), "1023 KiB");
  EXPECT_EQ(bytes_in_words(1023.6 * 1024), "1 MiB");
  EXPECT_EQ(bytes_in_words(5e18), "4547474 TiB");
}

bool is_ignored(int signal) {
  struct sigaction now {};
  sigaction(signal, nullptr, &now);
  return now.sa_handler == SIG_IGN;
}

/// In a process of its own: what a parent may leave, and how much of it is not set anew.
[[noreturn]] void begin_after_an_odd_parent() {
  sigset_t signals;
  sigfillset(&signals);
  sigprocmask(SIG_SETMASK, &signals, nullptr);
  for (const int signal : {SIGCHLD, SIGALRM, SIGHUP}) std::signal(signal, SIG_IGN);
  umask(0777);
  prctl(PR_SET_TIMERSLACK, 1'000'000'000UL);
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_NONBLOCK) != 0) _exit(1);
  dup2(ends[1], STDOUT_FILENO);
  close(STDIN_FILENO);

  begin_with_own_state();
  sigprocmask(SIG_SETMASK, nullptr, &signals);
  const std::array is_as_usual{sigismember(&signals, SIGCHLD) == 0 && !is_ignored(SIGCHLD),
                               sigismember(&signals, SIGALRM) == 0 && !is_ignored(SIGALRM),
                               is_ignored(SIGHUP),  // nohup
                               is_ignored(SIGXFSZ),
                               umask(0) == 0077,
                               prctl(PR_GET_TIMERSLACK) == 50'000,
                               (fcntl(STDOUT_FILENO, F_GETFL) & O_NONBLOCK) == 0,
                               fcntl(STDIN_FILENO, F_GETFL) != -1};
  _exit(static_cast<int>(std::ranges::count(is_as_usual, false)));
}

TEST(OwnStateDeathTest, IsWhatAnOddParentDoesNotChange) {
  EXPECT_EXIT(begin_after_an_odd_parent(), testing::ExitedWithCode(0), "");
}

TEST(Environment, OfRuntimesIsPrintableAndShort) {
  setenv("GOGC",
         "a\n\xff\x7f"
         "b",
         1);
  EXPECT_NE(environment_of_runtimes().find("GOGC=a???b"), std::string::npos);
  setenv("GOGC", std::string(5000, 'x').c_str(), 1);
  EXPECT_LT(environment_of_runtimes().size(), 1000U);
  unsetenv("GOGC");
  EXPECT_EQ(environment_of_runtimes().find("GOGC"), std::string::npos);
}

}  // namespace
}  // namespace stealbench::system
