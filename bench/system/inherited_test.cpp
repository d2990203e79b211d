#include "bench/system/inherited.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <string>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace stealbench::system {
namespace {

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
