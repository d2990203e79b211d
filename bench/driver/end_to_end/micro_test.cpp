// `stealbench micro` as a user runs it, on schedulers that are planted as shell scripts.
#include <string>

#include <gtest/gtest.h>

#include "bench/costs/catalogue.hpp"
#include "bench/driver/end_to_end/driver_fixture.hpp"
#include "bench/driver/end_to_end/planted_fixture.hpp"
#include "bench/driver/rounds/host.hpp"

namespace stealbench::end_to_end {
namespace {

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Micro : public driver_fixture {
 protected:
  Micro() {
    use_planted_schedulers();
    plant("stealbench-serial", taking("3"));
    plant("stealbench-openmp", taking("3"));
    plant("stealbench-sequential", taking("1"));
  }
};

TEST_F(Micro, WritesAnEntryForEachSchedulerFigureAndRound) {
  const process_result result =
      drive({"micro", "--metrics", "fork,steal", "--rounds", "2", "--output", output().string()});
  EXPECT_EQ(result.status, 0) << result.errors;
  const dataset::measurements written = data("micro");
  EXPECT_EQ(written.experiment(), "micro");
  EXPECT_TRUE(written.is_finished());
  const costs::figure_description& steal = costs::find_figure("steal");
  EXPECT_EQ(written.header()["about"]["figures"][1], (json{{"name", "steal"},
                                                           {"meaning", steal.meaning},
                                                           {"raw", steal.raw},
                                                           {"workers", 2},
                                                           {"unit", "seconds"}}));
  const json checks = lines_of_type("finished", "micro").at(0)["host_checks"];
  EXPECT_EQ(checks.size(), 14U) << checks
                                << "those of a comparison but how long the workers waited";
  const json& stolen = checks.back();
  EXPECT_EQ(stolen["check"], "steal time");
  EXPECT_EQ(stolen["status"] == "unknown", !rounds::processor_time_of()) << "from begin to end";
  std::vector<std::string> cells;
  for (const dataset::measured_cell& each : written.cells()) {
    cells.push_back(name_of(each.which));
    EXPECT_EQ(each.samples.size(), 2U);
  }
  EXPECT_EQ(cells, (std::vector<std::string>{"fork/sequential/workers:1",
                                             "steal/sequential/workers:2", "fork/serial/workers:1",
                                             "fork/openmp/workers:1", "steal/openmp/workers:2"}));
  EXPECT_TRUE(lines_of_type("counters", "micro").empty());
  EXPECT_NE(result.output.find("3.00 ns"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("— steal of serial: not applicable"), std::string::npos);
  const std::string tables = text_of(output() / "micro.md");
  EXPECT_NE(tables.find("3.00\u00A0ns"), std::string::npos);
  EXPECT_NE(tables.find("— steal of serial: not applicable"), std::string::npos);
}

TEST_F(Micro, AFigureThatFailsIsDnfAndTheOthersGoOn) {
  plant("stealbench-openmp", "echo 'too few rounds' >&2; exit 1");
  const process_result result =
      drive({"micro", "--metrics", "fork", "--rounds", "2", "--output", output().string()});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(count_of("exit status 1: too few rounds", result.output), 1U) << result.output;
  EXPECT_TRUE(contains(result.output, "DNF fork/openmp/workers:1")) << result.output;
  EXPECT_NE(result.output.find("3.00 ns"), std::string::npos);
}

TEST_F(Micro, RefusesWhatItDoesNotKnowAndTouchesNothing) {
  const auto refuse = [&](const std::string& option, const std::string& value,
                          const std::vector<std::string>& parts) {
    expect_refusal({"micro", option, value, "--output", output().string()}, parts);
  };
  refuse("--metrics", "fork,forks",
         {"--metrics forks: must be one of fork, spawn, spawn_8, spawn_1, capture_8,"});
  refuse("--metrics", "",
         {"--metrics '': must be one of fork, spawn, spawn_8, spawn_1, capture_8, "});
  refuse("--metrics", "fork,,steal",
         {"--metrics fork,,steal: an item of the list is empty; valid: METRIC,METRIC,..., each one "
          "of fork, spawn, "});
  refuse("--schedulers", "cilk", {"unknown scheduler 'cilk'", "work-stealing"});
  refuse("--rounds", "0", {"--rounds 0: must be between"});
  expect_refusal(
      {"micro", "--schedulers", "serial", "--metrics", "steal,wake", "--output", output().string()},
      {"--metrics steal,wake: not applicable to serial", "valid: other --schedulers"});
  EXPECT_FALSE(std::filesystem::exists(output()));
}

TEST_F(Micro, GivesTheExecutableTheFigureAndTheSettings) {
  plant("stealbench-work-stealing", "echo \"$*\" >> \"$0.arguments\"\n" + taking("3"));
  const process_result result =
      drive({"micro", "--metrics", "spawn", "--schedulers", "work-stealing:deque=locked",
             "--rounds", "1", "--output", output().string()});
  EXPECT_EQ(result.status, 0) << result.errors;
  const std::string arguments = text_of(folder() / "stealbench-work-stealing.arguments");
  EXPECT_TRUE(contains(arguments, "--metric spawn --size none --workers 1 --variant deque=locked"))
      << arguments;
}

}  // namespace
}  // namespace stealbench::end_to_end
