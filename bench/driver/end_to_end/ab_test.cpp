// Two builds in the same rounds: folders of planted schedulers, and the script that builds two
// commits.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bench/driver/end_to_end/driver_fixture.hpp"
#include "bench/driver/end_to_end/planted_fixture.hpp"

namespace stealbench::end_to_end {
namespace {

namespace fs = std::filesystem;
using texts = std::vector<std::string>;

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class AB : public driver_fixture {
 protected:
  AB() {
    fs::create_directory(folder() / "a");
    fs::create_directory(folder() / "b");
    plant_builds("1000000", "1000000");
  }

  /// Formulas as `taking` has them; each build is of another commit.
  void plant_builds(const std::string& a, const std::string& b) const {
    plant("a/stealbench-serial", of_commit("aaa", taking(a)));
    plant("b/stealbench-serial", of_commit("bbb", taking(b)));
  }

  [[nodiscard]] static std::string of_commit(const std::string& commit, std::string script) {
    const std::string known = R"({"num_cpus":2)";
    return script.replace(script.find(known), known.size(),
                          known + R"(,"commit":")" + commit + '"');
  }

  [[nodiscard]] std::string build(const std::string& name) const { return folder() / name; }

  [[nodiscard]] process_result measure(const std::string& first, const std::string& second,
                                       const texts& more = {},
                                       const std::string& rounds = "6") const {
    for (const char* const name : {"a", "b"}) {
      for (const auto& each : fs::directory_iterator(folder() / name)) {
        if (each.path().extension() == ".rounds") fs::remove(each.path());
      }
    }
    texts arguments{"ab", build(first), build(second),     "--workloads", "fib",      "--workers",
                    "1",  "--output",   output().string(), "--overwrite", "--rounds", rounds};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return drive(arguments);
  }
};

TEST_F(AB, ABuildIsNoSlowerThanItself) {
  if (!is_built("serial")) GTEST_SKIP() << "serial is not built";
  const std::string built = fs::path(STEALBENCH_DRIVER).parent_path();
  const process_result result =
      drive({"ab", built, built, "--workloads", "fib", "--size", "test", "--schedulers", "serial",
             "--rounds", "6", "--threshold", "100", "--output", output()});
  EXPECT_EQ(result.status, 0) << result.output << result.errors;
  EXPECT_TRUE(contains(result.output, "1 benchmark: 0 slower, 0 faster, 1 without"))
      << result.output;
  EXPECT_EQ(process_count("ab"), 12U);
  const dataset::measurements measured = data("ab");
  EXPECT_EQ(measured.context("A")["commit"], measured.context("B")["commit"]);
  EXPECT_TRUE(measured.context("B").contains("flags"));
  expect_valid_by_the_schema("ab");
}

TEST_F(AB, ASlowerBuildIsAFailureAndAFasterOneIsNone) {
  plant_builds("1000000", "1100000");
  const process_result slower = measure("a", "b");
  EXPECT_EQ(slower.status, 1) << slower.errors;
  EXPECT_TRUE(contains(slower.output, "1 benchmark: 1 slower, 0 faster, 0 without"))
      << slower.output;
  EXPECT_TRUE(contains(slower.output,
                       "1.00 ms [1.00, 1.00]  1.10 ms [1.10, 1.10]  1.10 × [1.10, 1.10]  slower"))
      << slower.output;
  expect_valid_by_the_schema("ab");
  const process_result faster = measure("b", "a");
  EXPECT_EQ(faster.status, 0) << faster.output;
  EXPECT_TRUE(contains(faster.output, "0.909 × [0.909, 0.909]  faster")) << faster.output;
}

TEST_F(AB, ADifferenceBelowTheThresholdIsNone) {
  plant_builds("1000000", "1100000");
  EXPECT_EQ(measure("a", "b", {"--threshold", "9"}).status, 1);
  const process_result below = measure("a", "b", {"--threshold", "11"});
  EXPECT_EQ(below.status, 0) << below.output;
  EXPECT_TRUE(contains(below.output, "1 without a significant change of more than 11 %"))
      << below.output;
}

// Each round takes longer than the one before it, in both builds.
TEST_F(AB, TheIntervalIsOfTheRatiosOfEachRound) {
  plant_builds("1000000 * round", "1100000 * round");
  const process_result result = measure("a", "b");
  EXPECT_TRUE(contains(result.output, "  1.10 × [1.10, 1.10]")) << result.output;
  EXPECT_EQ(result.status, 0) << "the times of six rounds do not show it: " << result.output;
}

TEST_F(AB, FewerThanSixRoundsTellNothingApart) {
  plant_builds("1000000", "9000000");
  const process_result result = measure("a", "b", {}, "5");
  EXPECT_EQ(result.status, 0);
  EXPECT_TRUE(contains(result.output, "1 benchmark not told apart yet: that needs 6 rounds"))
      << result.output;
}

TEST_F(AB, EachBuildHasItsCommitInTheReportAndTheRawFile) {
  ASSERT_EQ(measure("a", "b", {"--seed", "7"}).status, 0);
  const dataset::measurements measured = data("ab");
  EXPECT_EQ(measured.context("A")["commit"], "aaa");
  EXPECT_EQ(measured.context("B")["commit"], "bbb");
  EXPECT_EQ(measured.builds(), (texts{"A", "B"}));
  EXPECT_EQ(lines_of_type("context", "ab").size(), 2U);
  const process_result report = drive({"report", output()});
  EXPECT_EQ(report.status, 0) << report.errors;
  EXPECT_TRUE(contains(report.output, "; commit aaa and bbb; ")) << report.output;
  const auto count_rows = [&](const std::string& pattern) {
    return call_shell("grep -c '" + pattern + "' '" + (output() / "ab.md").string() + "'").output;
  };
  EXPECT_EQ(count_rows("^| commit  *| aaa  *| bbb  *|$"), "1\n");
  EXPECT_EQ(count_rows("^| commit of B  *| bbb  *|$"), "1\n");
  EXPECT_TRUE(contains(text_of(output() / "report.html"), "B ÷ A"));
  const std::string csv = text_of(output() / "ab.csv");
  EXPECT_EQ(count_of("/build:A,fib,", csv), 1U) << csv;
  EXPECT_EQ(count_of("/build:B,fib,", csv), 1U) << csv;
}

TEST_F(AB, WhatFailsInBIsAFailureAndWhatFailsInAIsNone) {
  plant("b/stealbench-serial", "echo out of cheese >&2; exit 3");
  const process_result broken = measure("a", "b");
  EXPECT_EQ(broken.status, 1);
  EXPECT_TRUE(contains(broken.output, "slower (exit status 3: out of cheese)")) << broken.output;
  expect_valid_by_the_schema("ab");
  const process_result mended = measure("b", "a");
  EXPECT_EQ(mended.status, 0) << mended.output;
  EXPECT_TRUE(contains(mended.output, "0 slower, 1 faster")) << mended.output;
  EXPECT_TRUE(contains(mended.output, "DNF fib/serial/n:35/workers:1/build:A")) << mended.output;
  const process_result nothing = measure("b", "b");
  EXPECT_EQ(nothing.status, 1) << "nothing was compared";
}

TEST_F(AB, AProgramInAnotherLanguageIsARow) {
  for (const char* const name : {"a", "b"}) {
    fs::copy_file(STEALBENCH_ROOT "/bench/template/stealbench-python",
                  folder() / name / "stealbench-python");
  }
  const process_result result = measure("a", "b", {"--schedulers", "all", "--size", "test"}, "1");
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(contains(result.output, "\nfib/python/n:20/workers:1 ")) << result.output;
  EXPECT_TRUE(
      contains(data("ab").context("B")["library of python"].get<std::string>(), "Python 3"));
}

TEST_F(AB, ASchedulerOfOneBuildAloneIsSaidOrRefused) {
  plant("a/stealbench-openmp", taking("1000000"));
  plant("b/stealbench-mine", taking("1000000"));
  const process_result result = measure("a", "b");
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(
      contains(result.errors,
               "Not measured: build A alone has openmp\nNot measured: build B alone has mine\n"))
      << result.errors;
  EXPECT_EQ(data("ab").cells().size(), 2U);
  expect_refusal({"ab", build("a"), build("b"), "--schedulers", "serial,openmp"},
                 {"scheduler openmp is not in both builds; valid: serial\n"});
  fs::remove(folder() / "b/stealbench-serial");
  expect_refusal({"ab", build("a"), build("b")},
                 {"the builds have no scheduler in common; valid: "});
}

TEST_F(AB, WhatIsNoBuildIsRefused) {
  expect_refusal({"ab"}, {"BUILD_A is required; valid: a folder of executables stealbench-NAME"});
  expect_refusal({"ab", build("a")}, {"BUILD_B is required; valid: "});
  expect_refusal({"ab", build("a"), build("c")},
                 {"BUILD_B '" + build("c") + "' has no such executable; valid: "});
  fs::create_directory(folder() / "c");
  std::ofstream(folder() / "c/stealbench-serial") << "not executable";
  expect_refusal({"ab", build("c"), build("a")},
                 {"BUILD_A '" + build("c") + "' has no such executable; valid: "});
  expect_refusal({"ab", build("a"), build("b"), "--threshold", "0"}, {"between 0.01 and 100"});
}

TEST_F(AB, OneThatIsStoppedGoesOnWithTheSameTwoBuildsAlone) {
  const auto killing = [&](const std::string& script) {
    return "echo >> '" + build("calls") + "'\nif [ $(wc -l < '" + build("calls") +
           "') = 9 ]; then kill -KILL $PPID; exec sleep 600; fi\n" + script;
  };
  plant("a/stealbench-serial", killing(of_commit("aaa", taking("1000000"))));
  plant("b/stealbench-serial", killing(of_commit("bbb", taking("1100000"))));
  ASSERT_EQ(measure("a", "b").how, ending::signalled);
  ASSERT_EQ(process_count("ab"), 8U);
  EXPECT_EQ(drive({"report", output()}).status, 0);
  const std::string good = text_of(folder() / "b/stealbench-serial");
  plant("b/stealbench-serial", of_commit("ccc", taking("1100000")));
  const process_result refused = drive({"ab", "--resume", "--output", output()});
  EXPECT_EQ(refused.status, 2);
  EXPECT_TRUE(
      contains(refused.errors, R"(commit was "bbb" when the experiment started and is "ccc")"))
      << refused.errors;
  expect_refusal({"ab", build("b"), build("a"), "--resume", "--output", output()},
                 {"BUILD_A was ", "BUILD_B was "});
  std::ofstream(folder() / "b/stealbench-serial") << good;
  const process_result resumed = drive({"ab", "--resume", "--output", output()});
  EXPECT_EQ(resumed.status, 1) << resumed.errors;
  EXPECT_TRUE(contains(resumed.output, "1 slower")) << resumed.output;
  EXPECT_EQ(process_count("ab"), 12U);
  expect_valid_by_the_schema("ab");
}

TEST_F(AB, AnUnfinishedOneOfWhichOneBuildHasRunIsReported) {
  ASSERT_EQ(measure("a", "b").status, 0);
  edit_lines([](std::vector<json>& lines) { lines.resize(3); }, "ab");
  const process_result report = drive({"report", output()});
  EXPECT_EQ(report.status, 0) << report.errors;
  EXPECT_TRUE(contains(report.output, "This experiment is unfinished")) << report.output;
}

/// A project of two commits, of which the second has a slower row, and whose builds take no time.
// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class ABScript : public AB {
 protected:
  ABScript() {
    write("CMakePresets.json",
          R"({"version": 6, "configurePresets": [{"name": "compare", "generator": "Ninja",
              "binaryDir": "${sourceDir}/build/compare"}]})");
    write("CMakeLists.txt",
          "cmake_minimum_required(VERSION 3.25)\n"
          "project(two_commits NONE)\n"
          "configure_file(stealbench-canned ${CMAKE_BINARY_DIR} COPYONLY)\n"
          "file(CREATE_LINK " STEALBENCH_DRIVER
          " ${CMAKE_BINARY_DIR}/stealbench SYMBOLIC)\n"
          "foreach(target stealbench comparison stealbench-canned stealbench-canned.ring)\n"
          "  add_custom_target(${target} COMMAND echo built ${target})\n"
          "endforeach()\n");
    write(".gitignore", "/build/\n");
    fs::create_directory(project() / "bench");
    fs::copy_file(STEALBENCH_ROOT "/bench/ab.sh", project() / "bench/ab.sh");
    EXPECT_EQ(in_project("git init --quiet").status, 0);
    commit("1000000");
    commit("1100000");
  }

  [[nodiscard]] fs::path project() const { return folder() / "project"; }

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories(project());
    std::ofstream(project() / name) << text;
  }

  void commit(const std::string& nanoseconds) const {
    plant("project/stealbench-canned", taking(nanoseconds));
    const process_result result =
        in_project("git add --all && git -c user.name=N -c user.email=E commit --quiet --message " +
                   nanoseconds);
    EXPECT_EQ(result.status, 0) << result.errors;
  }

  /// In the project, also if a hook of git runs the tests.
  [[nodiscard]] process_result in_project(const std::string& command) const {
    return call_shell("unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE; cd '" + project().string() +
                      "' && " + command);
  }

  const std::string options = " --workloads fib --workers 1 --rounds 6 --calm 0";
};

