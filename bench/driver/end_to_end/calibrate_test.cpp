// `stealbench calibrate` as a user runs it, on executables that are planted as shell scripts and on
// those that are built.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bench/driver/end_to_end/driver_fixture.hpp"
#include "bench/driver/end_to_end/planted_fixture.hpp"
#include "schedulers/operating_system/thread.hpp"
#include "schedulers/virtual_machine/profile.hpp"

namespace stealbench::end_to_end {
namespace {

namespace fs = std::filesystem;
using virtual_machine::profile;

/// As `--machine-costs` prints them: each is 1 to 17 ns, in the order of the file.
json planted_costs() {
  json costs = json_of(virtual_machine::costs{});
  double next = 1;
  for (auto& [key, value] : costs.items()) value = next++;
  costs["jitter"] = 0.2;
  costs["processors_per_socket"] = 0;
  costs["processor"] = "Z80";
  costs["processors"] = "3";  // Whatever this machine has.
  return costs;
}

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Calibrate : public driver_fixture {
 protected:
  /// A run of the sequential version takes 1 µs, one on the scheduler 3 µs. `handover` is that of a
  /// line [ns], beside a `transfer` of 4 ns.
  void plant_all(const std::string& handover = "8") const {
    use_planted_schedulers();
    plant("stealbench-sequential",
          "if [ $1 = --machine-costs ]; then cat <<'JSON'\n" + planted_costs().dump() +
              "\nJSON\nexit; fi\nns=1000\nif [ $1 = --metric ]; then ns=" + handover + "; fi\n" +
              taking("ns"));
    plant("stealbench-work-stealing", taking("3000"));
    plant_simulation("0.000001");
  }

  /// Of 100 units of work; 10 forks, 20 spawns, or 5 forks and 8 pieces of loops; for nqueens 5
  /// forks and 20 spawns, for skynet one spawn. With prices of schedulers it takes `priced`
  /// seconds.
  void plant_simulation(const std::string& seconds, const std::string& priced = "0.000003") const {
    plant("stealbench-simulated-work-stealing", R"(
for word; do
  case $last in
    --workload) workload=$word ;;
    --profile)
      profile=$(cat "$word")
      echo "$profile" | grep -q '"unit_ns"' || exit 3
      seconds=)" + seconds + R"(
      if echo "$profile" | grep -q '"schedulers":{}'; then
        [ $(echo "$profile" | grep -o '"schedulers":' | wc -l) = 1 ] || exit 4
      else
        seconds=)" + priced + R"(
      fi ;;
    --workers) workers=$word ;;
  esac
  last=$word
done
case $workload in
  fib) charges='"fork":10,"call":0,"spawn":0,"piece":0' ;;
  nqueens) charges='"fork":3,"call":2,"spawn":20,"piece":0' ;;
  skynet) charges='"fork":0,"call":0,"spawn":1,"piece":0' ;;
  empty_loop) charges='"fork":5,"call":0,"spawn":0,"piece":8' ;;
  *) charges='"fork":0,"call":0,"spawn":20,"piece":0' ;;
esac
echo '{"workload":"'$workload'","workers":'$workers',"seed":1,"verified":true,"seconds":'$seconds',
"work_units":100,"fork_count":10,"tasks_moved":0,"steal_attempts":0,"host_seconds":0.1,
"shares":{"work":1,"overhead":0,"search":0,"lines":0,"asleep":0},"charges":{'"$charges"'}}')");
  }

  [[nodiscard]] fs::path file() const { return folder() / "profile.json"; }
  [[nodiscard]] process_result calibrate(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"calibrate", "--output", file().string()});
    return drive(arguments);
  }
};

