// Cells that fail, planted as shell scripts: each is a row with its reason, and the others go on.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bench/driver/end_to_end/driver_fixture.hpp"
#include "bench/driver/end_to_end/planted_fixture.hpp"

namespace stealbench::end_to_end {
namespace {

const std::string wrong_answer =
    find_file + "if [ $once ]; then echo '" + once_report("false", "null") + R"('
else echo '{"context":{},"benchmarks":[{"name":"x","error_occurred":true,
"error_message":"wrong answer","real_time":0.0,"time_unit":"ms"}]}' > "$file"; fi; exit 1)";

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Failure : public driver_fixture {
 protected:
  Failure() { use_planted_schedulers(); }

  /// Runs one cell each of `serial`, which is well-behaved, and of `openmp`, which does this.
  process_result compare_with(const std::string& misbehaviour) const {
    plant("stealbench-serial", well_behaved());
    plant("stealbench-openmp", misbehaviour);
    return drive({"compare", "--workloads", "fib", "--workers", "1", "--rounds", "2", "--timeout",
                  "1", "--output", output().string()});
  }

  /// The failed cell is a row with its reason and was run once; the other one has both its rounds.
  void expect_row(const process_result& result, const std::string& reason) const {
    EXPECT_EQ(result.status, 1);
    const std::string name = "DNF fib/openmp/n:35/workers:1";
    EXPECT_NE(result.output.find(name + ": " + reason), std::string::npos) << result.output;
    EXPECT_NE(text_of(output() / "compare.md").find("**" + name + "**: " + reason),
              std::string::npos);
    std::size_t finished = 0;
    std::size_t failed = 0;
    for (const json& each : lines_of_type("process")) {
      const bool has_failed = each.contains("failure");
      EXPECT_EQ(each["cell"],
                has_failed ? "fib/openmp/n:35/workers:1" : "fib/serial/n:35/workers:1");
      ++(has_failed ? failed : finished);
    }
    EXPECT_EQ(finished, 2U);
    EXPECT_EQ(failed, 1U);
  }
};

TEST_F(Failure, ACrashIsARow) {
  expect_row(compare_with("kill -SEGV $$"), "ended by signal 11 (Segmentation fault)");
}

TEST_F(Failure, OneThatIsKilledIsARow) {  // As the kernel does when memory runs out.
  expect_row(compare_with("kill -KILL $$"), "ended by signal 9 (Killed)");
}

TEST_F(Failure, OneThatHangsIsARow) {
  expect_row(compare_with("sleep 600"), "timed out after 1 s");
}

TEST_F(Failure, AWrongAnswerIsARow) { expect_row(compare_with(wrong_answer), "wrong answer"); }

TEST_F(Failure, GarbageIsARow) {
  expect_row(compare_with(find_file + "echo '{\"bench' > \"$file\""), "unreadable output");
}

TEST_F(Failure, OneThatHangsAndDoesNotListenIsARow) {
  expect_row(compare_with("trap '' TERM INT HUP\nwhile :; do sleep 1; done"),
             "timed out after 1 s");
}

TEST_F(Failure, OneThatNeverStopsTalkingIsARow) {
  expect_row(compare_with("while :; do echo talk; echo talk >&2; done"), "timed out after 1 s");
}

TEST_F(Failure, JsonThatIsNoMeasurementIsARow) {
  for (const char* const shape :
       {R"({"benchmarks":[{"real_time":"x"}]})", R"({"benchmarks":[]})", R"({"benchmarks":7})",
        R"({"benchmarks":[null]})", R"({"benchmarks":{"a":{}}})", "{}", "[1,2]", "null", "17"}) {
    SCOPED_TRACE(shape);
    expect_row(compare_with(find_file + "echo '" + shape + R"(' > "$file")"), "unreadable output");
  }
}

TEST_F(Failure, BytesThatAreNoTextAreARow) {
  expect_row(compare_with(find_file + R"(head -c 5000 /dev/urandom > "$file")"),
             "unreadable output");
}

TEST_F(Failure, LastWordsThatAreNoTextAreARow) {
  expect_row(compare_with(R"(printf 'bad \377\376 bytes | \033[31m\n' >&2; exit 3)"),
             "exit status 3: bad \xEF\xBF\xBD\xEF\xBF\xBD bytes");
}

TEST_F(Failure, AMeasurementWithAnExitStatusIsARow) {
  expect_row(compare_with(well_behaved() + "\nexit 3"), "exit status 3");
}

TEST_F(Failure, AMeasurementBeforeACrashIsARow) {
  expect_row(compare_with(well_behaved() + "\nkill -SEGV $$"), "ended by signal 11");
}

