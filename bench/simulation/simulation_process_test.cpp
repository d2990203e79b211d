// What a process that simulates prints, and what it refuses.
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "results/system/process.hpp"

namespace stealbench::simulation {
namespace {

using nlohmann::ordered_json;

const std::string profile = STEALBENCH_PROFILES "/reference.json";

system::process_result run(std::vector<std::string> arguments) {
  system::process_runner runner;
  return runner.run({.executable = STEALBENCH_SIMULATED, .arguments = std::move(arguments)});
}

ordered_json report_of(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--profile", profile, "--size", "test"});
  const system::process_result result = run(std::move(arguments));
  EXPECT_EQ(result.status, 0) << result.errors;
  ordered_json report = ordered_json::parse(result.output);
  report.erase("host_seconds");
  return report;
}

void expect_refusal(const std::vector<std::string>& arguments, const std::string& message) {
  const system::process_result result = run(arguments);
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.output, "");
  EXPECT_NE(result.errors.find(message), std::string::npos) << result.errors;
}

TEST(SimulationProcess, ReportsOneRun) {
  const ordered_json report = report_of({"--workload", "uts", "--workers", "8"});
  EXPECT_EQ(report["verified"], true);
  EXPECT_GT(report["seconds"], 0);
  EXPECT_GT(report["work_units"], 0);
  EXPECT_EQ(report["charges"]["spawn"], report["fork_count"]);
  EXPECT_GE(report["steal_attempts"], report["tasks_moved"]);
  double sum = 0;
  for (const auto& [name, share] : report["shares"].items()) {
    EXPECT_GE(share, 0) << name;
    sum += share.get<double>();
  }
  EXPECT_NEAR(sum, 1, 1e-9);
  ASSERT_FALSE(report["lines"].empty());
  EXPECT_GE(report["lines"].front()["share"], report["lines"].back()["share"]);
}

// Where the operating system puts the program and its memory differs from process to process.
TEST(SimulationProcess, SaysTheSameForOneSeedWhereverItsMemoryIs) {
  for (const char* const workload : {"fib", "uts"}) {
    const std::vector<std::string> arguments{"--workload", workload, "--workers", "33"};
    const ordered_json first = report_of(arguments);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(report_of(arguments), first);
  }
}

TEST(SimulationProcess, SaysSomethingElseForAnotherSeed) {
  const auto with_seed = [](const char* seed) {
    return report_of({"--workload", "uts", "--workers", "8", "--seed", seed})["seconds"];
  };
  EXPECT_NE(with_seed("1"), with_seed("2"));
}

TEST(SimulationProcess, TakesLongerWhereACostIsVaried) {
  const auto with_transfers = [](const char* varied) {
    return report_of({"--workload", "uts", "--workers", "8", "--vary", varied})["seconds"]
        .get<double>();
  };
  EXPECT_LT(with_transfers("transfer=1"), with_transfers("transfer=20"));
}

TEST(SimulationProcess, SimulatesThousandsOfWorkers) {
  EXPECT_EQ(report_of({"--workload", "fib", "--workers", "1024"})["verified"], true);
}

TEST(SimulationProcess, RefusesBadInputAndSaysWhatIsValid) {
  expect_refusal({"--workload", "fib", "--workers", "0", "--profile", profile},
                 "--workers 0: must be between 1 and 4096");
  expect_refusal({"--workload", "fib", "--workers", "4097", "--profile", profile},
                 "must be between 1 and 4096");
  expect_refusal({"--workload", "fibb", "--profile", profile}, "unknown workload 'fibb'; valid: ");
  expect_refusal({"--workload", "mergesort", "--profile", profile},
                 "mergesort: cannot be simulated");
  expect_refusal({"--workload", "fib", "--profile", "/nowhere"}, "cannot read the profile");
  expect_refusal({"--workload", "fib", "--profile", STEALBENCH_SIMULATED}, "is not a profile");
  expect_refusal({"--workload", "fib", "--profile", profile, "--vary", "gravity=2"},
                 "unknown cost 'gravity'; valid: transfer, wake, jitter");
  expect_refusal({"--workload", "fib", "--profile", profile, "--vary", "wake=x"},
                 "must be a factor");
  expect_refusal({"--workload", "fib", "--profile", profile, "--variant", "deque=locked"}, "deque");
}

TEST(SimulationProcess, FailsForAWrongAnswer) {
  setenv("STEALBENCH_PLANT_ERROR", "fib", 1);
  const system::process_result result =
      run({"--workload", "fib", "--size", "test", "--profile", profile});
  unsetenv("STEALBENCH_PLANT_ERROR");
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(ordered_json::parse(result.output)["verified"], false);
}

}  // namespace
}  // namespace stealbench::simulation
