#include <gtest/gtest.h>

#include "bench/driver/experiments/simulate/simulate.hpp"
#include "results/system/scratch_folder_fixture.hpp"

namespace stealbench::experiments::simulate {
namespace {

TEST(Duration, IsANumberWithAUnit) {
  EXPECT_EQ(nanoseconds_of("90ns"), 90);
  EXPECT_EQ(nanoseconds_of("0.5us"), 500);
  EXPECT_EQ(nanoseconds_of("11µs"), 11'000);
  EXPECT_EQ(nanoseconds_of("2ms"), 2e6);
  EXPECT_EQ(nanoseconds_of("0ns"), 0);
  for (const char* const wrong : {"", "90", "ns", "90 ns", "90nsx", "90s", "-1ns", "nanns", "infns",
                                  "1001ms", "1e400ns", "0x10ns", "9,5ns"}) {
    EXPECT_FALSE(nanoseconds_of(wrong)) << wrong;
  }
}

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Machine : public system::scratch_folder {
 protected:
  Machine() {
    std::filesystem::create_directories(folder() / "profiles");
    virtual_machine::profile profile;
    profile.name = "reference";
    profile.costs.transfer = 90;
    profile.costs.remote_transfer = 200;
    profile.costs.pause = 24;
    profile.validated.emplace();
    std::ofstream(folder() / "profiles/reference.json") << json_of(profile);
    profile.name = "other";
    std::ofstream(folder() / "mine.json") << json_of(profile);
  }

  [[nodiscard]] std::string refusal_of(const std::string& profile) const {
    try {
      static_cast<void>(find_machine({.profile = profile}, installed));
    } catch (const kit::bad_input& error) {
      return error.what();
    }
    return {};
  }

  rounds::installation installed{folder()};
};

TEST_F(Machine, IsAProfileByNameOrAFile) {
  EXPECT_EQ(find_machine({.profile = "reference"}, installed).profile.name, "reference");
  EXPECT_TRUE(find_machine({.profile = "reference"}, installed).profile.validated);
  EXPECT_EQ(find_machine({.profile = folder() / "mine.json"}, installed).profile.name, "other");
  EXPECT_EQ(installed.profiles(), std::vector<std::string>{"reference"});
}

TEST_F(Machine, IsTheOneCalibratedHereUnlessAnotherIsNamed) {
  const auto found = [&](const machine_options& chosen) {
    return find_machine(chosen, installed, folder(), "Z80");
  };
  EXPECT_EQ(found({}).profile.name, "reference") << "nothing was calibrated";
  EXPECT_EQ(found({}).source, "reference");
  std::filesystem::copy(folder() / "mine.json", folder() / default_profile_file);
  EXPECT_EQ(found({}).profile.name, "other");
  EXPECT_EQ(found({}).source, folder() / default_profile_file);
  EXPECT_EQ(found({.profile = "reference"}).profile.name, "reference");
  EXPECT_EQ(find_machine({}, installed, folder() / "profiles", "Z80").profile.name, "reference");
  std::ofstream(folder() / default_profile_file) << "torn";
  EXPECT_THROW((void)found({}), kit::bad_input) << "not silently the reference";
}

TEST_F(Machine, SaysThatItIsOfAnotherProcessor) {
  const auto other = [&](const std::string& of_profile, const std::string& of_machine) {
    virtual_machine::profile profile;
    profile.processor = of_profile;
    profile.costs.pause = 24;
    std::ofstream(folder() / "profiles/reference.json") << json_of(profile);
    return find_machine({.profile = "reference"}, installed, folder(), of_machine).other_processor;
  };
  EXPECT_EQ(other("Z80, 2 processors", "Z80"), "");
  EXPECT_EQ(other("Z80", "Z80"), "");
  EXPECT_EQ(other("Z80, 2 processors", "Z8"), "Z8");
  EXPECT_EQ(other("Z80, 2 processors", "Z80 (family 26, model 2)"), "Z80 (family 26, model 2)");
}

TEST_F(Machine, IsNamedByTheFamilyOfItsProcessorToo) {
  const auto name_of = [&](const char* text) {
    std::ofstream(folder() / "cpuinfo") << text;
    return system::processor_model(folder() / "cpuinfo");
  };
  EXPECT_EQ(name_of("cpu family\t: 26\nmodel\t\t: 2\nmodel name\t: AMD EPYC\n"),
            "AMD EPYC (family 26, model 2)");
  EXPECT_EQ(name_of("model name\t: Z80\n"), "Z80");
  EXPECT_EQ(name_of(""), "unknown");
}

TEST_F(Machine, IsNotValidatedWithOtherCosts) {
  const simulated_machine machine =
      find_machine({.profile = "reference", .transfer = "45ns", .wake = "1us"}, installed);
  EXPECT_EQ(machine.profile.costs.transfer, 45);
  EXPECT_EQ(machine.profile.costs.remote_transfer, 45);
  EXPECT_EQ(machine.profile.costs.wake, 1000);
  EXPECT_EQ(machine.changes, (std::vector<std::string>{"transfer 45ns", "wake 1us"}));
  EXPECT_FALSE(machine.profile.validated);
}

TEST_F(Machine, NamesTheProfilesThereAre) {
  EXPECT_EQ(refusal_of("nosuch"),
            "--profile nosuch: there is no such profile and no such file; valid: reference, or a "
            "file that `stealbench calibrate` has written");
  EXPECT_TRUE(refusal_of(folder()).starts_with("--profile " + folder().string() + ": there is no"));
  for (const char* const text : {"", "{}", "5", R"({"format":7})"}) {
    std::ofstream(folder() / "wrong.json") << text;
    const std::string message = refusal_of(folder() / "wrong.json");
    EXPECT_NE(message.find("is not a profile: "), std::string::npos) << text << ": " << message;
  }
}

}  // namespace
}  // namespace stealbench::experiments::simulate
