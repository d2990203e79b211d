// `stealbench grain` and `stealbench metg` as a user runs them, on schedulers that tests plant.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bench/driver/end_to_end/driver_fixture.hpp"
#include "bench/driver/end_to_end/planted_fixture.hpp"
#include "bench/driver/experiments/experiment.hpp"
#include "results/analysis/metg.hpp"
#include "results/sections/fixture.hpp"
#include "results/sections/sections.hpp"

namespace stealbench::end_to_end {
namespace {

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class SweepDriver : public driver_fixture {
 protected:
  SweepDriver() { use_planted_schedulers(); }
};

TEST_F(SweepDriver, FindsTheBestGrain) {
  plant("stealbench-serial", taking("100000000 / x + 100 * x"));
  const process_result result =
      drive({"grain", "mergesort", "--scheduler", "serial", "--workers", "2", "--size", "test",
             "--set", "keys=20000", "--grains", "16,64,256,1024,4096", "--rounds", "6", "--output",
             output().string()});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_NE(result.output.find("The best grain is 1,024"), std::string::npos) << result.output;

  const dataset::measurements read = data("grain");
  EXPECT_EQ(read.cells().size(), 5u);
  EXPECT_EQ(read.header()["about"],
            (json{{"parameter", "grain"}, {"greater", "coarser"}, {"unit", "size"}}));
  EXPECT_TRUE(read.is_finished());
  auto sections = experiments::sections_of(read);
  sections::name_machine(sections::machine_note(read), sections);
  const std::string written = text_of(output() / "grain.md");
  const std::string table =
      to_markdown(sections::table_in(sections, "mergesort keys=20000: grain"));
  EXPECT_TRUE(contains(written, table)) << "the file says the same:\n" << table;
}

TEST_F(SweepDriver, SweepsTheUsualGrains) {
  plant("stealbench-serial", taking("1000 + x"));
  const process_result result =
      drive({"grain", "nqueens", "--scheduler", "serial", "--workers", "1", "--set", "n=5",
             "--size", "test", "--rounds", "1", "--output", output().string()});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(data("grain").cells().size(), 6u) << "no queen to five";
}

TEST_F(SweepDriver, GoesOnWhereAGrainFails) {
  plant("stealbench-serial", "case \"$*\" in *grain=64*) exit 3 ;; esac" + taking("1000 + x"));
  const process_result result =
      drive({"grain", "mergesort", "--scheduler", "serial", "--workers", "1", "--size", "test",
             "--grains", "16,64", "--rounds", "1", "--output", output().string()});
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.output.find("DNF: exit status 3"), std::string::npos) << result.output;
}

TEST_F(SweepDriver, RefusesASweepThatCannotBe) {
  plant("stealbench-serial", taking("1000"));
  const auto refuses = [&](std::vector<std::string> arguments,
                           const std::vector<std::string>& parts) {
    arguments.insert(arguments.end(), {"--output", output().string()});
    expect_refusal(arguments, parts);
    EXPECT_FALSE(exists(output()));
  };
  refuses({"grain", "uts"}, {"WORKLOAD uts: must be one of ", "mergesort", "nqueens"});
  refuses({"grain", "nosuch"}, {"WORKLOAD nosuch: must be one of ", "mergesort"});
  refuses({"grain"}, {"WORKLOAD is required; valid: ", "mergesort"});
  refuses({"grain", "mergesort", "--scheduler", "serial", "--set", "grain=4"},
          {"--set grain=4: ", "varies grain, the grain size", "valid: --grains"});
  refuses({"grain", "mergesort", "--scheduler", "serial", "--grains", "1"},
          {"--grains grain=1: expected an integer between 2 and "});
  refuses({"grain", "mergesort", "--scheduler", "serial", "--grains", "16,x,64"},
          {"--grains grain=x: expected an integer"});
  refuses({"grain", "mergesort", "--scheduler", "nosuch"}, {"nosuch", "valid"});
  refuses({"grain", "mergesort", "--scheduler", "serial", "--workers", "0"},
          {"--workers 0: must be"});
  refuses({"metg", "--schedulers", "nosuch"}, {"nosuch", "valid"});
  refuses({"metg", "--workers", ""}, {"--workers '': must be an integer between 1 and 1024"});
  refuses({"metg", "--workers", ","}, {"--workers ,: an item of the list is empty"});
  refuses({"metg", "--rounds", "0"}, {"--rounds 0: must be between 1 and 1000"});
  refuses({"metg", "--budget", "soon"}, {"--budget soon: must be an integer between 1 and 86400"});
}

TEST_F(SweepDriver, MeasuresMetgDownToItsCrossing) {
  plant("stealbench-serial", "echo \"$*\" >> \"$0.arguments\"\n" + taking("512 * (x + 100)"));
  const process_result result =
      drive({"metg", "--workers", "1,2", "--rounds", "2", "--output", output().string()});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_NE(result.output.find("fork tree 90 %"), std::string::npos) << result.output;

  const dataset::measurements read = data("metg");
  unsigned least = ~0U;
  for (const dataset::measured_cell& each : read.cells()) {
    EXPECT_EQ(each.which.workers, 2u) << "serial is measured once";
    EXPECT_EQ(each.samples.size(), 2u);
    least = std::min(least,
                     static_cast<unsigned>(std::stoul(each.which.what.parameters.back().second)));
  }
  const std::string arguments = text_of(folder() / "stealbench-serial.arguments");
  EXPECT_EQ(count_of(" --sample-ms 20\n", arguments), count_of("\n", arguments));
  EXPECT_EQ(least, 32u) << "64 is 39 % efficient, and what is below tells nothing";
  for (const analysis::task_sweep& each : analysis::task_sweeps_of(read)) {
    const auto metg = analysis::estimate_metg(each.curve, 0.5).value();
    EXPECT_NEAR(metg.median, 200e-9, 20e-9) << each.graph;
  }
  const std::string written = text_of(output() / "metg.md");
  auto sections = experiments::sections_of(read);
  sections::name_machine(sections::machine_note(read), sections);
  EXPECT_TRUE(contains(written, to_markdown(sections::table_in(sections, "METG"))));
}

TEST_F(SweepDriver, KillsWhatHangsWhileItSearchesForTheTaskLengths) {
  plant("stealbench-serial", "if [ ! -e \"$0.hung\" ]; then : > \"$0.hung\"; exec sleep 600; fi" +
                                 taking("512 * (x + 100)"));
  const process_result result = drive(
      {"metg", "--workers", "1", "--rounds", "1", "--timeout", "1", "--output", output().string()});
  EXPECT_EQ(result.status, 0) << result.errors;
  const dataset::measurements read = data("metg");
  EXPECT_EQ(read.cells()[1].which.what.workload, "empty_tree") << "one point where it hung";
}

TEST_F(SweepDriver, LeavesNothingBehindIfItIsInterruptedBeforeItMeasures) {
  plant("stealbench-serial", "kill -TERM $PPID; sleep 600");
  const process_result result =
      drive({"metg", "--workers", "1", "--rounds", "1", "--output", output().string()});
  EXPECT_EQ(result.how, ending::exited);
  EXPECT_EQ(result.status, 143);
  EXPECT_TRUE(std::filesystem::is_empty(output()));
}

TEST_F(SweepDriver, ShowsASchedulerThatFailsInTheTableOfMetg) {
  plant("stealbench-serial", "exit 3");
  const process_result result =
      drive({"metg", "--workers", "1", "--rounds", "1", "--output", output().string()});
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.output.find("DNF: exit status 3"), std::string::npos) << result.output;
}

}  // namespace
}  // namespace stealbench::end_to_end
