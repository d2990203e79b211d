#include "results/system/process.hpp"

#include <cerrno>
#include <csignal>
#include <fstream>
#include <iostream>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "results/system/scratch_folder_fixture.hpp"
#include "results/system/usage.hpp"

namespace stealbench::system {
namespace {

using std::chrono::milliseconds;

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Process : public scratch_folder {
 public:
  /// Before the first runner, whoever runs these tests: nohup, or a shell in the background.
  static void SetUpTestSuite() {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
  }

 protected:
  [[nodiscard]] process_result run(const std::string& script,
                                   std::optional<milliseconds> timeout = {}) {
    return runner().run({"/bin/sh", {"-c", script}, timeout});
  }
  [[nodiscard]] process_runner& runner() { return runner_; }

 private:
  process_runner runner_;
};

TEST_F(Process, BothStreamsAndTheExitStatusAreKept) {
  const process_result result = run("echo out; echo err >&2; exit 7");
  EXPECT_EQ(result.output, "out\n");
  EXPECT_EQ(result.errors, "err\n");
  EXPECT_EQ(result.how, ending::exited);
  EXPECT_EQ(result.status, 7);
  EXPECT_EQ(describe_ending(result), "exit status 7");
}

TEST_F(Process, ArgumentsReachTheProgramUnchanged) {
  const process_result result = runner().run({"/bin/echo", {"a b", "$HOME", "*"}});
  EXPECT_EQ(result.output, "a b $HOME *\n");
}

TEST_F(Process, StandardInputIsEmpty) { EXPECT_EQ(run("cat; echo end").output, "end\n"); }

TEST_F(Process, InputReachesTheProgramThatReadsIt) {
  const std::string text(200'000, 'x');  // More than a pipe holds.
  process_request request{"/bin/cat", {}};
  request.input = text;
  EXPECT_EQ(runner().run(request).output, text);
  request.executable = "/bin/true";
  EXPECT_EQ(runner().run(request).status, 0) << "one that does not read it";
}

TEST_F(Process, ACrashIsNamedByItsSignal) {
  const process_result result = run("kill -SEGV $$");
  EXPECT_EQ(result.how, ending::signalled);
  EXPECT_EQ(describe_ending(result), "ended by signal 11 (Segmentation fault)");
}

TEST_F(Process, OneThatHangsIsKilledAtTheDeadline) {
  const process_result result = run("echo started; sleep 1000", milliseconds(300));
  EXPECT_EQ(result.how, ending::timed_out);
  EXPECT_EQ(result.output, "started\n");
}

TEST_F(Process, OneThatEndedInTimeIsNotLateHoweverLateThatIsSeen) {
  static_cast<void>(runner().start({"/bin/true", {}, milliseconds(1)}));
  siginfo_t end{};
  ASSERT_EQ(waitid(P_ALL, 0, &end, WEXITED | WNOWAIT), 0);
  std::this_thread::sleep_for(milliseconds(5));
  EXPECT_EQ(runner().wait().result.how, ending::exited);
}

TEST_F(Process, OneThatNeverStopsWritingIsKilledAtTheDeadline) {
  process_request request{"/bin/sh", {"-c", "while :; do echo yes; done"}, milliseconds(300)};
  request.most_output_bytes = 100;
  const process_result result = runner().run(request);
  EXPECT_EQ(result.how, ending::timed_out);
  EXPECT_EQ(result.output.size(), 100U);
  EXPECT_TRUE(result.output_was_cut);
}

TEST_F(Process, NoMoreIsKeptOfEitherStreamThanWasAskedFor) {
  process_request request{"/bin/sh", {"-c", "echo 12345; echo 1234567 >&2"}};
  request.most_output_bytes = 6;
  const process_result result = runner().run(request);
  EXPECT_EQ(result.output, "12345\n");
  EXPECT_FALSE(result.output_was_cut);
  EXPECT_EQ(result.errors, "123456");
}

TEST_F(Process, WhatItLeavesInItsGroupIsKilledWithIt) {
  ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);  // An orphan becomes ours to collect.
  // The sleeper holds the output open, so that reading to its end would wait for the sleeper.
  const process_result result = run("sleep 30 & echo $!");
  EXPECT_EQ(result.how, ending::exited);
  int status = 0;
  const auto sleeper = static_cast<pid_t>(std::stol(result.output));
  ASSERT_EQ(waitpid(sleeper, &status, 0), sleeper);
  EXPECT_TRUE(WIFSIGNALED(status));
}

TEST_F(Process, AnInterruptIsThrownAndTheProgramKilled) {
  const std::pair<const char*, int> signals[]{{"INT", SIGINT}, {"TERM", SIGTERM}, {"HUP", SIGHUP}};
  for (const auto& [name, number] : signals) {
    try {
      static_cast<void>(run(std::string("kill -") + name + " $PPID; sleep 1000"));
      ADD_FAILURE() << "nothing was thrown";
    } catch (const interrupted& interruption) {
      EXPECT_EQ(interruption.signal(), number);
    }
  }
}

TEST(IgnoredSignal, DoesNotInterrupt) {  // As under nohup.
  std::signal(SIGHUP, SIG_IGN);
  process_result result;
  EXPECT_NO_THROW(result =
                      process_runner().run({"/bin/sh", {"-c", "kill -HUP $PPID; echo lives"}}));
  std::signal(SIGHUP, SIG_DFL);
  EXPECT_EQ(result.output, "lives\n");
}

TEST_F(Process, WhoseReaderHasGoneEndsAsInAShell) {
  const process_result result = run("kill -PIPE $$; echo lives");
  EXPECT_EQ(result.how, ending::signalled);
  EXPECT_EQ(result.status, SIGPIPE);
}

TEST(Shortage, IsOfProcessesMemoryAndFiles) {
  for (const int number : {EAGAIN, ENOMEM, EMFILE, ENFILE}) {
    EXPECT_TRUE(is_shortage({number, std::generic_category()})) << number;
    EXPECT_TRUE(is_shortage({number, std::system_category()})) << number;
    EXPECT_FALSE(is_shortage({number, std::iostream_category()})) << number;
  }
  EXPECT_FALSE(is_shortage({ENOENT, std::generic_category()}));
}

TEST_F(Process, AProgramThatIsNotThereCannotBeStarted) {
  try {
    static_cast<void>(runner().run({folder() / "missing", {}}));
    FAIL() << "nothing was thrown";
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code().value(), ENOENT);
  }
}

/// In a process that may start no other, whoever runs this test; it ends as the test expects.
[[noreturn]] void start_where_no_process_can_be_started() {
  constexpr unsigned seconds_to_hang = 20;
  constexpr id_t unprivileged = 65534;  // The limit does not bind root.
  constexpr int as_expected = 3;
  alarm(seconds_to_hang);
  if (geteuid() == 0 && (setgid(unprivileged) != 0 || setuid(unprivileged) != 0)) _exit(1);
  const rlimit none{0, 0};
  if (setrlimit(RLIMIT_NPROC, &none) != 0) _exit(1);
  try {
    static_cast<void>(process_runner().run({"/bin/true", {}}));
  } catch (const std::system_error& error) {
    std::cerr << error.what();
    _exit(is_shortage(error.code()) && error.code().value() == EAGAIN ? as_expected : 1);
  }
  _exit(1);
}

TEST_F(Process, WhereNoProcessCanBeStartedItSaysSoAndDoesNotWaitForOne) {
  EXPECT_EXIT(start_where_no_process_can_be_started(), ::testing::ExitedWithCode(3),
              "cannot start /bin/true");
}

TEST_F(Process, WhereNoFileCanBeOpenedItSaysSo) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "UndefinedBehaviorSanitizer opens a pipe to read an object's type";
#endif
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit none{0, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  std::error_code reason;
  try {
    static_cast<void>(runner().run({"/bin/true", {}}));
  } catch (const std::system_error& error) {
    reason = error.code();
  }
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_TRUE(is_shortage(reason)) << reason.message();
  EXPECT_EQ(run("exit 5").status, 5) << "the next one is started";
}

TEST_F(Process, AProgramThatCannotBeExecutedIsNoShortage) {
  std::ofstream(folder() / "text") << "text";
  for (const char* const name : {"missing", "text", "."}) {
    try {
      static_cast<void>(runner().run({folder() / name, {}}));
      FAIL() << "nothing was thrown";
    } catch (const std::system_error& error) {
      EXPECT_FALSE(is_shortage(error.code())) << error.what();
    }
  }
}

TEST_F(Process, ThoseThatWereStartedRunSideBySideAndEndInTheirOwnOrder) {
  const std::string pipe = (folder() / "pipe").string();
  ASSERT_EQ(run("mkfifo " + pipe).status, 0);
  const std::size_t before = runner().start({"/bin/true", {}});
  EXPECT_EQ(runner().wait().number, before);
  // The first ends only when the second has run beside it.
  const std::size_t reader =
      runner().start({"/bin/sh", {"-c", "read word < " + pipe + "; exit 3"}});
  const std::size_t writer = runner().start(
      {"/bin/sh", {"-c", "echo word > " + pipe + "; sleep 1000"}, milliseconds(300)});
  EXPECT_EQ(reader, before + 1);
  EXPECT_EQ(writer, before + 2);
  const process_runner::ended first = runner().wait();
  EXPECT_EQ(first.number, reader);
  EXPECT_EQ(first.result.status, 3);
  const process_runner::ended second = runner().wait();
  EXPECT_EQ(second.number, writer);
  EXPECT_EQ(second.result.how, ending::timed_out);
}

TEST_F(Process, AnInterruptEndsAllThatRun) {
  const std::string lives = (folder() / "lives").string();
  static_cast<void>(
      runner().start({"/bin/sh", {"-c", "echo $$ > " + lives + "; exec sleep 1000"}}));
  static_cast<void>(runner().start(
      {"/bin/sh",
       {"-c", "until test -s " + lives + "; do :; done; kill -TERM $PPID; sleep 1000"}}));
  EXPECT_THROW(static_cast<void>(runner().wait()), interrupted);
  std::ifstream file(lives);
  pid_t sleeper = 0;
  ASSERT_TRUE(file >> sleeper);
  EXPECT_EQ(kill(sleeper, 0), -1);
  EXPECT_EQ(errno, ESRCH);
  EXPECT_EQ(run("exit 5").status, 5) << "the next one is not interrupted";
}

TEST_F(Process, WhatStillRunsIsKilledWithItsRunner) {
  const std::string lives = (folder() / "lives").string();
  pid_t sleeper = 0;
  {
    process_runner brief;
    static_cast<void>(brief.start({"/bin/sh", {"-c", "echo $$ > " + lives + "; exec sleep 1000"}}));
    static_cast<void>(brief.start({"/bin/sh", {"-c", "until test -s " + lives + "; do :; done"}}));
    EXPECT_EQ(brief.wait().number, 1U);
    std::ifstream file(lives);
    ASSERT_TRUE(file >> sleeper);
    EXPECT_EQ(kill(sleeper, 0), 0);
  }
  EXPECT_EQ(kill(sleeper, 0), -1);
  EXPECT_EQ(errno, ESRCH);
}

TEST_F(Process, WhatStillRunsIsKilledWithThisProgram) {
  ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);  // An orphan becomes ours to collect.
  const std::string lives = (folder() / "lives").string();
  const pid_t starter = fork();
  if (starter == 0) {
    process_runner own;
    own.start({"/bin/sh", {"-c", "echo $$ > " + lives + "; exec sleep 20"}});
    for (;;) pause();
  }
  const std::string wait_for_it =
      "for try in $(seq 500); do test -s $0 && exit 0; sleep 0.02; done; exit 1";
  EXPECT_EQ(run_in_foreground("sh", {"-c", wait_for_it, lives}), 0);
  ASSERT_EQ(kill(starter, SIGKILL), 0);
  int status = 0;
  ASSERT_EQ(waitpid(starter, &status, 0), starter);
  std::ifstream file(lives);
  pid_t sleeper = 0;
  ASSERT_TRUE(file >> sleeper);
  ASSERT_EQ(waitpid(sleeper, &status, 0), sleeper);
  EXPECT_TRUE(WIFSIGNALED(status));
}