TEST_F(ABScript, BuildsTwoCommitsAndFailsIfTheSecondIsSlower) {
  const process_result slower = in_project("bench/ab.sh HEAD~1 HEAD --" + options);
  EXPECT_EQ(slower.status, 1) << slower.output << slower.errors;
  EXPECT_TRUE(contains(slower.output, "1.10 × [1.10, 1.10]  slower")) << slower.output;
  EXPECT_TRUE(contains(slower.errors, "built comparison")) << slower.errors;
  const process_result faster = in_project("bench/ab.sh HEAD HEAD~1 --" + options);
  EXPECT_EQ(faster.status, 0) << faster.output << faster.errors;
  EXPECT_TRUE(contains(faster.output, "0.909 × [0.909, 0.909]  faster")) << faster.output;
  EXPECT_EQ(in_project("git status --porcelain").output, "");
  const std::string raw = text_of(project() / "build/ab/results/ab.jsonl");
  EXPECT_FALSE(contains(raw.substr(0, raw.find('\n')), project().string())) << "an absolute path";
}

TEST_F(ABScript, BuildsTheSchedulersThatItIsToMeasure) {
  const process_result result = in_project(
      "bench/ab.sh HEAD HEAD -- --schedulers canned:deque=ring:join=leapfrog,canned:deque=usual" +
      options);
  EXPECT_TRUE(contains(result.errors, "built stealbench-canned\n")) << result.errors;
  EXPECT_TRUE(contains(result.errors, "built stealbench-canned.ring\n")) << result.errors;
  EXPECT_FALSE(contains(result.errors, "built comparison")) << result.errors;
  EXPECT_EQ(result.status, 2) << "it has no settings";
}

