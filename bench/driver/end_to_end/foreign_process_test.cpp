// A program in another language as a row: bench/process.md.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bench/driver/end_to_end/driver_fixture.hpp"
#include "bench/driver/end_to_end/planted_fixture.hpp"
#include "bench/driver/rounds/installation.hpp"

namespace stealbench::end_to_end {
namespace {

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class ForeignProcess : public driver_fixture {
 protected:
  ForeignProcess() {
    use_planted_schedulers();
    plant("stealbench-serial", well_behaved());
    std::filesystem::copy_file(STEALBENCH_ROOT "/bench/template/stealbench-python",
                               folder() / "stealbench-python");
  }

  [[nodiscard]] process_result compare(const std::string& workload) const {
    return drive({"compare", "--schedulers", "serial,python", "--workloads", workload, "--size",
                  "test", "--workers", "1", "--rounds", "2", "--output", output().string(),
                  "--overwrite"});
  }
};

/// A program of the suite's own in another language.
struct foreign_program {
  std::string name;
  std::string workloads;  ///< All that it has, as --workloads takes them.
  std::size_t instances;  ///< Of their size small.
  std::string library;    ///< What its provenance begins with.

  friend std::ostream& operator<<(std::ostream& out, const foreign_program& program) {
    return out << program.name;
  }
};

class ForeignProgram  // NOLINT(readability-identifier-naming): GoogleTest's suite.
    : public driver_fixture,
      public testing::WithParamInterface<foreign_program> {
 protected:
  void SetUp() override {
    const auto built =
        std::filesystem::path(STEALBENCH_DRIVER).replace_filename("stealbench-" + GetParam().name);
    if (!std::filesystem::exists(built)) GTEST_SKIP() << GetParam().name << " is not built";
  }
};

TEST_F(ForeignProcess, IsARow) {
  const process_result result = compare("fib");
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(contains(result.output, "\npython ")) << result.output;
  const dataset::measurements all = data();
  ASSERT_EQ(all.cells().size(), 2U);
  for (const auto& each : all.cells()) EXPECT_EQ(each.samples.size(), 2U);
  const auto& python = all.cells().back();
  EXPECT_EQ(python.which.scheduler, "python");
  EXPECT_EQ(values_of(python, dataset::metric::fork_count), (std::vector<double>{10945, 10945}))
      << "calls of fib(20) with two branches";
  const auto value = [&](dataset::metric which) { return values_of(python, which).front(); };
  EXPECT_GT(value(dataset::metric::first_run_seconds), 0);
  EXPECT_DOUBLE_EQ(value(dataset::metric::cpu_seconds),
                   value(dataset::metric::user_seconds) + value(dataset::metric::system_seconds));
  EXPECT_TRUE(contains(all.context()["library of python"].get<std::string>(), "Python 3"));
}

TEST_F(ForeignProcess, RunsOnce) {
  const process_result once = drive({"run", "fib", "--scheduler", "python", "--set", "n=10"});
  EXPECT_EQ(once.status, 0) << once.errors;
  EXPECT_TRUE(contains(once.output, "55")) << once.output;
}

TEST_F(ForeignProcess, IsListed) {
  const process_result all = drive({"list"});
  EXPECT_TRUE(contains(all.output, "calls one branch after the other, in Python")) << all.output;
  EXPECT_EQ(drive({"list", "python"}).status, 0);
}

TEST_F(ForeignProcess, DoesNotFinishWhatItDoesNotHave) {
  const process_result result = compare("uts");
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(contains(result.output, "python has the workload fib with its parameter n alone"))
      << result.output;
}

TEST_F(ForeignProcess, DoesNotFinishWithAWrongAnswer) {
  std::string program = text_of(folder() / "stealbench-python");
  const std::string known = "known = [0, 1]";
  ASSERT_TRUE(contains(program, known));
  program.replace(program.find(known), known.size(), "known = [0, 2]");
  std::ofstream(folder() / "stealbench-python") << program;
  const process_result result = compare("fib");
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(contains(result.output, "wrong answer")) << result.output;
}

TEST_F(ForeignProcess, CannotBeSimulated) {
  expect_refusal({"simulate", "fib", "--scheduler", "python"},
                 {"scheduler python cannot be simulated, because it does not run on the in-house"});
}

TEST_F(ForeignProcess, HasANameOfSmallLettersDigitsAndHyphens) {
  for (const char* const name : {"stealbench-Python", "stealbench-a b", "stealbench-python.old"}) {
    std::filesystem::copy_file(folder() / "stealbench-python", folder() / name);
  }
  expect_refusal(
      {"run", "fib", "--scheduler", "none"},
      {"unknown scheduler 'none'", rounds::known_schedulers().back() + ", python, sequential"});
}

INSTANTIATE_TEST_SUITE_P(
    Programs, ForeignProgram,
    testing::Values(foreign_program{"goroutines", "fib,skynet,uts", 4, "Go 1."},
                    foreign_program{"java-fork-join", "fib,skynet,uts,mergesort", 5, "Java "}),
    [](const auto& program) {
      std::string name = program.param.name;
      std::ranges::replace(name, '-', '_');
      return name;
    });

// A wrong answer would be a benchmark that did not finish.
TEST_P(ForeignProgram, HasTheAnswersOfOursAndAsManyTasks) {
  if (!is_built("serial")) GTEST_SKIP() << "serial is not built";
  const process_result result = drive(
      {"compare", "--schedulers", "serial," + GetParam().name, "--workloads", GetParam().workloads,
       "--size", "small", "--workers", "2", "--rounds", "1", "--output", output().string()});
  ASSERT_EQ(result.status, 0) << result.output << result.errors;
  const dataset::measurements all = data();
  std::map<std::string, std::set<double>> tasks;
  for (const auto& each : all.cells()) {
    tasks[label_of(each.which.what)].insert(values_of(each, dataset::metric::fork_count).at(0));
  }
  EXPECT_EQ(all.cells().size(), 2 * GetParam().instances);
  EXPECT_EQ(tasks.size(), GetParam().instances);
  for (const auto& [instance, counts] : tasks) EXPECT_EQ(counts.size(), 1U) << instance;
  const auto library = all.context()["library of " + GetParam().name].get<std::string>();
  EXPECT_TRUE(library.starts_with(GetParam().library)) << library;
}

TEST_P(ForeignProgram, RunsOnceAndIsListed) {
  const process_result once =
      drive({"run", "fib", "--scheduler", GetParam().name, "--set", "n=10", "--json"});
  EXPECT_EQ(once.status, 0) << once.errors;
  const json report = json::parse(once.output);
  EXPECT_EQ(report["answer"], 55);
  EXPECT_EQ(report["verified"], true);
  EXPECT_EQ(report["parameters"], json({{"n", "10"}}));
  EXPECT_EQ(drive({"list", GetParam().name}).status, 0);
}

TEST_P(ForeignProgram, SaysWhichWorkloadsItHas) {
  const process_result result = drive({"run", "nqueens", "--scheduler", GetParam().name});
  EXPECT_NE(result.status, 0);
  EXPECT_TRUE(contains(result.errors, GetParam().name + " has fib with n")) << result.errors;
}

}  // namespace
}  // namespace stealbench::end_to_end