TEST_F(Process, InTheForegroundSaysHowItEnded) {
  EXPECT_EQ(run_in_foreground("sh", {"-c", "exit 7"}), 7);
  EXPECT_EQ(run_in_foreground("sh", {"-c", "kill -KILL $$"}), 128 + SIGKILL);
  EXPECT_EQ(run_in_foreground("sh", {"-c", "test \"$0\" = 'a b'", "a b"}), 0);
  EXPECT_THROW(static_cast<void>(run_in_foreground("no-such-program", {})), std::system_error);
  EXPECT_THROW(static_cast<void>(run_in_foreground("/no/such/program", {})), std::system_error);
}

TEST_F(Process, InTheForegroundIsTerminatedWithThisProgram) {
  const std::string started = (folder() / "started").string();
  const std::string ended = (folder() / "ended").string();
  const pid_t starter = fork();
  if (starter == 0) {
    _exit(run_in_foreground("sh", {"-c", "trap 'echo > " + ended + "; exit' TERM; echo > " +
                                             started + "; while :; do sleep 0.02; done"}));
  }
  const std::string wait_for_it =
      "for try in $(seq 500); do test -e $0 && exit 0; sleep 0.02; done; exit 1";
  EXPECT_EQ(run_in_foreground("sh", {"-c", wait_for_it, started}), 0);
  ASSERT_EQ(kill(starter, SIGKILL), 0);
  int status = 0;
  ASSERT_EQ(waitpid(starter, &status, 0), starter);
  EXPECT_EQ(run_in_foreground("sh", {"-c", wait_for_it, ended}), 0);
}

TEST_F(Process, ItsProcessorTimeIsAccounted) {
  const process_request dd{"/bin/dd", {"if=/dev/zero", "of=/dev/null", "bs=256M", "count=1"}};
  static_cast<void>(runner().run(dd));  // No part of that of the next.
  const usage before = usage_of_children();
  const process_result busy = runner().run(dd);
  EXPECT_GT(busy.cpu_seconds, 0.0);
  EXPECT_DOUBLE_EQ(busy.cpu_seconds, (usage_of_children() - before).cpu_seconds());
}

}  // namespace
}  // namespace stealbench::system
