// `stealbench validate`, and the validation in the repository.
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "bench/driver/end_to_end/driver_fixture.hpp"
#include "results/dataset/validation_fixture.hpp"
#include "schedulers/virtual_machine/profile.hpp"

namespace stealbench::end_to_end {
namespace {

namespace fs = std::filesystem;
using dataset::made_validation;
using dataset::raw_lines;
using dataset::two_datasets;

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Validate : public driver_fixture {
 protected:
  Validate() {
    virtual_machine::profile profile;
    profile.name = "reference";
    profile.processor = "A processor, 2 processors";
    profile.is_measured = true;
    profile.costs.pause = 24;
    used_profile = json_of(profile);
    raw.simulated[0]["about"]["profile"] = used_profile;
    write();
  }

  void write() const {
    std::ofstream(measured()) << dataset::jsonl_of(raw.measured);
    std::ofstream(simulated()) << dataset::jsonl_of(raw.simulated);
    std::ofstream(profile_file()) << used_profile;
  }

  [[nodiscard]] fs::path measured() const { return folder() / "compare.jsonl"; }
  [[nodiscard]] fs::path simulated() const { return folder() / "simulate.jsonl"; }
  [[nodiscard]] fs::path profile_file() const { return folder() / "profile.json"; }

  /// And leaves the profile as it is.
  void refuses_profile(const std::string& part) const {
    const std::string before = text_of(profile_file());
    expect_refusal({"validate", measured().string(), simulated().string(), "--profile",
                    profile_file().string()},
                   {"--profile", part, "valid: "});
    EXPECT_EQ(text_of(profile_file()), before);
  }

  two_datasets raw = made_validation();
  json used_profile;
};

TEST_F(Validate, PrintsTheErrorOfEachBenchmarkAndOfEachGroup) {
  const process_result result = drive({"validate", measured().string(), simulated().string()});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(result.errors, "");
  for (const char* const part :
       {"Held out, uncontended (3 benchmarks): the median error is 4.0 %", "+50.0 %", "calibrated",
        "in another order", "(goal: all, missed)"}) {
    EXPECT_TRUE(contains(result.output, part)) << part << " in\n" << result.output;
  }
}

TEST_F(Validate, TakesFoldersAndPrintsMarkdown) {
  const std::string path = folder().string();
  const process_result result = drive({"validate", path, path, "--markdown"});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(result.output.starts_with("## Accuracy of the simulation\n")) << result.output;
  EXPECT_TRUE(contains(result.output, "\n### Every benchmark\n\nMeasured on "));
}

TEST_F(Validate, WarnsOfAnotherCommit) {
  raw.measured[1]["context"]["commit"] = "fedcba";
  write();
  const process_result result = drive({"validate", measured().string(), simulated().string()});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.errors, "Warning: commit fedcba was measured, and 0123456789ab simulated\n");
}

TEST_F(Validate, WritesTheAccuracyIntoTheProfileAndNothingElse) {
  used_profile["remark"] = "kept";
  raw.simulated[0]["date"] = "2026-11-23T10:00:00Z";  // After the measurement.
  write();
  const process_result result = drive({"validate", measured().string(), simulated().string(),
                                       "--profile", profile_file().string()});
  ASSERT_EQ(result.status, 0) << result.errors;
  const json written = json::parse(text_of(profile_file()));
  EXPECT_EQ(written["accuracy"].dump(),
            R"({"median_error":0.04,"ninth_decile_error":0.1,"contended_factor":1.5,"cells":4,)"
            R"("date":"2026-11-21"})");
  json rest = written;
  rest["accuracy"] = nullptr;
  EXPECT_EQ(rest, used_profile);
  EXPECT_EQ(virtual_machine::read_profile(profile_file()).validated->cells, 4U);
}

TEST_F(Validate, RefusesAProfileThatIsNotTheSimulatedOne) {
  used_profile["costs"]["wake_ns"] = 1;
  write();
  refuses_profile("other costs");
  used_profile = raw.simulated[0]["about"]["profile"];
  used_profile["processor"] = raw.simulated[0]["about"]["profile"]["processor"] = "B";
  write();
  refuses_profile("it is of B, and MEASURED of A processor");
  std::ofstream(profile_file()) << "{}";
  refuses_profile("is not a profile");
}

TEST_F(Validate, RefusesWhatItCannotCompare) {
  const std::string compared = measured().string();
  const std::string simulation = simulated().string();
  expect_refusal({"validate", compared}, {"SIMULATED is required"});
  expect_refusal({"validate", simulation, compared},
                 {"MEASURED is of the experiment simulate; valid: "});
  expect_refusal({"validate", compared, compared},
                 {"SIMULATED is of the experiment compare; valid: "});
  expect_refusal({"validate", (folder() / "none").string(), simulation}, {"none", "valid: "});
  raw.simulated[0]["about"] = json::object();
  write();
  expect_refusal({"validate", compared, simulation},
                 {"the key 'about.profile' is missing", "valid: "});
}

TEST_F(Validate, RefusesAnAccuracyOfNothingThatIsContended) {
  raw = dataset::datasets_of({{dataset::on("primes", "stealing"), {1}, {1}}});
  raw.simulated[0]["about"]["profile"] = used_profile;
  write();
  expect_refusal(
      {"validate", measured().string(), simulated().string(), "--profile", profile_file().string()},
      {"no benchmark held out is contended", "valid: "});
}

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class ReferenceValidation : public driver_fixture {
 protected:
  [[nodiscard]] static fs::path file(const std::string& experiment) {
    return fs::path(STEALBENCH_RUNS "/validation") / (experiment + ".jsonl.gz");
  }
};

TEST_F(ReferenceValidation, IsWhatThePageShows) {
  const process_result result =
      drive({"validate", file("compare").string(), file("simulate").string(), "--markdown"});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(
      contains(text_of(STEALBENCH_ROOT "/schedulers/virtual_machine/validation.md"), result.output))
      << "renew it: cmake --build --preset verify --target pages";
}

// The runs have prices with a deque that was deleted after them, `asymmetric`, which continuation
// stealing had.
void leave_out_asymmetric(json& prices) {
  if (prices.erase("work-stealing:deque=asymmetric") == 0) return;
  prices["continuation-stealing"] = prices.at("continuation-stealing:deque=chase-lev");
  prices.erase("continuation-stealing:deque=chase-lev");
}

TEST_F(ReferenceValidation, IsOfTheReferenceProfileWhichHasItsAccuracy) {
  json expected = dataset::read_file(file("simulate")).data.header().at("about").at("profile");
  const fs::path copy = folder() / "reference.json";
  std::ofstream(copy) << expected;
  const process_result result = drive({"validate", file("compare").string(),
                                       file("simulate").string(), "--profile", copy.string()});
  leave_out_asymmetric(expected["schedulers"]);
  for (json& each : expected["work"]) {
    if (each.contains("schedulers")) leave_out_asymmetric(each["schedulers"]);
  }
  const json profile =
      json::parse(text_of(STEALBENCH_ROOT "/schedulers/virtual_machine/profiles/reference.json"));
  if (profile["accuracy"].is_null()) {  // Then it must be that the runs hold nothing out.
    EXPECT_EQ(result.status, 2);
    EXPECT_TRUE(contains(result.errors, "no benchmark held out")) << result.errors;
    return;
  }
  ASSERT_EQ(result.status, 0) << result.errors;
  expected["accuracy"] = json::parse(text_of(copy))["accuracy"];
  EXPECT_EQ(profile, expected) << "the profile was changed without bench/reference.sh validation";
}

}  // namespace
}  // namespace stealbench::end_to_end
