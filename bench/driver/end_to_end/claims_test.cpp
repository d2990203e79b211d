// `stealbench claims` as a user runs it.
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "bench/driver/end_to_end/driver_fixture.hpp"
#include "bench/driver/end_to_end/planted_fixture.hpp"

namespace stealbench::end_to_end {
namespace {

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Claims : public needing_fixture {
 protected:
  Claims() : needing_fixture({"serial", "work-stealing"}) {}
};

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
  EXPECT_GE(profiles, 3U) << "and one without costs, which another claim takes";
  EXPECT_EQ(found.cells().size(), profiles * 2 * 6) << "programs and worker counts";
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
  static_cast<void>(
      drive({"claims", "--only", "11", "--rounds", "1", "--output", output().string()}));
  const json machines = data("claims").header().at("about").at("machines");
  const auto priced_schedulers = [&](const char* machine) {
    std::size_t count = machines.at(machine).at("schedulers").size();
    for (const json& each : machines.at(machine).at("work")) {
      count += each.value("schedulers", json::object()).size();
    }
    return count;
  };
  EXPECT_EQ(priced_schedulers("no-costs"), 0U);
  EXPECT_GT(priced_schedulers("one-socket-64"), 0U);
  EXPECT_EQ(machines.at("no-costs").at("costs").at("transfer_ns"), 0);
}

TEST_F(Claims, GoOnWhereTheyWereStopped) {
  ASSERT_EQ(drive({"claims", "--only", "7", "--rounds", "1", "--output", output().string()}).status,
            0);
  const std::string whole = text_of(raw_file("claims"));
  const std::size_t last = whole.rfind('\n', whole.size() - 2);
  std::ofstream(raw_file("claims")) << whole.substr(0, whole.rfind('\n', last - 1) + 1);
  const std::size_t before = process_count("claims");
  const process_result result = drive({"claims", "--resume", "--output", output().string()});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(process_count("claims"), before + 1);
}

TEST_F(Claims, CheckTheProcessorsOfWorkloadsThoughCostsComeFirst) {
  use_planted_schedulers();
  for (const char* const name : {"serial", "work-stealing", "work-stealing.chase-lev"}) {
    plant(std::string("stealbench-") + name, taking("1000"));
  }
  const auto last_check = [&](const std::string& claims) {
    static_cast<void>(
        drive({"claims", "--only", claims, "--rounds", "1", "--output", output().string()}));
    return lines_of_type("finished", "claims").at(0)["host_checks"].back()["check"];
  };
  EXPECT_EQ(last_check("12"), "steal time");
  EXPECT_EQ(last_check("12,24"), "processors");
}

TEST_F(Claims, RefuseWhatTheyCannotTest) {
  expect_refusal({"claims", "--only", "30"}, {"--only 30: must be between 1 and 25"});
  use_planted_schedulers();
  expect_refusal({"claims", "--only", "12"}, {"work-stealing", "is not built", "cmake --build"});
}

}  // namespace
}  // namespace stealbench::end_to_end
