// Output that cannot be written: said with its path and cause, and nothing finished is lost.
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bench/driver/end_to_end/driver_fixture.hpp"
#include "bench/driver/end_to_end/planted_fixture.hpp"
#include "results/system/usage.hpp"
#include "schedulers/operating_system/thread.hpp"

namespace stealbench::end_to_end {
namespace {

namespace fs = std::filesystem;

/// As the system says it of /dev/full, which acts as a full disk: root may write everywhere.
const std::string no_space = "No space left on device";

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Output : public driver_fixture {
 protected:
  Output() { use_planted_schedulers(); }

  /// The scheduler does this before its second process says anything.
  void plant_with_accident(const std::string& accident) const {
    plant("stealbench-serial", R"(cd "${0%/*}"; echo >> calls
if [ $(wc -l < calls) = 2 ]; then )" +
                                   accident + "; fi\n" + well_behaved());
  }

  [[nodiscard]] std::vector<std::string> arguments(const std::string& rounds = "3") const {
    return {"compare",  "--workloads", "fib",      "--workers",      "1",
            "--rounds", rounds,        "--output", output().string()};
  }

  [[nodiscard]] static std::string command_of(const std::vector<std::string>& arguments) {
    std::string command = "'" STEALBENCH_DRIVER "'";
    for (const std::string& each : arguments) command += " " + each;
    return command;
  }

  void expect_refusal_before_any_process(const fs::path& folder, const std::string& cause) const {
    plant("stealbench-serial", ": > \"$0.ran\"\n" + well_behaved());
    expect_refusal({"compare", "--output", folder.string()},
                   {"output folder '" + folder.string() + "'", cause, "valid: "});
    EXPECT_FALSE(fs::exists(this->folder() / "stealbench-serial.ran"));
  }
};

TEST_F(Output, AFolderThatCannotBeMadeIsRefused) {
  expect_refusal_before_any_process(plant("file", "") / "below", "Not a directory");
}

TEST_F(Output, AFolderThatCannotBeWrittenIsRefused) {
  // Not even root can make a file there.
  expect_refusal_before_any_process("/proc/self/task", "");
}

TEST_F(Output, AFullDiskIsFoundBeforeAnyCellIsRun) {
  fs::create_directories(output());
  fs::create_symlink("/dev/full", output() / ".compare.jsonl.new");
  expect_refusal_before_any_process(output(), no_space);
}

// A file that may not grow: the driver is given a limit, and the signal that comes with it ignored.
TEST_F(Output, ADiskThatBecomesFullLosesNothingThatIsFinished) {
  plant("stealbench-serial", well_behaved());
  std::string command = "trap '' XFSZ; ulimit -f 16; exec '" STEALBENCH_DRIVER "'";
  for (const std::string& each : arguments("40")) command += " " + each;
  const process_result stopped = call_shell(command);
  EXPECT_EQ(stopped.how, ending::exited);
  EXPECT_EQ(stopped.status, 1);
  EXPECT_TRUE(contains(stopped.errors, "cannot write " + raw_file().string() + ": File too large"))
      << stopped.errors;
  EXPECT_TRUE(contains(stopped.errors, STEALBENCH_DRIVER " compare --resume --output"))
      << stopped.errors;
  EXPECT_FALSE(fs::exists(output() / "compare.md"));
  const std::string before = text_of(raw_file());
  EXPECT_EQ(before.size(), 16U * 512) << "the last line is torn";
  EXPECT_NE(before.back(), '\n');

  const process_result resumed = drive({"compare", "--resume", "--output", output().string()});
  EXPECT_EQ(resumed.status, 0) << resumed.errors;
  EXPECT_EQ(data().cells()[0].samples.size(), 40U);
  const std::string whole = before.substr(0, before.rfind('\n') + 1);
  EXPECT_EQ(text_of(raw_file()).substr(0, whole.size()), whole) << "nothing was measured again";
}

TEST_F(Output, ADiskThatIsFullAtTheTablesLosesNothing) {
  plant_with_accident("ln -s /dev/full results/.compare.md.new");
  const process_result stopped = drive(arguments());
  EXPECT_EQ(stopped.status, 1);
  EXPECT_TRUE(contains(stopped.errors,
                       "cannot write " + (output() / "compare.md").string() + ": " + no_space))
      << stopped.errors;
  EXPECT_TRUE(contains(stopped.errors, "stealbench report " + output().string()));
  EXPECT_TRUE(data().is_finished());
  EXPECT_EQ(drive({"report", output().string()}).status, 0);
  EXPECT_TRUE(contains(text_of(output() / "compare.md"), "## Provenance"));
}

TEST_F(Output, AFolderThatIsTakenAwayStopsTheExperiment) {
  const char* const replaced = "(cd results; echo > new; mv new compare.jsonl)";
  for (const char* const accident :
       {"mv results kept; : > results", "mv results kept", "rm -r results",
        "rm -r results; mkdir results", "rm results/compare.jsonl", replaced}) {
    SCOPED_TRACE(accident);
    fs::remove_all(output());
    fs::remove_all(folder() / "kept");
    fs::remove(folder() / "calls");
    plant_with_accident(accident);
    const process_result stopped = drive(arguments());
    EXPECT_EQ(stopped.how, ending::exited);
    EXPECT_EQ(stopped.status, 1);
    EXPECT_TRUE(contains(stopped.errors, "moved, deleted or replaced")) << stopped.errors;
    EXPECT_FALSE(contains(stopped.errors, "saved in")) << stopped.errors;
    EXPECT_FALSE(contains(stopped.errors, "All measurements are saved")) << stopped.errors;
    EXPECT_EQ(count_of("\n", text_of(folder() / "calls")), 2U) << "no other process was started";
  }
}

// What the cells say comes through a pipe, and nothing in the folder can grow.
TEST_F(Output, ADiskThatBecomesFullMakesNoCellFail) {
  plant_with_accident("prlimit --pid $PPID --fsize=$(wc -c < results/compare.jsonl):");
  const process_result stopped = drive(arguments("40"));
  EXPECT_EQ(stopped.status, 1);
  EXPECT_TRUE(contains(stopped.errors, "cannot write " + raw_file().string())) << stopped.errors;
  EXPECT_FALSE(contains(stopped.errors, "DNF")) << stopped.errors;
  const process_result resumed = drive({"compare", "--resume", "--output", output().string()});
  EXPECT_EQ(resumed.status, 0) << resumed.errors;
  EXPECT_EQ(data().cells()[0].samples.size(), 40U);
}

// Each of the limits that keep a process from being started.
TEST_F(Output, AMachineThatStartsNoFurtherProcessStopsTheExperiment) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "UndefinedBehaviorSanitizer opens a pipe to read an object's type";
#endif
  plant_with_accident("prlimit --pid $PPID --nofile=3:");
  const process_result stopped = drive(arguments());
  EXPECT_EQ(stopped.how, ending::exited);
  EXPECT_EQ(stopped.status, 1);
  EXPECT_TRUE(contains(stopped.errors, "cannot start")) << stopped.errors;
  EXPECT_TRUE(contains(stopped.errors, "compare --resume --output")) << stopped.errors;
  EXPECT_FALSE(contains(stopped.errors, "DNF")) << stopped.errors;
  EXPECT_EQ(drive({"compare", "--resume", "--output", output().string()}).status, 0);
  EXPECT_EQ(data().cells()[0].samples.size(), 3U);
}

TEST_F(Output, ACountingRunThatTheMachineDoesNotStartIsNoFailure) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "UndefinedBehaviorSanitizer opens a pipe to read an object's type";
#endif
  plant("stealbench-work-stealing", R"(cd "${0%/*}"; echo >> calls
[ $(wc -l < calls) != 2 ] || prlimit --pid $PPID --nofile=3:
)" + taking("1000"));
  const process_result stopped =
      drive({"compare", "--workloads", "fib", "--schedulers", "work-stealing", "--workers", "1,2",
             "--rounds", "1", "--output", output().string()});
  EXPECT_EQ(stopped.status, 1);
  EXPECT_TRUE(contains(stopped.errors, "cannot start")) << stopped.errors;
  EXPECT_FALSE(contains(stopped.errors, "DNF")) << stopped.errors;
  EXPECT_EQ(process_count(), 2U);
  EXPECT_TRUE(lines_of_type("counters").empty());
}

TEST_F(Output, AFileThatIsNotOfThisExperimentIsKept) {
  for (const char* const name : {"compare.jsonl", "compare.md", "compare.csv", "report.html"}) {
    fs::remove_all(output());
    fs::create_directories(output());
    std::ofstream(output() / name) << "mine\n";
    expect_refusal_before_any_process(output(), name);
    EXPECT_EQ(text_of(output() / name), "mine\n");
  }
  plant("stealbench-serial", well_behaved());
  std::vector<std::string> replacing = arguments();
  replacing.emplace_back("--overwrite");
  EXPECT_EQ(drive(replacing).status, 0);
}

TEST_F(Output, ADamagedFileOfAnotherExperimentIsFoundBeforeAnyCellIsRun) {
  plant("stealbench-serial", ": > \"$0.ran\"\n" + well_behaved());
  fs::create_directories(output());
  std::ofstream(output() / "micro.jsonl") << "garbage\n";
  expect_refusal(arguments(), {"micro.jsonl", "valid: "});
  EXPECT_FALSE(fs::exists(folder() / "stealbench-serial.ran"));
}

TEST_F(Output, AReportIsWrittenOverRegularFilesAlone) {
  plant("stealbench-serial", well_behaved());
  ASSERT_EQ(drive(arguments()).status, 0);
  for (const char* const name : {"compare.md", "compare.csv", "report.html"}) {
    fs::remove(output() / name);
    ASSERT_EQ(call_shell("mkfifo " + (output() / name).string()).status, 0);
    const process_result refused = drive({"report", output().string()});
    EXPECT_EQ(refused.status, 2) << refused.errors;
    EXPECT_TRUE(contains(refused.errors, "not a regular file")) << refused.errors;
    EXPECT_TRUE(fs::is_fifo(output() / name));
    fs::remove(output() / name);
  }
}

/// Two workers that both have work, and one processor.
TEST_F(Output, OneProcessorForTwoWorkersIsSaidInTheRawFileTheTableAndTheVerdict) {
  if (!is_built("work-stealing")) GTEST_SKIP() << "work-stealing is not built";
  if (!system::waited_seconds()) GTEST_SKIP() << "this kernel does not say how long threads wait";
  unsetenv("STEALBENCH_BIN_DIR");
  const process_result result =
      call_shell("exec taskset -c " + std::to_string(operating_system::processor_of(0)) + " " +
                 command_of({"compare", "--workloads", "fib", "--size", "small", "--schedulers",
                             "work-stealing", "--workers", "2", "--rounds", "2", "--output",
                             output().string()}));
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(contains(result.errors, "the process may use 1")) << result.errors;
  EXPECT_TRUE(contains(result.errors, "processors: 1 benchmark waited")) << result.errors;
  EXPECT_TRUE(contains(result.output, "1 of 1 benchmark waited for a processor")) << result.output;
  EXPECT_TRUE(contains(result.output, "] (waited)")) << result.output;
  for (const json& each : lines_of_type("process")) {
    const double waiting = each["benchmark"]["waiting_threads"];
    EXPECT_TRUE(waiting > 0.2 && waiting <= 2) << each;
  }
  EXPECT_TRUE(contains(text_of(output() / "compare.csv"), "waiting_threads"));
}

TEST_F(Output, IsOneJsonObjectForEachSchedulerIfAsked) {
  for (const char* const name : {"serial", "onetbb", "rayon"}) {
    plant(std::string("stealbench-") + name, taking(name[0] == 's' ? "3000000" : "1000000"));
  }
  const process_result result =
      drive({"compare", "--workloads", "fib", "--schedulers", "serial,onetbb,rayon", "--workers",
             "2", "--rounds", "6", "--json", "--output", output().string()});
  ASSERT_EQ(result.status, 0) << result.errors;
  const std::vector<json> all = json_lines(result.output);
  ASSERT_EQ(all.size(), 3U) << result.output;
  EXPECT_EQ(all[0]["scheduler"], "serial");
  EXPECT_EQ(all[0]["simulated"], false);
  EXPECT_EQ(all[0]["rounds"], 6);
  const json& regret = all[0]["regret"][0];
  EXPECT_EQ(regret["workers"], 2);
  EXPECT_DOUBLE_EQ(regret["mean"], 3);
  EXPECT_DOUBLE_EQ(regret["worst"], 3);
  EXPECT_EQ(regret["worst_on"], "fib n=35");
  EXPECT_EQ(all[1]["regret"][0]["leads"], true);
  EXPECT_EQ(all[1]["regret"][0]["worst"], nullptr);
  EXPECT_TRUE(fs::exists(output() / "report.html"));
}

TEST_F(Output, AStandardStreamThatIsClosedIsNotTakenForAFile) {
  plant("stealbench-serial", well_behaved());
  for (const char* const closed : {">&-", "2>&-", "<&-", "<&- >&- 2>&-"}) {
    fs::remove_all(output());
    const process_result result = call_shell(command_of(arguments()) + " " + closed);
    EXPECT_EQ(result.how, ending::exited);
    const bool is_output_closed = contains(closed, " >&-") || closed == std::string(">&-");
    EXPECT_EQ(result.status, is_output_closed ? 1 : 0) << closed << '\n' << result.errors;
    EXPECT_TRUE(data().is_finished()) << closed;
    EXPECT_EQ(process_count(), 3U) << closed;
    for (const json& each : lines_of_type("process"))
      EXPECT_FALSE(each.contains("failure")) << each;
  }
}

TEST_F(Output, TheCommandThatGoesOnIsOneThatAShellTakes) {
  const fs::path awkward = folder() / "it's a\nresult";
  plant_with_accident("kill -TERM $PPID; sleep 600");
  std::vector<std::string> awkward_arguments = arguments();
  awkward_arguments.back() = awkward.string();
  const fs::path driver = folder() / "the driver";
  fs::create_symlink(STEALBENCH_DRIVER, driver);
  const process_result stopped = run_program(driver, awkward_arguments);
  EXPECT_EQ(stopped.status, 143);
  const std::size_t at = stopped.errors.find("\n  '");
  ASSERT_NE(at, std::string::npos) << stopped.errors;
  fs::create_symlink("/dev/full", awkward / ".compare.md.new");
  const process_result resumed = call_shell(stopped.errors.substr(at));
  EXPECT_EQ(resumed.status, 1) << resumed.errors;
  EXPECT_TRUE(dataset::read_file(awkward / "compare.jsonl").data.is_finished());
  const std::size_t command = resumed.errors.find("\n  '");
  const std::size_t end = resumed.errors.find("\nstealbench: cannot write");
  ASSERT_LT(command, end) << resumed.errors;
  const process_result report = call_shell(resumed.errors.substr(command, end - command));
  EXPECT_EQ(report.status, 0) << report.errors;
  EXPECT_TRUE(fs::exists(awkward / "compare.md"));
}

TEST_F(Output, AStandardOutputThatCannotBeWrittenIsSaidAndTheFilesAreWhole) {
  plant("stealbench-serial", well_behaved());
  std::string command = STEALBENCH_DRIVER;
  for (const std::string& each : arguments()) command += " " + each;
  const process_result result = call_shell(command + " > /dev/full");
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.errors.find("cannot write the standard output: " + no_space), std::string::npos)
      << result.errors;
  EXPECT_TRUE(data().is_finished());
  EXPECT_TRUE(fs::exists(output() / "compare.md"));
  for (const char* const asked : {" --help", " --version", " compare --help"}) {
    const process_result help = call_shell(STEALBENCH_DRIVER + std::string(asked) + " > /dev/full");
    EXPECT_EQ(help.status, 1) << asked;
    EXPECT_TRUE(contains(help.errors, "cannot write the standard output: " + no_space)) << asked;
  }
}

TEST_F(Output, OfABenchmarkThatCannotBeWrittenIsSaid) {
  if (!is_built("serial")) GTEST_SKIP() << "serial is not built";
  const std::string program = fs::path(STEALBENCH_DRIVER).parent_path() / "stealbench-serial";
  for (const char* const asked : {"--help", "--workload fib --size test --workers 1 --once"}) {
    const process_result result = call_shell("'" + program + "' " + asked + " > /dev/full");
    EXPECT_EQ(result.status, 1) << asked;
    EXPECT_TRUE(contains(result.errors, "cannot write the standard output: " + no_space)) << asked;
  }
}

}  // namespace
}  // namespace stealbench::end_to_end
