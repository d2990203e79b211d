// `stealbench simulate` as a user runs it, on simulations that tests plant.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bench/driver/end_to_end/simulation/simulate_fixture.hpp"
#include "schedulers/operating_system/thread.hpp"
#include "schedulers/virtual_machine/profile.hpp"

namespace stealbench::end_to_end {
namespace {

namespace fs = std::filesystem;
using texts = std::vector<std::string>;

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Simulate : public simulate_fixture {};

TEST_F(Simulate, PrintsCurvesThatSayTheyAreSimulated) {
  const process_result result = drive(arguments());
  ASSERT_EQ(result.status, 0) << result.errors;
  const char* const origin =
      "Simulated, not measured: profile reference (a processor, a day), not validated.";
  for (const char* const part :
       {origin, "greatest speedup 3.99 × ", "overhead of the scheduler (25.0 %)",
        "top of a deque 10.0 %", "jitter × 0", "transfer × 2"}) {
    EXPECT_TRUE(contains(result.output, part)) << part << " in\n" << result.output;
  }
  EXPECT_TRUE(contains(result.errors, "8 benchmarks, simulated with 6 seeds")) << result.errors;
  EXPECT_FALSE(contains(result.errors, "Warning")) << "the state of this machine does not matter";
  EXPECT_EQ(count_of("\n", calls()), 48U) << "two worker counts and six varied costs, six seeds";
  for (const char* const vary :
       {"transfer=0.5", "transfer=2", "wake=0.5", "wake=2", "jitter=0", "jitter=2"}) {
    EXPECT_EQ(count_of(std::string("--vary ") + vary + "\n", calls()), 6U) << vary;
  }
  EXPECT_TRUE(contains(result.errors, "\nseed 1, 0 % done\n")) << result.errors;
  EXPECT_TRUE(contains(result.errors, "\nseed 6, 83 % done, ")) << result.errors;
  const json header = data("simulate").header();
  EXPECT_EQ(header["baseline"], "itself");
  EXPECT_TRUE(header["about"].contains("other_processor"));
  const json context = data("simulate").context();
  EXPECT_TRUE(contains(drive({"--version"}).output,
                       "(commit " + context.value("commit", std::string("missing"))));
  EXPECT_EQ(data("simulate").cells().size(), 8U);
  EXPECT_TRUE(data("simulate").is_simulated());
  EXPECT_FALSE(contains(text_of(output() / "simulate.md"), "Wall time of one run"));
  expect_valid_by_the_schema("simulate");
  const process_result diff = drive({"diff", output().string(), output().string()});
  EXPECT_EQ(diff.status, 0) << diff.errors;
  EXPECT_TRUE(contains(diff.output, "Simulated, not measured: profile reference")) << diff.output;
}

TEST_F(Simulate, PrintsOneJsonObjectForEachCurveAndNothingElse) {
  const process_result result =
      drive({"simulate", "fib,uts", "--size", "test", "--scheduler", "work-stealing,central-queue",
             "--workers", "2,4", "--seeds", "2", "--json", "--output", output().string()});
  ASSERT_EQ(result.status, 0) << result.errors;
  const std::vector<json> curves = json_lines(result.output);
  ASSERT_GT(curves.size(), 4U) << "all instances of the size";
  EXPECT_EQ(9 * curves.size(), data("simulate").cells().size());
  EXPECT_EQ(curves[1]["scheduler"], "central-queue");
  EXPECT_EQ(curves[0]["seeds"], 2);
  EXPECT_EQ(curves[0]["profile"], "reference");
  EXPECT_EQ(curves[0]["processor"], "a processor");
  EXPECT_EQ(curves[0]["date"], "a day");
  const json& points = curves[0]["points"];
  ASSERT_EQ(points.size(), 2U) << "one worker is simulated for the speedup alone";
  EXPECT_EQ(points[1]["workers"], 4);
  EXPECT_NEAR(points[1]["speedup"].get<double>(), 4, 0.01);
  EXPECT_NEAR(points[1]["low"].get<double>(), 2001090e-9, 1e-12);
  EXPECT_NEAR(points[1]["high"].get<double>(), 2002090e-9, 1e-12);
  EXPECT_EQ(curves[0]["sensitivity"].size(), 6U);
  EXPECT_TRUE(curves[0]["regret"].empty()) << "of two schedulers";
  EXPECT_TRUE(fs::exists(output() / "report.html"));
}

TEST_F(Simulate, VariesTheGreatestWorkerCountWhereverItIsNamed) {
  texts descending = arguments({"--seeds", "1"});
  *std::ranges::find(descending, "1,4") = "4,2";
  ASSERT_EQ(drive(descending).status, 0);
  const dataset::measurements found = data("simulate");
  texts names;
  for (const dataset::measured_cell& each : found.cells()) {
    names.push_back(std::to_string(each.which.workers) + " " + each.which.varied);
  }
  EXPECT_EQ(names, (texts{"1 ", "4 ", "2 ", "4 transfer=0.5", "4 transfer=2", "4 wake=0.5",
                          "4 wake=2", "4 jitter=0", "4 jitter=2"}));
}

TEST_F(Simulate, HasWorkersUpTo64UnlessAskedOtherwise) {
  ASSERT_EQ(drive({"simulate", "fib", "--set", "n=21", "--scheduler", "work-stealing", "--seeds",
                   "1", "--no-sensitivity", "--output", output().string()})
                .status,
            0);
  EXPECT_EQ(data("simulate").header()["about"]["workers"], (json{1, 2, 4, 8, 16, 32, 64}));
  EXPECT_EQ(data("simulate").cells().size(), 7U);
  EXPECT_EQ(count_of("--set n=21 ", calls()), 7U);
}

TEST_F(Simulate, SimulatesEachWithOneSettingChanged) {
  for (const std::string& each : schedulers::settings_of("work-stealing").front().words()) {
    plant("stealbench-simulated-work-stealing." + each, simulator());
  }
  plant("stealbench-central-queue", "exit 0");
  const process_result result = drive({"simulate", "fib", "--ablation", "--workers", "1", "--seeds",
                                       "1", "--no-sensitivity", "--output", output().string()});
  ASSERT_EQ(result.status, 0) << result.errors;
  const json contrasts = data("simulate").header()["about"]["ablation"];
  ASSERT_EQ(contrasts.size(), 1 + settings_but_defaults().size());
  EXPECT_EQ(contrasts[0]["variant"], "central-queue");
  EXPECT_EQ(contrasts[0]["against"], "work-stealing");
  EXPECT_TRUE(contains(result.output, "ablation,")) << result.output;
}

TEST_F(Simulate, KillsASimulationAtItsTimeLimit) {
  plant("stealbench-simulated-work-stealing", "exec sleep 600");
  const process_result result =
      drive(arguments({"--seeds", "1", "--timeout", "1", "--no-sensitivity"}));
  EXPECT_EQ(result.status, 1);
  for (const json& each : processes()) EXPECT_EQ(each["failure"], "timed out after 1 s");
}

TEST_F(Simulate, ReadsMoreThanAMeasurementPrints) {  // The counters of 4096 workers are long.
  plant("stealbench-simulated-work-stealing",
        "head -c 10000000 /dev/zero | tr '\\0' ' '\n" + simulator());
  const process_result result = drive(arguments({"--seeds", "1", "--no-sensitivity"}));
  EXPECT_EQ(result.status, 0) << result.errors;
}

TEST_F(Simulate, TakesTheFirstInstanceOfTheSize) {
  const process_result result =
      drive({"simulate", "uts", "--scheduler", "work-stealing", "--workers", "1", "--seeds", "1",
             "--no-sensitivity", "--json", "--output", output().string()});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(data("simulate").cells().size(), 1U) << "standard has T1 and T3";
  EXPECT_TRUE(contains(calls(), "--workload uts --size none --workers 1 --set tree=T1 --profile "));
}

TEST_F(Simulate, SimulatesSettingsByTheExecutableOfTheDeque) {
  const process_result result =
      drive({"simulate", "fib", "--scheduler", "work-stealing:victim=random:deque=chase-lev",
             "--workers", "1", "--seeds", "1", "--no-sensitivity", "--output", output().string()});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(contains(calls(), "--variant deque=chase-lev:victim=random")) << calls();
  expect_refusal({"simulate", "fib", "--scheduler", "work-stealing:deque=locked"},
                 {"the simulation of work-stealing:deque=locked is not built",
                  "--target stealbench stealbench-simulated-work-stealing.locked"});
}

TEST_F(Simulate, ChangesTheCostsOfTheProfile) {
  const process_result result = drive(arguments(
      {"--transfer", "0.18us", "--wake", "5us", "--seeds", "1", "--no-sensitivity", "--json"}));
  ASSERT_EQ(result.status, 0) << result.errors;
  const json curve = json::parse(result.output);
  EXPECT_NEAR(curve["points"][0]["seconds"].get<double>(), 8001180e-9, 1e-12);
  EXPECT_EQ(curve["changes"].dump(), R"(["transfer 0.18us","wake 5us"])");
  EXPECT_TRUE(contains(text_of(output() / "simulate.md"),
                       "profile reference (a processor, a day) with transfer 0.18us, wake 5us, not "
                       "validated"));
}

TEST_F(Simulate, GoesOnWhereItWasKilledWithTheVerySameProfile) {
  const process_result whole = drive(arguments({"--seeds", "2"}));
  ASSERT_EQ(whole.status, 0) << whole.errors;
  const std::vector<json> all = processes();
  const std::string csv = text_of(output() / "simulate.csv");
  fs::remove_all(output());
  fs::remove(folder() / "calls");
  std::ofstream(folder() / "killed_at") << 10;
  EXPECT_EQ(drive(arguments({"--seeds", "2"})).how, ending::signalled);
  EXPECT_EQ(process_count("simulate"), 9U);
  write_profile("reference", 1000);
  fs::rename(folder() / "profiles", folder() / "elsewhere");
  expect_refusal({"simulate", "--resume", "--wake", "1us", "--output", output().string()},
                 {R"(--wake was "", not "1us")"});
  expect_refusal({"simulate", "--resume", "--seeds", "5", "--output", output().string()},
                 {"--seeds was 2, not 5"});
  const process_result resumed =
      drive({"simulate", "--resume", "--jobs", "1", "--output", output().string()});
  ASSERT_EQ(resumed.status, 0) << resumed.errors;
  EXPECT_TRUE(processes() == all);
  EXPECT_EQ(text_of(output() / "simulate.csv"), csv);
  EXPECT_EQ(count_of("\n", calls()), 17U) << "what was finished did not run again";
}

TEST_F(Simulate, RunsAsManySideBySideAsItIsTold) {
  // The first two end only when both run.
  plant("stealbench-simulated-work-stealing",
        "touch \"${0%/*}/started.$$\"\n"
        "until [ $(ls \"${0%/*}\" | grep -c started) -ge 2 ]; do :; done\n" +
            simulator());
  texts two = arguments({"--seeds", "2", "--no-sensitivity"});
  two[std::size_t(std::ranges::find(two, "--jobs") - two.begin()) + 1] = "2";
  const process_result result = drive(two);
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(process_count("simulate"), 4U);
  EXPECT_EQ(data("simulate").cells().size(), 2U);
}

TEST_F(Simulate, RunsOneAfterTheOtherOnOneProcessor) {
  plant("stealbench-simulated-work-stealing",
        "mkdir \"${0%/*}/running\" || touch \"${0%/*}/together\"\n"
        "sleep 0.1; rmdir \"${0%/*}/running\"\n" +
            simulator());
  texts usual = arguments({"--seeds", "2", "--no-sensitivity"});
  const auto jobs = std::ranges::find(usual, "--jobs");
  usual.erase(jobs, jobs + 2);
  const operating_system::pin_scope pinned(0);
  const process_result result = drive(usual);
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_FALSE(fs::exists(folder() / "together"));
}

TEST_F(Simulate, ShowsASimulationThatFailed) {
  const auto outcome_of = [&](const std::string& body) {
    plant("stealbench-simulated-central-queue", body);
    const process_result result =
        drive({"simulate", "fib", "--scheduler", "work-stealing,central-queue", "--workers", "1,2",
               "--seeds", "1", "--no-sensitivity", "--json", "--output", output().string()});
    EXPECT_EQ(result.status, 1) << body;
    const json failed = json::parse(result.output.substr(result.output.find('\n')));
    EXPECT_TRUE(failed["points"][0]["seconds"].is_null());
    return failed["points"][0]["failure"].get<std::string>();
  };
  EXPECT_EQ(outcome_of("echo out of cheese >&2; exit 3"), "exit status 3: out of cheese");
  EXPECT_EQ(outcome_of("echo '{}'"), "unreadable output: not the JSON of this simulation");
  std::string wrong = simulator();
  wrong.replace(wrong.find(R"("verified":true)"), 15, R"("verified":false)");
  EXPECT_EQ(outcome_of(wrong + "; exit 1"), "wrong answer");
  std::string other = simulator();
  other.replace(other.find("'$seed'"), 7, "77");
  EXPECT_EQ(outcome_of(other), "unreadable output: not the JSON of this simulation");
}

TEST_F(Simulate, StopsAndGoesOnLaterWhereTheMachineStartsNoFurtherProcess) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "UndefinedBehaviorSanitizer opens a pipe to read an object's type";
#endif
  plant("stealbench-simulated-work-stealing",
        simulator() + "\n[ $(wc -l < \"$here/calls\") != 2 ] || prlimit --pid $PPID --nofile=3:");
  const process_result stopped = drive(arguments({"--seeds", "2", "--no-sensitivity"}));
  EXPECT_EQ(stopped.status, 1);
  EXPECT_TRUE(contains(stopped.errors, "cannot start")) << stopped.errors;
  EXPECT_FALSE(contains(stopped.errors, "DNF")) << stopped.errors;
  EXPECT_EQ(drive({"simulate", "--resume", "--output", output().string()}).status, 0);
  EXPECT_EQ(process_count("simulate"), 4U);
}

TEST_F(Simulate, RefusesWhatCannotBeSimulated) {
  expect_refusal({"simulate"}, {"WORKLOAD is required; valid: ", "fib", "all"});
  expect_refusal({"simulate", "fib,all"}, {"fib,all: all is every workload"});
  expect_refusal({"simulate", "sudoku"}, {"WORKLOAD sudoku: must be one of", "fib", "uts"});
  expect_refusal({"simulate", "spmv"}, {"WORKLOAD spmv: cannot be simulated, because ",
                                        "bound by memory; valid: ", "fib"});
  expect_refusal({"simulate", "fib", "--scheduler", "serial"},
                 {"serial cannot be simulated, because it has one worker; valid: work-stealing, "});
  expect_refusal({"simulate", "fib", "--scheduler", "onetbb"},
                 {"onetbb cannot be simulated, because it does not run on the in-house engine"});
  expect_refusal({"simulate", "fib", "--scheduler", "lottery"},
                 {"unknown scheduler 'lottery'; valid: work-stealing, "});
  expect_refusal({"simulate", "fib", "--scheduler", "work-sharing"},
                 {"the simulation of work-sharing is not built; build it with"});
  refuses({"--workers", "0"}, {"--workers 0: must be between 1 and 4096"});
  refuses({"--workers", "5000"}, {"--workers 5000: must be between 1 and 4096"});
  expect_refusal({"simulate", "fib", "--jobs", "0"}, {"--jobs 0: must be between 1 and 4096"});
  refuses({"--seeds", "0"}, {"--seeds 0: must be between 1 and 1000"});
  refuses({"--transfer", "90"}, {"--transfer 90: must be a time", "ns, us, µs, ms"});
  refuses({"--wake", "3h"}, {"--wake 3h: must be a time"});
  refuses({"--set", "m=1"}, {"--set m=1: fib has no parameter 'm'"});
  refuses({"--profile", "nosuch"},
          {"--profile nosuch: there is no such profile and no such file; valid: reference"});
  refuses({"--profile", folder() / "calls.json"}, {"no such file"});
  std::ofstream(folder() / "mine.json") << "{}";
  refuses({"--profile", folder() / "mine.json"}, {"is not a profile", "stealbench calibrate"});
  refuses({"--rounds", "3"}, {"unknown option '--rounds'; valid: ", "--seeds"});
}

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class RealSimulation : public driver_fixture {};

TEST_F(RealSimulation, IsTheSameOnEveryRun) {
  const auto beside = fs::path(STEALBENCH_DRIVER).parent_path();
  if (!fs::exists(beside / "stealbench-simulated-work-stealing")) {
    GTEST_SKIP() << "the simulation of work-stealing is not built";
  }
  const auto simulate = [&] {
    const process_result result =
        drive({"simulate", "fib", "--size", "test", "--scheduler", "work-stealing", "--workers",
               "1,4", "--seeds", "2", "--no-sensitivity", "--json", "--output", output().string()});
    EXPECT_EQ(result.status, 0) << result.errors;
    return result.output;
  };
  const std::string first = simulate();
  EXPECT_EQ(simulate(), first);
  const json last = json::parse(first)["points"][1];
  EXPECT_EQ(last["verified"], true);
  double sum = 0;
  for (const json& each : last["shares"]) sum += each.get<double>();
  EXPECT_NEAR(sum, 1, 1e-6);
}

TEST_F(Simulate, RefusesAWorkloadWithoutAPrice) {
  std::string text = text_of(folder() / "profiles/reference.json");
  text.replace(text.find("\"fib\""), 5, "\"nqu\"");
  std::ofstream(folder() / "profiles/reference.json") << text;
  const texts why{"--profile reference: the profile reference has no price of a unit of fib"};
  refuses({}, why);
  expect_refusal({"simulate", "uts,fib", "--output", output().string()}, why);
}

}  // namespace
}  // namespace stealbench::end_to_end
