// Output that cannot be written: said with its path and cause, and nothing finished is lost.
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "bench/compare/driver_fixture.hpp"
#include "bench/compare/planted.hpp"

namespace stealbench::compare {
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

  [[nodiscard]] std::vector<std::string> arguments() const {
    return {"compare",  "--workloads", "fib",      "--workers",      "1",
            "--rounds", "3",           "--output", output().string()};
  }

  /// It stops with this message, and goes on when the cause is gone.
  void expect_stop(const std::string& message, std::size_t entries) const {
    const process_result stopped = drive(arguments());
    EXPECT_EQ(stopped.how, ending::exited);
    EXPECT_EQ(stopped.status, 1);
    EXPECT_NE(stopped.errors.find(message), std::string::npos) << stopped.errors;
    EXPECT_NE(stopped.errors.find("--resume"), std::string::npos) << stopped.errors;
    EXPECT_EQ(comparison()["benchmarks"].size(), entries);
    EXPECT_FALSE(fs::exists(output() / "comparison.md"));

    const process_result resumed = drive({"compare", "--resume", "--output", output().string()});
    EXPECT_EQ(resumed.status, 0) << resumed.errors;
    EXPECT_EQ(comparison()["benchmarks"].size(), 3U);
    EXPECT_NE(text_of(output() / "comparison.md").find("## Provenance"), std::string::npos);
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
  fs::create_symlink("/dev/full", output() / ".comparison.json.new");
  expect_refusal_before_any_process(output(), no_space);
}

TEST_F(Output, ADiskThatBecomesFullLosesNothingThatIsFinished) {
  plant_with_accident("ln -s /dev/full results/.comparison.json.new");
  expect_stop("cannot write " + (output() / "comparison.json").string() + ": " + no_space, 1);
}

TEST_F(Output, ADiskThatIsFullAtTheTablesLosesNothing) {
  plant_with_accident("ln -s /dev/full results/.comparison.md.new");
  expect_stop("cannot write " + (output() / "comparison.md").string() + ": " + no_space, 3);
}

TEST_F(Output, AFolderThatIsTakenAwayIsSaid) {
  plant_with_accident("mv results kept; : > results");
  const process_result stopped = drive(arguments());
  EXPECT_EQ(stopped.status, 1);
  EXPECT_NE(stopped.errors.find("cannot write " + (output() / "comparison.json").string() +
                                ": Not a directory"),
            std::string::npos)
      << stopped.errors;
  EXPECT_NE(text_of(folder() / "kept" / "comparison.json").find("fib/serial"), std::string::npos);
}

TEST_F(Output, AStandardOutputThatCannotBeWrittenIsSaidAndTheFilesAreWhole) {
  plant("stealbench-serial", well_behaved());
  std::string command = STEALBENCH_DRIVER;
  for (const std::string& each : arguments()) command += " " + each;
  const process_result result = call_shell(command + " > /dev/full");
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.errors.find("cannot write the standard output: " + no_space), std::string::npos)
      << result.errors;
  EXPECT_EQ(comparison()["context"]["finished"], true);
  EXPECT_TRUE(fs::exists(output() / "comparison.md"));
}

}  // namespace
}  // namespace stealbench::compare
