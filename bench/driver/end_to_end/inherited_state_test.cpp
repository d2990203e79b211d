// The driver and the benchmarks in the hands of a parent that leaves them an odd state.
#include <chrono>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <sys/prctl.h>

#include "bench/driver/end_to_end/driver_fixture.hpp"
#include "bench/driver/end_to_end/planted_fixture.hpp"

namespace stealbench::end_to_end {
namespace {

namespace fs = std::filesystem;

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class InheritedState : public driver_fixture {
 protected:
  InheritedState() {
    use_planted_schedulers();
    plant("stealbench-serial", well_behaved());
  }

  /// A comparison of one benchmark, as part of this command of a shell.
  [[nodiscard]] process_result compare_after(const std::string& beginning,
                                             const std::string& end = "") const {
    fs::remove_all(output());
    return bounded(beginning +
                   " '" STEALBENCH_DRIVER
                   "' compare --workloads fib --schedulers serial --workers 1 --rounds 2 "
                   "--timeout 1 --output '" +
                   output().string() + "' " + end);
  }

  /// One that hangs is a failure.
  [[nodiscard]] process_result bounded(const std::string& command) const {
    return runner_.run({"/bin/sh", {"-c", command}, std::chrono::seconds(30)});
  }

  [[nodiscard]] static std::string built(const std::string& name) {
    return "'" + (fs::path(STEALBENCH_DRIVER).parent_path() / name).string() + "'";
  }

 private:
  mutable system::process_runner runner_;
};

const std::vector<std::string> parents{"env --block-signal", "env --block-signal=CHLD",
                                       "env --ignore-signal=CHLD", "env --ignore-signal=ALRM,PIPE",
                                       "env --block-signal=CHLD --ignore-signal=CHLD"};

TEST_F(InheritedState, SignalsThatAreBlockedOrIgnoredHideNoEnd) {
  for (const std::string& parent : parents) {
    const process_result result = compare_after(parent);
    EXPECT_EQ(result.how, ending::exited) << parent;
    EXPECT_EQ(result.status, 0) << parent << '\n' << result.errors;
    EXPECT_EQ(bounded(parent + " '" STEALBENCH_DRIVER "' list").status, 0) << parent;
  }
}

TEST_F(InheritedState, SignalsThatAreBlockedOrIgnoredStopNoDeadline) {
  plant("stealbench-serial", "sleep 600");
  for (const std::string& parent : parents) {
    const process_result result = compare_after(parent);
    EXPECT_EQ(result.how, ending::exited) << parent;
    EXPECT_TRUE(contains(result.output, "timed out after 1 s")) << parent << '\n' << result.output;
  }
}

TEST_F(InheritedState, SignalsThatAreBlockedStillInterrupt) {
  for (const auto& [name, status] : {std::pair{"TERM", 143}, {"INT", 130}, {"HUP", 129}}) {
    plant("stealbench-serial", std::string("kill -") + name + " $PPID; sleep 600");
    const process_result result = compare_after("env --block-signal");
    EXPECT_EQ(result.how, ending::exited) << name;
    EXPECT_EQ(result.status, status) << result.errors;
  }
}

TEST_F(InheritedState, WhatIsIgnoredBecauseTheUserLeavesIsIgnored) {
  plant("stealbench-serial", "kill -HUP $PPID\n" + well_behaved());
  EXPECT_EQ(compare_after("nohup").status, 0);
}

TEST_F(InheritedState, ABenchmarkBeginsWithNoSignalBlockedOrIgnored) {
  plant("stealbench-serial",
        "grep -E '^Sig(Blk|Ign)' /proc/self/status > \"$0.signals\"\n" + well_behaved());
  ASSERT_EQ(compare_after("env --block-signal --ignore-signal=USR1,CHLD,ALRM,PIPE").status, 0);
  // But for the growth of files beyond a limit, signal 25.
  EXPECT_EQ(text_of(folder() / "stealbench-serial.signals"),
            "SigBlk:\t0000000000000000\nSigIgn:\t0000000001000000\n");
}

TEST_F(InheritedState, ABenchmarkThatIsStartedByHandBeginsSoToo) {
  if (!is_built("serial")) GTEST_SKIP() << "serial is not built";
  const std::string file = (folder() / "values").string();
  const process_result result = bounded(
      "umask 777; exec env --block-signal --ignore-signal=CHLD " + built("stealbench-serial") +
      " --workload fib --size test --workers 1 --benchmark_out='" + file + "'");
  EXPECT_EQ(result.how, ending::exited);
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(InheritedState, FilesBelongToTheirOwnerWhateverTheUmask) {
  ASSERT_EQ(compare_after("umask 777; exec").status, 0);
  for (const fs::path& each : {output(), raw_file(), output() / "compare.md"}) {
    const fs::perms own = fs::status(each).permissions();
    EXPECT_EQ(own & fs::perms::owner_read, fs::perms::owner_read) << each;
    EXPECT_EQ(own & fs::perms::owner_write, fs::perms::owner_write) << each;
    EXPECT_EQ(own & (fs::perms::group_all | fs::perms::others_all), fs::perms::none) << each;
  }
}

TEST_F(InheritedState, TimersHaveTheUsualSlack) {
  plant("stealbench-serial", "cat /proc/self/timerslack_ns > \"$0.slack\"\n" + well_behaved());
  prctl(PR_SET_TIMERSLACK, 1'000'000'000UL);
  const process_result result = compare_after("");
  prctl(PR_SET_TIMERSLACK, 50'000UL);
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(text_of(folder() / "stealbench-serial.slack"), "50000\n");
}

TEST_F(InheritedState, ADumbTerminalIsSentNoEscapeSequences) {
  const auto shown_on = [&](const std::string& terminal) {
    return compare_after("script -qec \"" + terminal, "\" /dev/null").output;
  };
  EXPECT_TRUE(contains(shown_on("env -u NO_COLOR TERM=xterm"), "\x1b[")) << "the test can see one";
  for (const char* const dumb : {"env TERM=dumb", "env -u TERM", "env TERM="}) {
    const std::string shown = shown_on(dumb);
    EXPECT_TRUE(contains(shown, "fib")) << shown;
    EXPECT_FALSE(contains(shown, "\x1b")) << dumb << '\n' << shown;
  }
}

TEST_F(InheritedState, ABenchmarkKnowsNoColorToo) {
  if (!is_built("serial")) GTEST_SKIP() << "serial is not built";
  const auto shown = [&](const std::string& variable) {
    return bounded("script -qec \"env " + variable + " TERM=xterm " + built("stealbench-serial") +
                   " --workload fib --size test --workers 1\" /dev/null")
        .output;
  };
  EXPECT_TRUE(contains(shown("-u NO_COLOR"), "\x1b["));
  EXPECT_FALSE(contains(shown("NO_COLOR=1"), "\x1b["));
}

TEST_F(InheritedState, AnOutputThatDoesNotBlockIsWrittenWhole) {
  const std::string list = "'" STEALBENCH_DRIVER "' list --json";
  const std::string all = bounded(list).output;
  ASSERT_GT(all.size(), 4096U);
  // The pipe has room for a page, and its reader is late.
  const std::string odd =
      "python3 -c 'import fcntl, os, sys; fcntl.fcntl(1, 1031, 4096); os.set_blocking(1, False); "
      "os.execv(sys.argv[1], sys.argv[1:])' ";
  EXPECT_TRUE(bounded("{ " + odd + list + "; } | { sleep 1; cat; }").output == all);
}

TEST_F(InheritedState, FlagsOfGoogleBenchmarkInTheEnvironmentAreNotOurs) {
  if (!is_built("serial")) GTEST_SKIP() << "serial is not built";
  unsetenv("STEALBENCH_BIN_DIR");
  const process_result result =
      compare_after("env BENCHMARK_FILTER=nothing BENCHMARK_REPETITIONS=2 BENCHMARK_FORMAT=console",
                    "--size test");
  EXPECT_EQ(result.status, 0) << result.output;
}

}  // namespace
}  // namespace stealbench::end_to_end
