// Output that cannot be written: said with its path and cause, and nothing finished is lost.
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bench/driver/end_to_end/driver_fixture.hpp"
#include "bench/driver/end_to_end/planted.hpp"

namespace stealbench::end_to_end {
namespace {

namespace fs = std::filesystem;

/// As the system says it of /dev/full, which stands for a full disk: root may write everywhere.
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

  void expect_refusal_before_any_process(const fs::path& folder, const std::string& cause) const {
    plant("stealbench-serial", ": > \"$0.ran\"\n" + well_behaved());
    expect_refusal({"compare", "--output", folder.string()},
                   {"output folder '" + folder.string() + "'", cause, "valid: a folder"});
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
  EXPECT_TRUE(contains(stopped.errors, "compare --resume --output")) << stopped.errors;
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

TEST_F(Output, AFolderThatIsTakenAwayIsSaid) {
  plant_with_accident("mv results kept; : > results");
  const process_result stopped = drive(arguments());
  EXPECT_EQ(stopped.status, 2);
  EXPECT_TRUE(contains(stopped.errors, "stealbench report " + output().string()));
  EXPECT_TRUE(contains(text_of(folder() / "kept" / "compare.jsonl"), "\"type\":\"finished\""));
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
}

}  // namespace
}  // namespace stealbench::end_to_end
