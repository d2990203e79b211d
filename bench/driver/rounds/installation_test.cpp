#include "bench/driver/rounds/installation.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "bench/driver/rounds/cell_process.hpp"
#include "results/system/scratch_folder_fixture.hpp"

namespace stealbench::rounds {
namespace {

using kit::bad_input;

/// The message that a call ends in; empty if it returns.
template <class F>
std::string message_of(F&& call) {
  try {
    static_cast<void>(call());
  } catch (const bad_input& error) {
    return error.what();
  }
  return {};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
using Installation = system::scratch_folder;

TEST_F(Installation, ASchedulerIsBuiltIfItsExecutableIsThere) {
  const installation installed(folder());
  EXPECT_TRUE(installed.built().empty());
  for (const std::string& name : known_schedulers()) EXPECT_FALSE(installed.is_built(name)) << name;
  const auto script = plant("stealbench-onetbb", "exit 0");
  EXPECT_EQ(installed.built(), std::vector<std::string>{"onetbb"});
  EXPECT_EQ(installed.executable_of("onetbb"), script);
}

TEST_F(Installation, WhatIsComparedIfNothingIsNamedIsKnown) {
  EXPECT_FALSE(compared_schedulers().empty());
  for (const std::string& name : compared_schedulers()) {
    EXPECT_EQ(std::ranges::count(known_schedulers(), name), 1) << name;
  }
}

TEST_F(Installation, AllThatTheBuildCanHaveAreBuiltOrTheMessageSaysHow) {
  const installation installed(folder(), {"stealbench-serial", "stealbench-work-stealing.abp",
                                          "stealbench-simulated-work-stealing"});
  const auto message = [&](bool are_simulations) {
    return message_of([&] {
      installed.expect_all_built(are_simulations);
      return 0;
    });
  };
  plant("stealbench-serial", "exit 0");
  EXPECT_TRUE(contains(message(false), "stealbench-work-stealing.abp is not built"));
  EXPECT_TRUE(contains(message(false), "cmake --preset compare && cmake --build build/compare"));
  EXPECT_TRUE(contains(message(true), "stealbench-simulated-work-stealing is not built"));
  plant("stealbench-work-stealing.abp", "exit 0");
  EXPECT_EQ(message(false), "");
  plant("stealbench-simulated-work-stealing", "exit 0");
  EXPECT_EQ(message(true), "");
}

// The build in the folder makes the executable of openmp alone, for want of packages and libraries.
TEST_F(Installation, WhatIsMissingIsAddedByABuildOrBehindAPackageOrFromItsSources) {
  const installation installed(folder(), {"stealbench-openmp"});
  const std::string build = "cmake --preset compare && cmake --build build/compare --target ";
  const auto command = [&](const std::vector<std::string>& names) {
    std::string all;
    for (const addition& each : installed.additions_of(names)) {
      for (const std::string& name : each.names) all += name + ' ';
      all += each.command + '\n';
    }
    return all;
  };
  EXPECT_EQ(command({}), "");
  EXPECT_EQ(
      command({"rayon", "openmp", "serial", "goroutines", "taskflow"}),
      "openmp serial " + build + "stealbench stealbench-NAME\n" +
          "rayon goroutines .ci/install NAME &&\n  " + build + "stealbench stealbench-NAME\n" +
          "taskflow export CMAKE_PREFIX_PATH=FOLDER  # see schedulers/taskflow/README.md\n  " +
          build + "stealbench stealbench-taskflow\n");
  EXPECT_EQ(installed.build_command("rayon"),
            ".ci/install rayon &&\n  " + build + "stealbench stealbench-rayon");
  EXPECT_EQ(installation(folder(), {"stealbench-rayon"}).build_command("rayon"),
            build + "stealbench stealbench-rayon")
      << "its library is there";
  EXPECT_EQ(installed.compare_command({"openmp", "serial"}), build + "comparison");
  EXPECT_EQ(installed.compare_command({"openmp", "rayon", "openmp-llvm"}),
            ".ci/install rayon openmp-llvm && " + build + "comparison");
}

TEST_F(Installation, ADequeWhoseExecutableIsNotBuiltSaysHowToBuildIt) {
  const installation installed(folder(), {"stealbench-work-stealing.locked"});
  const cell::self_description described{.scheduler = "work-stealing",
                                         .settings = {{"deque", "where", {{"split"}, {"locked"}}},
                                                      {"idle", "how", {{"park"}, {"spin"}}}},
                                         .counters = {}};
  plant("stealbench-work-stealing", "echo '" + nlohmann::json(described).dump() + "'");
  const char* const typed = "work-stealing:idle=spin:deque=locked";
  EXPECT_EQ(message_of([&] { return installed.choose(typed); }),
            "work-stealing:deque=locked:idle=spin is not built; build it with\n"
            "  cmake --preset compare && cmake --build build/compare --target stealbench "
            "stealbench-work-stealing.locked");
  EXPECT_EQ(installed.choose("work-stealing:idle=spin").name, "work-stealing:idle=spin");
  plant("stealbench-work-stealing.locked", "exit 0");
  EXPECT_EQ(installed.choose(typed).name, "work-stealing:deque=locked:idle=spin");
}

// What it prints before is as good as what one prints that has no settings.
TEST_F(Installation, ASchedulerThatCrashesOrFailsIsNotOneWithoutSettings) {
  for (const auto& [script, how] : std::vector<std::pair<std::string, std::string>>{
           {"kill -SEGV $$", "ended by signal 11"},
           {"echo 'no such library' >&2; exit 127", "exit status 127: no such library"}}) {
    const auto executable = plant("stealbench-onetbb", "echo '{}'; " + script);
    try {
      static_cast<void>(installation(folder()).choose("onetbb:order=lifo"));
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      const std::string message = error.what();
      EXPECT_TRUE(message.starts_with("onetbb cannot describe itself: " + executable.string() +
                                      " --describe: " + how))
          << message;
    }
  }
}

TEST_F(Installation, ASchedulerThatIsNotBuiltSaysHowToBuildIt) {
  const installation installed(folder());
  const std::string message = message_of([&] { return installed.executable_of("work-stealing"); });
  EXPECT_TRUE(contains(message, "not built")) << message;
  EXPECT_TRUE(contains(message, "--target stealbench stealbench-work-stealing")) << message;
}

TEST_F(Installation, AnUnknownSchedulerNamesTheKnownOnes) {
  const installation installed(folder());
  const std::string message = message_of([&] { return installed.executable_of("lottery"); });
  EXPECT_TRUE(contains(message, "'lottery'")) << message;
  for (const std::string& name : known_schedulers()) EXPECT_TRUE(contains(message, name));
}

TEST_F(Installation, AnUnknownWorkloadNamesTheKnownOnes) {
  EXPECT_EQ(find_workload("uts").name, "uts");
  const std::string message = message_of([] { return find_workload("sudoku"); });
  for (const char* const name : {"'sudoku'", "fib", "mergesort", "uts"}) {
    EXPECT_TRUE(contains(message, name)) << message;
  }
}

TEST_F(Installation, ACellIsCalledAsItsBenchmarkIs) {
  const target which{{{"uts", {{"tree", "T1"}, {"granularity", "2"}}}, "work-stealing", 2}, "x"};
  EXPECT_EQ(name_of(which.which), "uts/work-stealing/tree:T1/granularity:2/workers:2");
  EXPECT_EQ(label_of(which.which.what), "uts tree=T1 granularity=2");
  EXPECT_EQ(arguments_of(which),
            (std::vector<std::string>{"--workload", "uts", "--size", "none", "--workers", "2",
                                      "--set", "tree=T1", "--set", "granularity=2"}));
}

TEST_F(Installation, ASchedulerIsChosenWithItsSettingsInCanonicalForm) {
  const installation installed(folder());
  const cell::self_description described{.scheduler = "work-stealing",
                                         .settings = {{"deque", "where", {{"split"}, {"locked"}}},
                                                      {"idle", "how", {{"park"}, {"spin"}}}},
                                         .counters = {"steals"}};
  const auto script =
      plant("stealbench-work-stealing",
            "echo '" + nlohmann::json(described).dump() + "'; echo >> \"$0.calls\"");
  plant("stealbench-serial", "exit 0");
  EXPECT_EQ(installed.choose("work-stealing:idle=spin:deque=locked"),
            (runnable{"work-stealing:deque=locked:idle=spin", script}));
  EXPECT_EQ(installed.choose("work-stealing:deque=split"), (runnable{"work-stealing", script}));
  EXPECT_TRUE(contains(message_of([&] { return installed.choose("lottery:deque=locked"); }),
                       "unknown scheduler 'lottery'"));
  EXPECT_TRUE(
      contains(message_of([&] { return installed.choose("openmp:deque=locked"); }), "not built"));
  const std::string message = message_of([&] { return installed.choose("serial:"); });
  EXPECT_TRUE(contains(message,
                       "serial has no settings; valid: serial, or work-stealing with "
                       "deque=split|locked, idle=park|spin"))
      << message;
  EXPECT_EQ(installed.counting(), std::vector<std::string>{"work-stealing"});
  EXPECT_EQ(text_of(folder() / "stealbench-work-stealing.calls"), "\n") << "it is asked once";
}

TEST_F(Installation, WhatDoesNotDescribeItselfHasNoSettings) {
  for (const char* const body : {"exit 0", "echo 5", "echo '{\"settings\": 5}'"}) {
    const installation installed(folder());
    plant("stealbench-openmp", body);
    EXPECT_TRUE(installed.description_of("openmp").settings.empty()) << body;
    EXPECT_EQ(installed.choose("openmp").name, "openmp");
  }
}

TEST_F(Installation, ACellGivesItsExecutableTheSettings) {
  const target which{{{"fib", {}}, "work-stealing:deque=locked:idle=spin", 1}, "x"};
  EXPECT_EQ(name_of(which.which), "fib/work-stealing:deque=locked:idle=spin/workers:1");
  EXPECT_EQ(arguments_of(which),
            (std::vector<std::string>{"--workload", "fib", "--size", "none", "--workers", "1",
                                      "--variant", "deque=locked:idle=spin"}));
}

TEST_F(Installation, AFigureIsNamedInPlaceOfAWorkload) {
  const target which{{{"spawn", {}}, "work-stealing:deque=locked", 1}, "x", /*is_figure=*/true};
  EXPECT_EQ(arguments_of(which),
            (std::vector<std::string>{"--metric", "spawn", "--size", "none", "--workers", "1",
                                      "--variant", "deque=locked"}));
}

TEST_F(Installation, TheUsersAssignmentsWinOverTheSize) {
  const kit::description uts = find_workload("uts");
  EXPECT_EQ(instances_of(uts, "standard", {}).size(), 2U);
  const auto chosen = instances_of(uts, "standard", {{"tree", "T5"}});
  ASSERT_EQ(chosen.size(), 1U);
  EXPECT_EQ(label_of(chosen.front()), "uts tree=T5");
}

}  // namespace
}  // namespace stealbench::rounds