TEST_F(Failure, AnotherCellsMeasurementIsARow) {
  expect_row(compare_with(find_file + "name=fib/other/workers:1\n" +
                          well_behaved().substr(find_file.size())),
             "unreadable output");
}

TEST_F(Failure, WritingNothingIsARow) { expect_row(compare_with("exit 0"), "unreadable output"); }

TEST_F(Failure, AnExitStatusIsARowWithTheLastWords) {
  expect_row(compare_with("echo first >&2; echo out of cheese >&2; exit 3"),
             "exit status 3: out of cheese");
}

TEST_F(Failure, AProgramThatCannotBeStartedIsARow) {
  plant("stealbench-serial", well_behaved());
  const auto script = plant("stealbench-openmp", "");
  std::ofstream(script) << "#!/nowhere/at/all\n";
  expect_row(drive({"compare", "--workloads", "fib", "--workers", "1", "--rounds", "2", "--output",
                    output().string()}),
             "cannot start");
}

TEST_F(Failure, ACountingRunThatFailsIsARow) {
  plant("stealbench-serial", well_behaved());
  const std::vector<std::pair<std::string, std::string>> failures{
      {"kill -ABRT $$", "ended by signal 6 (Aborted)"},
      {"sleep 600", "timed out after 1 s"},
      {"exit 3", "exit status 3"},
      {"echo too large >&2; exit 2", "too large"},
      {"exit 0", "unreadable output"},
      {"echo '{\"workload\":'; exit 0", "unreadable output"},
      {"echo '[1]'; exit 0", "unreadable output"},
      {"echo '" + once_report("true", "7") + "'; exit 0", "unreadable output"},
      {"echo '" + once_report("false", "null") + "'; exit 1", "wrong answer"}};
  for (const auto& [failure, reason] : failures) {
    plant("stealbench-openmp",
          fmt::format("{}if [ $once ]; then {}; fi\n{}", find_file, failure, well_behaved()));
    const process_result result =
        drive({"compare", "--workloads", "fib", "--workers", "1", "--rounds", "1", "--timeout", "1",
               "--output", output().string()});
    EXPECT_EQ(result.status, 1) << failure;
    EXPECT_NE(result.output.find("workers:1: counting run: " + reason), std::string::npos)
        << failure << '\n'
        << result.output;
    EXPECT_NE(result.errors.find("1 of 2 benchmarks"), std::string::npos) << result.errors;
  }
}

TEST_F(Failure, CountersOfAGoodCellAreShown) {
  plant("stealbench-openmp", well_behaved(R"({"steals":54321})"));
  const process_result result = drive({"compare", "--workloads", "fib", "--workers", "1",
                                       "--rounds", "1", "--output", output().string()});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_NE(result.output.find("54,321"), std::string::npos) << result.output;
  EXPECT_EQ(data().cells()[0].counters["steals"], 54321);
}

TEST_F(Failure, AVariantThatDoesNotFinishIsDnfInTheAblation) {
  plant("stealbench-serial", well_behaved());
  plant("stealbench-work-stealing",
        find_file + "if [ \"$variant\" = :idle=spin ]; then exit 3; fi\n" + well_behaved());
  setenv("COLUMNS", "300", 1);  // A part of the table for all columns.
  const process_result result = drive({"compare", "--ablation", "--workloads", "fib", "--workers",
                                       "1", "--rounds", "1", "--output", output().string()});
  unsetenv("COLUMNS");
  EXPECT_EQ(result.status, 1);
  const std::string table = result.output.substr(result.output.find("ablation,"));
  const auto last_of_row = [&](const std::string& name) {
    const std::size_t at = table.find("\n" + name + " ") + 1;
    const std::string line = table.substr(at, table.find('\n', at) - at);
    return line.substr(line.find_last_of(' ') + 1);
  };
  EXPECT_EQ(last_of_row("work-stealing:idle=spin"), "DNF") << table;
  EXPECT_EQ(last_of_row("work-stealing:deque=locked"), "1.00]") << table;
}

TEST_F(Failure, AnInterruptKeepsWhatWasMeasured) {
  // The second process that is started asks its parent, the driver, to stop.
  plant("stealbench-serial",
        "if [ -e \"$0.ran\" ]; then kill -TERM $PPID; sleep 600; fi\n"
        ": > \"$0.ran\"\n" +
            well_behaved());
  const process_result result = drive({"compare", "--workloads", "fib", "--workers", "1",
                                       "--rounds", "3", "--output", output().string()});
  EXPECT_EQ(result.how, ending::exited);
  EXPECT_EQ(result.status, 143);
  EXPECT_NE(result.errors.find("compare.jsonl"), std::string::npos) << result.errors;
  EXPECT_NE(result.errors.find("compare --resume --output " + output().string()), std::string::npos)
      << result.errors;
  EXPECT_EQ(process_count(), 1U);
}