TEST_F(ABScript, SaysWhatItTakes) {
  for (const char* const arguments : {"", "HEAD", "HEAD HEAD --rounds 1"}) {
    const process_result result = in_project(std::string("bench/ab.sh ") + arguments);
    EXPECT_EQ(result.status, 2) << arguments;
    EXPECT_TRUE(contains(result.errors, "usage: bench/ab.sh REF_A REF_B")) << result.errors;
  }
  const process_result unknown = in_project("bench/ab.sh HEAD no-such-branch");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_TRUE(contains(unknown.errors, "'no-such-branch' is no commit; valid: ")) << unknown.errors;
}

TEST_F(ABScript, IsAnActionThatWritesTheReportAsTheSummaryOfTheJob) {
  const std::string action = text_of(STEALBENCH_ROOT "/.github/actions/ab/action.yml");
  const std::string before = "\n      run: ";
  const std::size_t at = action.find(before) + before.size();
  const std::string command = action.substr(at, action.find('\n', at) - at);
  setenv("BASE", "HEAD~1", 1);
  setenv("HEAD", "HEAD", 1);
  setenv("ARGUMENTS", options.c_str(), 1);
  setenv("GITHUB_STEP_SUMMARY", (folder() / "summary.md").c_str(), 1);
  const process_result result = in_project(command);
  for (const char* const each : {"BASE", "HEAD", "ARGUMENTS", "GITHUB_STEP_SUMMARY"})
    unsetenv(each);
  EXPECT_EQ(result.status, 1) << command << result.errors;
  const std::string summary = text_of(folder() / "summary.md");
  EXPECT_TRUE(contains(summary, "1 benchmark: 1 slower")) << summary;
  EXPECT_TRUE(contains(summary, "| fib/canned/n:35/workers:1 | 1.00 ms")) << summary;
}

}  // namespace
}  // namespace stealbench::end_to_end