TEST_F(Calibrate, WritesCostsAndPrices) {
  plant_all();
  const process_result result = calibrate({"--workloads", "fib"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const profile written = virtual_machine::read_profile(file());
  EXPECT_EQ(written.name, "profile") << "as its file";
  EXPECT_EQ(written.processor, "Z80, 3 processors");
  EXPECT_TRUE(written.is_measured);
  EXPECT_FALSE(written.validated);
  EXPECT_EQ(written.costs.rmw, 2);
  ASSERT_EQ(written.work.size(), 3U) << "uts and empty_loop too: schedulers are priced by them";
  EXPECT_EQ(price_of(written, "fib", {{"n", "35"}}).ns, 10);
  EXPECT_EQ(written.strategies.at("work-stealing").fork, 200);
  EXPECT_EQ(written.strategies.at("work-stealing").call, 200);
  EXPECT_EQ(written.strategies.at("work-stealing").spawn, 100);
  EXPECT_EQ(written.strategies.at("work-stealing").piece, 125);
  EXPECT_EQ(result.output, "Written: " + file().string() + "\n");
  for (const char* const part :
       {"costs of the machine, 0 % done", "price of a unit of fib n=35, 17 % done",
        "prices of work-stealing, 67 % done", "checks of the profile, 83 % done"}) {
    EXPECT_TRUE(contains(result.errors, part)) << part << " in\n" << result.errors;
  }
}

TEST_F(Calibrate, NeedsNoFolderForTemporaryFiles) {
  plant_all();
  const process_result result =
      run_program("/usr/bin/env", {"TMPDIR=/nowhere/at/all", STEALBENCH_DRIVER, "calibrate",
                                   "--workloads", "fib", "--output", file().string()});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(fs::exists(file()));
}

TEST_F(Calibrate, PricesTheTasksOfAWorkloadByItsOwnRun) {
  plant_all();
  plant("stealbench-work-stealing",
        "ns=3000; case \"$*\" in *nqueens*) ns=6000 ;; esac\n" + taking("ns"));
  const process_result result = calibrate({"--workloads", "nqueens,skynet", "--size", "standard"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const profile written = virtual_machine::read_profile(file());
  // 5 µs beyond the simulated time, of which 5 forks take 1 µs.
  EXPECT_EQ(prices_of(written, "work-stealing", "nqueens", {}).spawn, 200);
  EXPECT_EQ(prices_of(written, "work-stealing", "nqueens", {}).fork, 200) << "the scheduler's own";
  EXPECT_EQ(prices_of(written, "work-stealing", "nqueens", {}).piece, 125);
  EXPECT_EQ(prices_of(written, "work-stealing", "skynet", {}).spawn, 100) << "a task takes 1 µs";
  for (const virtual_machine::unit_price& each : written.work) {
    EXPECT_EQ(each.schedulers.size(), each.workload == "nqueens" ? 1U : 0U) << each.workload;
  }
}

TEST_F(Calibrate, ChecksTheProfileOnWhatItWasNotCalibratedOn) {
  plant_all();
  const process_result good = calibrate({"--workloads", "fib"});
  ASSERT_EQ(good.status, 0) << good.errors;
  for (const char* const part :
       {"check: fib n=27 on work-stealing with 1 worker: simulated 3.00 µs, measured 3.00 µs (+0.0",
        "check: fib n=27 on work-stealing with 2 workers: "}) {
    EXPECT_TRUE(contains(good.errors, part)) << part << " in\n" << good.errors;
  }
  EXPECT_FALSE(contains(good.errors, "doubtful"));
  EXPECT_EQ(virtual_machine::read_profile(file()).doubt, "");
  for (const char* const seconds : {"0.0000036", "0.0000024"}) {
    plant_simulation("0.000001", seconds);
    const process_result bad = calibrate({"--workloads", "fib"});
    ASSERT_EQ(bad.status, 0) << bad.errors;
    EXPECT_TRUE(contains(bad.errors,
                         "warning: the profile is doubtful: benchmarks that it was not "
                         "calibrated on miss the bound of 15 %: fib n=27 on"))
        << bad.errors;
    const std::string doubt = virtual_machine::read_profile(file()).doubt;
    EXPECT_TRUE(contains(doubt, seconds == std::string("0.0000036") ? "(+20.0 %)" : "(-20.0 %)"));
  }
  const process_result none = calibrate({"--workloads", "fib", "--size", "small"});
  EXPECT_FALSE(contains(none.errors, "check: ")) << "the small one is calibrated";
}

TEST_F(Calibrate, APriceIsBelowZeroWhereTheSimulationTakesLonger) {
  plant_all();
  plant_simulation("0.000004");
  const process_result result = calibrate({"--workloads", "fib"});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(virtual_machine::read_profile(file()).strategies.at("work-stealing").fork, -100);
}

TEST_F(Calibrate, PricesAFurtherInstanceOfAWorkloadWhoseUnitDependsOnItsParameters) {
  plant_all();
  using values = std::map<std::string, std::string>;
  const auto nearest = [&](const values& parameters) {
    return price_of(virtual_machine::read_profile(file()), "spawn", parameters).parameters;
  };
  ASSERT_EQ(calibrate({"--workloads", "spawn", "--set", "children=7"}).status, 0);
  EXPECT_EQ(nearest({{"children", "131072"}, {"work", "100"}}),
            (values{{"children", "32768"}, {"work", "1000"}}));
  EXPECT_EQ(nearest({{"children", "7"}}), (values{{"children", "7"}}));
}

TEST_F(Calibrate, CostsAloneTakePricesOfTheReference) {
  plant_all();
  fs::remove(folder() / "stealbench-simulated-work-stealing");
  EXPECT_EQ(calibrate({"--costs-only"}).status, 1) << "there is no reference";
  EXPECT_FALSE(fs::exists(file()));
  profile reference{
      .name = "reference",
      .processor = "6502",
      .date = "",
      .source = "",
      .is_measured = true,
      .costs = {},
      .strategies = {{"work-stealing", {.fork = 7, .call = 0, .spawn = 0, .piece = 0}}},
      .work = {{.workload = "fib", .parameters = {}, .ns = 42}},
      .validated = {}};
  reference.costs.pause = 1;
  fs::create_directories(folder() / "profiles");
  std::ofstream(folder() / "profiles" / "reference.json") << json_of(reference);
  const process_result result = calibrate({"--costs-only"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const profile written = virtual_machine::read_profile(file());
  EXPECT_EQ(written.costs.rmw, 2);
  EXPECT_EQ(price_of(written, "fib", {}).ns, 42);
  EXPECT_EQ(written.strategies.at("work-stealing").fork, 7);
  EXPECT_TRUE(contains(written.source, "those of reference (6502)")) << written.source;
}

TEST_F(Calibrate, WhatCannotBeMeasuredLeavesTheOlderFile) {
  plant_all();
  std::ofstream(file()) << "older";
  plant("stealbench-simulated-work-stealing", "echo 'out of luck' >&2; exit 1");
  const process_result result = calibrate({"--workloads", "fib"});
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(contains(result.errors, "simulation of fib/work-stealing")) << result.errors;
  EXPECT_TRUE(contains(result.errors, "out of luck")) << result.errors;
  plant("stealbench-sequential", "echo 'there is one processor' >&2; exit 1");
  EXPECT_TRUE(contains(calibrate({}).errors, "costs of the machine: exit status 1: there is one"));
  plant("stealbench-sequential", "echo '{\"hit_ns\":1}'");
  EXPECT_TRUE(contains(calibrate({}).errors, "'rmw_ns' is missing"));
  EXPECT_EQ(text_of(file()), "older");
}

TEST_F(Calibrate, SaysThatTheProcessorsHaveMoved) {
  plant_all("10");
  const process_result steady = calibrate({"--workloads", "fib"});
  EXPECT_FALSE(contains(steady.errors, "of transfer one was")) << "5 ns are near 4 ns";
  EXPECT_EQ(virtual_machine::read_profile(file()).costs.transfer, 5) << "the greatest";
  plant_all("14");
  const process_result result = calibrate({"--workloads", "fib"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const std::string moved =
      "of 5 measurements of transfer one was 4.00 ns and another 7.00 ns; the profile has the "
      "greatest";
  EXPECT_EQ(virtual_machine::read_profile(file()).costs.transfer, 7);
  EXPECT_EQ(virtual_machine::read_profile(file()).costs.remote_transfer, 7);
  EXPECT_TRUE(contains(result.errors, moved)) << result.errors;
  EXPECT_TRUE(contains(virtual_machine::read_profile(file()).source, moved));
}

TEST_F(Calibrate, RefusesBadInputBeforeItMeasures) {
  plant_all();
  plant("stealbench-sequential", ": > \"$0.ran\"");
  expect_refusal({"calibrate", "--workloads", "uzs"}, {"uzs", "fib", "all"});
  expect_refusal({"calibrate", "--workloads", "mergesort"},
                 {"mergesort: cannot be simulated", "memory", "valid: ", "fib"});
  expect_refusal({"calibrate", "--set", "links=3", "--workloads", "fib,uts"},
                 {"--set links=3: no chosen workload has this parameter"});
  expect_refusal({"calibrate", "--workloads", "fib", "--set", "n=3", "--set", "n=4"},
                 {"--set n=4: n is set twice"});
  expect_refusal({"calibrate", "--workloads", "all,fib"}, {"all,fib: all is every workload"});
  fs::create_symlink("/proc/self/fd/1", folder() / "stdout");  // As /dev/stdout.
  expect_refusal({"calibrate", "--output", (folder() / "stdout").string()},
                 {"not a regular file", "valid: a file"});
  expect_refusal({"calibrate", "--workloads", "fib", "--set", "n=no"}, {"n", "no"});
  expect_refusal({"calibrate", "--output", (folder() / "none" / "p.json").string()},
                 {"none", "valid: a file"});
  fs::remove(folder() / "stealbench-simulated-work-stealing");
  expect_refusal({"calibrate"}, {"no simulated executable is built", "--costs-only"});
  EXPECT_FALSE(fs::exists(folder() / "stealbench-sequential.ran"));
}

TEST_F(Calibrate, PricesASchedulerThatIsBuilt) {
  const fs::path folder_of_driver = fs::path(STEALBENCH_DRIVER).parent_path();
  // Not all of them, which would take their time.
  for (const char* const name : {"stealbench-sequential", "stealbench-work-stealing",
                                 "stealbench-simulated-work-stealing"}) {
    if (!fs::exists(folder_of_driver / name)) GTEST_SKIP() << name << " is not built";
    fs::create_symlink(folder_of_driver / name, folder() / name);
  }
  if (operating_system::processor_count() < 2) GTEST_SKIP() << "needs two processors";
  use_planted_schedulers();
  const process_result result = calibrate({"--workloads", "fib", "--size", "test"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const profile written = virtual_machine::read_profile(file());
  const json costs = json_of(written.costs);
  for (const auto& [key, value] : costs.items()) {
    EXPECT_TRUE(std::isfinite(value.get<double>())) << key;
    const bool may_be_zero =
        key == "processors_per_socket" || key == "interrupt_ns" || key == "look_ns";
    EXPECT_TRUE(value > 0 || may_be_zero) << key;
  }
  for (const virtual_machine::unit_price& each : written.work) EXPECT_GT(each.ns, 0);
  EXPECT_EQ(written.work.size(), 3U);
  EXPECT_TRUE(written.strategies.contains("work-stealing"));
}

}  // namespace
}  // namespace stealbench::end_to_end
