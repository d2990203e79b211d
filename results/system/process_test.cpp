#include "results/system/process.hpp"

#include <cerrno>
#include <string>
#include <system_error>

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "results/system/scratch_folder.hpp"

namespace stealbench::system {
namespace {

using std::chrono::milliseconds;

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Process : public scratch_folder {
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

TEST_F(Process, OneThatNeverStopsWritingIsKilledAtTheDeadline) {
  process_request request{"/bin/sh", {"-c", "while :; do echo yes; done"}, milliseconds(300)};
  request.most_output_bytes = 100;
  const process_result result = runner().run(request);
  EXPECT_EQ(result.how, ending::timed_out);
  EXPECT_EQ(result.output.size(), 100U);
  EXPECT_TRUE(result.output_was_cut);
}

TEST_F(Process, OutputUpToTheLimitIsNotCut) {
  process_request request{"/bin/echo", {"-n", "12345"}};
  request.most_output_bytes = 5;
  const process_result result = runner().run(request);
  EXPECT_EQ(result.output, "12345");
  EXPECT_FALSE(result.output_was_cut);
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
  try {
    static_cast<void>(run("kill -INT $PPID; sleep 1000"));
    FAIL() << "nothing was thrown";
  } catch (const interrupted& interruption) {
    EXPECT_EQ(interruption.signal(), SIGINT);
  }
}

TEST_F(Process, AProgramThatIsNotThereCannotBeStarted) {
  try {
    static_cast<void>(runner().run({folder() / "missing", {}}));
    FAIL() << "nothing was thrown";
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code().value(), ENOENT);
  }
}

TEST_F(Process, ItsProcessorTimeIsAccounted) {
  const process_result busy =
      runner().run({"/bin/dd", {"if=/dev/zero", "of=/dev/null", "bs=256M", "count=1"}});
  EXPECT_GT(busy.cpu_seconds, 0.0);
}

}  // namespace
}  // namespace stealbench::system