TEST_F(Failure, BadInputIsFoundBeforeAnyCellIsRun) {
  plant("stealbench-serial", ": > \"$0.ran\"\n" + well_behaved());
  EXPECT_EQ(
      drive({"compare", "--schedulers", "serial,openmp", "--output", output().string()}).status, 2);
  EXPECT_FALSE(std::filesystem::exists(folder() / "stealbench-serial.ran"));
  EXPECT_FALSE(std::filesystem::exists(output()));
}

TEST_F(Failure, AComparisonNeedsNoFolderForTemporaryFiles) {
  plant("stealbench-serial", well_behaved());
  const process_result result =
      run_program("/usr/bin/env", {"TMPDIR=/nowhere/at/all", STEALBENCH_DRIVER, "compare",
                                   "--workloads", "fib", "--schedulers", "serial", "--workers", "1",
                                   "--rounds", "1", "--output", output().string()});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(process_count(), 1U);
}

TEST_F(Failure, WithoutProcAComparisonSaysWhatIsNotKnownAndWhereItsProgramsAreToBeNamed) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer itself reads /proc";
#endif
  const auto without_proc = [this](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"--mount", "/bin/sh", "-c",
                                         R"(mount -t tmpfs none /proc && exec "$@")", "sh"});
    return run_program("/usr/bin/unshare", arguments);
  };
  if (without_proc({"true"}).status != 0) GTEST_SKIP() << "takes the rights of root";
  // /dev/stdout is a link into /proc.
  std::string script = well_behaved();
  const std::string to_file = R"( > "$file")";
  script.erase(script.find(to_file), to_file.size());
  plant("stealbench-serial", script);
  const std::vector<std::string> comparison{
      STEALBENCH_DRIVER, "compare", "--workloads", "fib", "--schedulers", "serial",
      "--workers",       "1",       "--rounds",    "1",   "--output",     output().string()};
  const process_result result = without_proc(comparison);
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(contains(result.errors, "the operating system does not report it: "));
  EXPECT_TRUE(contains(result.errors, "aslr, load, cpu limit, virtual machine")) << result.errors;
  EXPECT_TRUE(contains(result.errors, "steal time, processors")) << result.errors;
  unsetenv("STEALBENCH_BIN_DIR");
  const process_result lost = without_proc(comparison);
  EXPECT_EQ(lost.status, 1);
  EXPECT_TRUE(contains(lost.errors, "/proc/self/exe does not say where that is")) << lost.errors;
}

TEST_F(Failure, ASingleRunThatCrashesSaysSo) {
  plant("stealbench-serial", "kill -SEGV $$");
  const process_result result = drive({"run", "fib", "--scheduler", "serial"});
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.errors.find("ended by signal 11 (Segmentation fault)"), std::string::npos);
}

TEST_F(Failure, ASingleRunWithAWrongAnswerShowsItAndFails) {
  plant("stealbench-serial", wrong_answer);
  const process_result result = drive({"run", "fib", "--scheduler", "serial", "--json"});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(json::parse(result.output)["verified"], false);
  EXPECT_NE(result.errors.find("wrong answer"), std::string::npos);
  EXPECT_TRUE(contains(drive({"run", "fib", "--scheduler", "serial"}).output, "WRONG"));
}

TEST_F(Failure, ASingleRunShowsItsTimeIfItHasOneAndNoControlCharacter) {
  const auto shown_with = [&](const std::string& time) {
    plant("stealbench-serial",
          R"(printf '%s\n' '{"workload":"fib","scheduler":"s","workers":1,"parameters":{},)"
          R"("answer":"\u001b[31m","verified":true,"time_ns":)" +
              time + R"(,"counters":null}')");
    const process_result result = drive({"run", "fib", "--scheduler", "serial"});
    EXPECT_EQ(result.status, 0) << result.errors;
    EXPECT_FALSE(contains(result.output, "\x1b")) << result.output;
    return result.output;
  };
  EXPECT_TRUE(contains(shown_with("2500000"), "time      2.50 ms\n"));
  EXPECT_TRUE(contains(shown_with("null"), "time      unknown\n"));
}

TEST_F(Failure, ASingleRunThatRefusesItsInputIsRefused) {
  plant("stealbench-serial", "echo too large for this machine >&2; exit 2");
  const process_result result = drive({"run", "fib", "--scheduler", "serial"});
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.errors.find("too large for this machine"), std::string::npos);
}

}  // namespace
}  // namespace stealbench::end_to_end
