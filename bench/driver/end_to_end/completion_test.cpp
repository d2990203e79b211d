// What the completion scripts offer, by the shells themselves.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bench/driver/end_to_end/driver_fixture.hpp"

namespace stealbench::end_to_end {
namespace {

using texts = std::vector<std::string>;

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Completion : public driver_fixture {
 protected:
  /// What bash offers behind these words, the last of which is not complete.
  [[nodiscard]] texts offers(const texts& words) const {
    std::string typed = STEALBENCH_DRIVER;
    for (const std::string& word : words) typed += " " + word;
    const process_result result = run_program("/bin/bash", {"-c", R"(source <("$0" completion bash)
COMP_LINE=$1 COMP_POINT=${#1}
_stealbench
printf '%s\n' "${COMPREPLY[@]}"
)",
                                                            STEALBENCH_DRIVER, typed});
    EXPECT_EQ(result.errors, "");
    texts offered;
    std::istringstream lines(result.output);
    for (std::string line; std::getline(lines, line);) {
      if (!line.empty()) offered.push_back(line);
    }
    return offered;
  }
};

TEST_F(Completion, OffersCommands) {
  EXPECT_EQ(offers({"com"}), (texts{"compare", "completion"}));
  EXPECT_EQ(offers({"--v"}), texts{"--version"});
}

TEST_F(Completion, OffersTheOptionsOfTheCommand) {
  const texts all = offers({"compare", "--"});
  for (const char* const option : {"--help", "--workloads", "--schedulers", "--scheduler",
                                   "--budget", "--resume", "--overwrite"}) {
    EXPECT_EQ(std::count(all.begin(), all.end(), option), 1) << option;
  }
  EXPECT_EQ(std::count(all.begin(), all.end(), "--metrics"), 0);
  EXPECT_EQ(offers({"micro", "--met"}), texts{"--metrics"});
  EXPECT_EQ(offers({"compare", "--ablation", "--bud"}), texts{"--budget"}) << "behind a flag";
}

TEST_F(Completion, OffersWorkloads) {
  const texts with_f{"fft", "fib", "floorplan"};
  EXPECT_EQ(offers({"run", "f"}), with_f);
  EXPECT_EQ(offers({"run", "--workers", "2", "f"}), with_f) << "a value is no argument";
  EXPECT_EQ(offers({"run", "fib", "f"}), texts{}) << "there is one";
  EXPECT_EQ(offers({"grain", "f"}), (texts{"fft", "floorplan"})) << "those with a grain";
  EXPECT_EQ(offers({"compare", "--workloads", "fib,ut"}), texts{"fib,uts"});
}

TEST_F(Completion, OffersTheValuesOfOptions) {
  EXPECT_EQ(offers({"run", "fib", "--size", "s"}), (texts{"small", "standard"}));
  EXPECT_EQ(offers({"compare", "--size=s"}), (texts{"small", "standard"}));
  EXPECT_EQ(offers({"micro", "--metrics", "spawn,wa"}), (texts{"spawn,wake", "spawn,waker"}));
  EXPECT_EQ(offers({"run", "fib", "--workers", ""}), texts{});
  EXPECT_EQ(offers({"completion", ""}), (texts{"bash", "zsh"}));
  EXPECT_EQ(offers({"report", folder().string()}), texts{folder().string()});
  EXPECT_EQ(offers({"merge", "a", "b", folder().string()}), texts{folder().string()})
      << "any number of them";
}

TEST_F(Completion, OffersTheSchedulersThatAreBuiltAndTheirSettings) {
  use_planted_schedulers();
  plant("stealbench-serial", "exit 0");
  plant("stealbench-work-stealing", "exit 0");
  EXPECT_EQ(offers({"run", "fib", "--scheduler", ""}), (texts{"serial", "work-stealing"}));
  EXPECT_EQ(offers({"compare", "--schedulers", "serial,work-stealing:id"}),
            (texts{"idle=park", "idle=yield", "idle=spin"}));
  EXPECT_EQ(offers({"run", "fib", "--scheduler", "work-stealing:deque=l"}), texts{"locked"});
}

TEST_F(Completion, OffersTheParametersOfTheWorkload) {
  EXPECT_EQ(offers({"run", "uts", "--set", "tree=T1"}), (texts{"T1", "T1L", "T1XL", "T1XXL"}));
  EXPECT_EQ(offers({"calibrate", "--workloads", "fib", "--set", ""}), texts{"n="});
  EXPECT_EQ(offers({"calibrate", "--set", ""}), texts{}) << "of no workload";
}

TEST_F(Completion, OffersProfiles) {
  use_planted_schedulers();
  std::filesystem::create_directories(folder() / "profiles");
  for (const char* const name : {"reference", "one-socket"}) {
    std::ofstream(folder() / "profiles" / (std::string(name) + ".json")) << "{}";
  }
  EXPECT_EQ(offers({"simulate", "fib", "--profile", ""}), (texts{"one-socket", "reference"}));
  EXPECT_EQ(offers({"simulate", "ut"}), texts{"uts"}) << "what can be simulated";
}

TEST_F(Completion, TheScriptForZshParses) {
  if (call_shell("command -v zsh").status != 0) GTEST_SKIP() << "zsh is not installed";
  const std::string script = (folder() / "_stealbench").string();
  std::ofstream(script) << drive({"completion", "zsh"}).output;
  const process_result result = call_shell("zsh -n " + script);
  EXPECT_EQ(result.status, 0) << result.errors;
}

TEST_F(Completion, RefusesAnUnknownShell) {
  expect_refusal({"completion", "fish"}, {"SHELL fish: must be one of bash, zsh"});
  expect_refusal({"completion"}, {"SHELL is required"});
}

}  // namespace
}  // namespace stealbench::end_to_end
