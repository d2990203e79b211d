// `stealbench claims` as a user runs it.
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "bench/driver/end_to_end/driver_fixture.hpp"
#include "bench/driver/end_to_end/planted_fixture.hpp"
#include "bench/driver/end_to_end/simulation/simulate_fixture.hpp"

namespace stealbench::end_to_end {
namespace {

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Claims : public needing_fixture {
 protected:
  Claims() : needing_fixture({"serial", "work-stealing"}) {}
};

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
using PlantedClaims = simulate_fixture;

// It needs one simulation; most claims need more.
TEST_F(Claims, AreSimulatedOnEveryProfile) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "takes ten times as long, which is beyond the limit of a command";
#endif
  const process_result result =
      drive({"claims", "--only", "22", "--rounds", "1", "--json", "--output", output().string()});
  ASSERT_EQ(result.status, 0) << result.errors;
  const json claim = json::parse(result.output).at("claims").at(0);
  EXPECT_EQ(claim.at("number"), 22);
  EXPECT_EQ(claim.at("machine"), "simulated");
  EXPECT_EQ(claim.at("verdict"), "undecided");
  EXPECT_EQ(claim.at("because"), "A verdict needs 6 rounds, and there are 1.");
  for (const char* const member : {"figure", "low", "high"}) {
    EXPECT_TRUE(claim.at(member).is_null()) << member;
  }
  const auto found = data("claims");
  EXPECT_TRUE(found.is_finished());
  const std::size_t profiles = found.header().at("about").at("machines").size() - 1;
  EXPECT_GE(profiles, 3U) << "and one without costs";
  EXPECT_EQ(found.cells().size(), (profiles + 1) * 2 * 6) << "programs and worker counts";
  EXPECT_TRUE(contains(text_of(output() / "claims.md"), "Claims put to the test"));
  EXPECT_TRUE(contains(text_of(output() / "claims.csv"), "one-socket-64"));
}

TEST_F(Claims, AreMeasuredToo) {
  const process_result result =
      drive({"claims", "--only", "7", "--rounds", "1", "--output", output().string()});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(contains(result.output, "A verdict needs 6 rounds, and there are 1."))
      << result.output;
  const auto found = data("claims");
  EXPECT_EQ(found.cells().size(), 6U) << "five grains, and a fork";
  EXPECT_FALSE(found.host_checks().empty());
}

// Of a simulation that fails: the plan says what is simulated.
TEST_F(Claims, HaveAMachineWhereNothingButWorkTakesTime) {
  use_planted_schedulers();
  for (const char* const name : {"static-partition", "work-stealing"}) {
    plant(std::string("stealbench-simulated-") + name, "exit 3");
  }
  std::filesystem::copy(STEALBENCH_ROOT "/schedulers/virtual_machine/profiles",
                        folder() / "profiles");
  static_cast<void>(drive({"claims", "--only", "11", "--output", output().string()}));
  const json header = data("claims").header();
  EXPECT_EQ(header.at("settings").at("rounds"), 6) << "fewer give no verdict";
  const json& machines = header.at("about").at("machines");
  const auto priced_schedulers = [&](const char* machine) {
    std::size_t count = machines.at(machine).at("schedulers").size();
    for (const json& each : machines.at(machine).at("work")) {
      count += each.value("schedulers", json::object()).size();
    }
    return count;
  };
  EXPECT_EQ(priced_schedulers("no-costs"), 0U);
  EXPECT_GT(priced_schedulers("one-socket-64"), 0U);
  for (const auto& [name, cost] : machines.at("no-costs").at("costs").items()) {
    EXPECT_LE(cost, 0.001) << name;
  }
}

TEST_F(Claims, OfATheoremAreSimulatedInItsModelThoughTheyAreMeasured) {
  use_planted_schedulers();
  for (const char* const name :
       {"serial", "work-stealing", "work-stealing.chase-lev", "simulated-work-stealing"}) {
    plant(std::string("stealbench-") + name, "exit 3");
  }
  std::filesystem::copy(STEALBENCH_ROOT "/schedulers/virtual_machine/profiles",
                        folder() / "profiles");
  static_cast<void>(
      drive({"claims", "--only", "24", "--rounds", "1", "--output", output().string()}));
  const auto found = data("claims");
  EXPECT_TRUE(found.header().at("about").at("machines").contains("no-costs"));
  EXPECT_EQ(std::ranges::count_if(
                found.cells(), [](const auto& each) { return each.which.machine == "no-costs"; }),
            3);
}

// Claim 12 is measured, with up to 2 workers; claim 21 is simulated, with up to 64.
TEST_F(PlantedClaims, GoOnOnTheSameMachineAloneAndSimulateTheSameOnes) {
  const auto plant_on = [&](const std::string& processor) {
    const std::string before = R"("num_cpus":2)";
    std::string script = taking("1000");
    script.insert(script.find(before) + before.size(), R"(,"processor":")" + processor + '"');
    plant("stealbench-work-stealing", script);
  };
  plant_on("abc");
  std::ofstream(folder() / "killed_at") << 6;  // The second of four in the second round.
  EXPECT_EQ(drive({"claims", "--only", "12,21", "--rounds", "2", "--jobs", "1", "--output",
                   output().string()})
                .how,
            ending::signalled);
  const json header = data("claims").header();
  for (const json& each : header["host_checks"]) {
    EXPECT_TRUE(each["check"] != "workers" || contains(each["detail"], "up to 2 workers")) << each;
  }
  write_profile("reference", 1000);
  const std::vector<std::string> resume{"claims", "--resume", "--output", output().string()};
  plant_on("def");
  const process_result refused = drive(resume);
  EXPECT_EQ(refused.status, 2);
  EXPECT_TRUE(contains(refused.errors, R"(was "abc" when the experiment started and is "def" now)"))
      << refused.errors;
  plant_on("abc");
  const process_result resumed = drive(resume);
  EXPECT_EQ(resumed.status, 0) << resumed.errors;
  EXPECT_EQ(process_count("claims"), 2 * (3 + 4U));
  for (const json& each : lines_of_type("process", "claims")) {
    if (!each.contains("simulation")) continue;
    const json& found = each["simulation"];
    const double ns =
        8e6 / found["workers"].get<double>() + 1000 * found["seed"].get<double>() + 90;
    EXPECT_NEAR(found["seconds"].get<double>(), ns * 1e-9, 1e-15) << "by the first profile";
  }
}

TEST_F(PlantedClaims, RecordTheMostParallelOfFiveRunsByTheClockForEachRound) {
  std::string report = once_report("true", "null");
  report.back() = ',';
  plant("stealbench-serial.work-span", R"(echo >> "$0.calls"; call=$(wc -l < "$0.calls")
echo ')" + report + R"("strands_by":"clock","work_units":0,"span_units":0,"depth":1,
"parallelism":'$((call % 5 == 3 ? call + 100 : call))'}')");
  plant("stealbench-work-stealing", taking("1000"));
  const process_result result =
      drive({"claims", "--only", "10", "--rounds", "1", "--output", output().string()});
  ASSERT_EQ(result.status, 0) << result.errors;
  double expected = 103;
  const json about = data("claims").header().at("about");
  for (const json& each : about.at("recorded")) {
    EXPECT_EQ(each.at("runs").size(), 6U);
    for (const json& run : each.at("runs")) {
      EXPECT_EQ(run.at("parallelism"), std::exchange(expected, expected + 5));
    }
  }
}

TEST_F(Claims, CheckTheProcessorsOfWorkloadsThoughCostsComeFirst) {
  use_planted_schedulers();
  plant("stealbench-work-stealing", taking("1000"));
  const auto last_check = [&](const std::string& claims) {
    static_cast<void>(
        drive({"claims", "--only", claims, "--rounds", "1", "--output", output().string()}));
    return lines_of_type("finished", "claims").at(0)["host_checks"].back()["check"];
  };
  EXPECT_EQ(last_check("12"), "steal time");
  EXPECT_EQ(last_check("12,18"), "processors");
}

TEST_F(Claims, RefuseWhatTheyCannotTest) {
  expect_refusal({"claims", "--only", "30"}, {"--only 30: must be between 1 and 25"});
  use_planted_schedulers();
  expect_refusal({"claims", "--only", "12"}, {"work-stealing", "is not built", "cmake --build"});
}

}  // namespace
}  // namespace stealbench::end_to_end
