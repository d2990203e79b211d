// Comparisons that are stopped half-way, by a planted scheduler that kills the driver, and resumed.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "bench/compare/driver_fixture.hpp"
#include "bench/compare/planted.hpp"

namespace stealbench::compare {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t never = 0;
constexpr std::size_t processes_of_all = 8;  // Two cells: a round, the counting run, two rounds.
constexpr std::size_t processes_counting = 2;

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Resume : public driver_fixture {
 protected:
  Resume() {
    use_planted_schedulers();
    for (const char* const name : {"stealbench-serial", "stealbench-openmp"}) plant(name, script());
  }

  /// Runs the comparison anew; its process number `count` kills the driver before it says anything.
  process_result compare_killed_at(std::size_t count) const {
    for (const char* const old :
         {"calls", "stealbench-serial.rounds", "stealbench-openmp.rounds"}) {
      fs::remove(folder() / old);
    }
    fs::remove_all(output());
    std::ofstream(folder() / "killed_at") << count;
    return drive({"compare", "--workloads", "fib", "--schedulers", "serial,openmp", "--workers",
                  "1", "--rounds", "3", "--seed", "7", "--output", output().string()});
  }

  process_result resume(const std::vector<std::string>& more = {}) const {
    return drive(resume_arguments(more));
  }

  void expect_resume_refused(const std::vector<std::string>& more,
                             const std::vector<std::string>& parts) const {
    const std::size_t before = calls();
    expect_refusal(resume_arguments(more), parts);
    EXPECT_EQ(calls(), before) << "no process runs";
  }

  /// Changes what is on disk.
  template <class F>
  void edit_comparison(const F& change) const {
    json document = comparison();
    change(document);
    std::ofstream(output() / "comparison.json") << document;
  }

  [[nodiscard]] std::size_t calls() const {
    const std::string all = text_of(folder() / "calls");
    return static_cast<std::size_t>(std::count(all.begin(), all.end(), '\n'));
  }

  /// Without the names of the files behind them.
  [[nodiscard]] static std::string tables_of(const process_result& result) {
    return result.output.substr(0, result.output.find("Written:"));
  }

  /// Without what the operating system has accounted.
  [[nodiscard]] json entries() const {
    json all = comparison()["benchmarks"];
    for (json& each : all) each.erase("process_cpu_seconds");
    return all;
  }

 private:
  [[nodiscard]] std::vector<std::string> resume_arguments(
      const std::vector<std::string>& more) const {
    std::vector<std::string> arguments{"compare", "--resume", "--output", output().string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }

  /// Times depend on how many rounds the cell has finished, and on nothing else.
  [[nodiscard]] static std::string script() {
    std::string good = well_behaved(R"({"steals":54321})");
    const std::string fixed_time = R"("real_time":2.5)";
    good.replace(good.find(fixed_time), fixed_time.size(), R"("real_time":'$rounds'.5)");
    return R"(cd "${0%/*}"; echo >> calls
if [ $(wc -l < calls) = $(cat killed_at) ]; then kill -KILL $PPID; exec sleep 600; fi
case $* in *--once*) ;; *) echo >> "$0.rounds" ;; esac
rounds=$(wc -l < "$0.rounds"))" +
           good;
  }
};

TEST_F(Resume, AComparisonThatIsKilledAnywhereEndsAsAnUninterruptedOne) {
  const process_result whole = compare_killed_at(never);
  ASSERT_EQ(whole.status, 0) << whole.errors;
  ASSERT_EQ(calls(), processes_of_all);
  EXPECT_NE(whole.output.find("54,321"), std::string::npos) << whole.output;
  const json all_entries = entries();

  for (std::size_t count = 2; count <= processes_of_all; ++count) {
    const process_result killed = compare_killed_at(count);
    ASSERT_EQ(killed.how, ending::signalled) << count;
    const std::size_t finished = count - 1;
    const std::size_t counted = std::clamp<std::size_t>(finished, 2, 2 + processes_counting) - 2;
    EXPECT_EQ(entries().size(), finished - counted) << count;
    EXPECT_FALSE(fs::exists(output() / "comparison.md")) << count;

    const process_result resumed = resume();
    EXPECT_EQ(resumed.status, 0) << resumed.errors;
    EXPECT_EQ(calls(), processes_of_all + 1)
        << "what was finished before " << count << " ran again";
    EXPECT_EQ(tables_of(resumed), tables_of(whole)) << count;
    EXPECT_EQ(entries(), all_entries) << count;
    EXPECT_EQ(comparison()["context"]["num_cpus"], 2) << count;
    EXPECT_EQ(comparison()["context"]["finished"], true) << count;
  }
}

TEST_F(Resume, OneThatIsStoppedAgainGoesOnAgain) {
  static_cast<void>(compare_killed_at(2));
  std::ofstream(folder() / "killed_at") << 5;
  EXPECT_EQ(resume().how, ending::signalled);
  EXPECT_EQ(resume().status, 0);
  EXPECT_EQ(calls(), processes_of_all + 2);
  EXPECT_EQ(comparison()["context"]["resumed"], 2);
  const std::string command = comparison()["context"]["command"];
  EXPECT_NE(command.find("--seed 7"), std::string::npos) << command;
}

TEST_F(Resume, ACellThatHasFailedIsNotRunAgain) {
  plant("stealbench-openmp", "exit 3");
  static_cast<void>(compare_killed_at(3));  // Of serial alone: the other one does not count.
  ASSERT_EQ(entries().size(), 2U);
  plant("stealbench-openmp", "echo >> \"$0.again\"");
  const process_result resumed = resume();
  EXPECT_EQ(resumed.status, 1);
  EXPECT_NE(resumed.output.find("DNF: exit status 3"), std::string::npos) << resumed.output;
  EXPECT_FALSE(fs::exists(folder() / "stealbench-openmp.again"));
}

TEST_F(Resume, MakesUpForMissingTablesAlone) {
  const process_result whole = compare_killed_at(never);
  edit_comparison([](json& document) { document["context"]["finished"] = false; });
  fs::remove(output() / "comparison.md");
  const process_result resumed = resume();
  EXPECT_EQ(resumed.status, 0) << resumed.errors;
  EXPECT_EQ(tables_of(resumed), tables_of(whole));
  EXPECT_TRUE(fs::exists(output() / "comparison.md"));
  EXPECT_EQ(calls(), processes_of_all);
}

TEST_F(Resume, WithNothingToResumeIsRefused) {
  expect_resume_refused({}, {"nothing to resume", output().string(), "valid"});
  EXPECT_FALSE(fs::exists(output()));
  static_cast<void>(compare_killed_at(1));  // Before anything was measured.
  expect_resume_refused({}, {"nothing to resume", "valid"});
  static_cast<void>(compare_killed_at(never));
  expect_resume_refused({}, {"nothing to resume", "valid"});
  std::ofstream(output() / "comparison.json") << R"({"context":{"finished":fal)";
  expect_resume_refused({}, {"nothing to resume", "valid"});
}

TEST_F(Resume, WithOtherSettingsIsRefusedAndNamesThem) {
  static_cast<void>(compare_killed_at(4));
  const std::string before = text_of(output() / "comparison.json");
  expect_resume_refused({"--rounds", "9"}, {"--rounds was 3, not 9", "--overwrite"});
  expect_resume_refused({"--seed", "8"}, {"--seed was 7, not 8"});
  expect_resume_refused({"--timeout", "5"}, {"--timeout was 120, not 5"});
  expect_resume_refused({"--workers", "1,2"}, {"--workers was 1, not 1,2"});
  expect_resume_refused({"--workloads", "uts"}, {"--workloads was fib, not uts"});
  expect_resume_refused({"--size", "test"}, {"--size was standard, not test"});
  expect_resume_refused({"--schedulers", "serial", "--rounds", "1"},
                        {"--schedulers was serial,openmp, not serial", "--rounds was 3, not 1"});
  plant("stealbench-work-stealing", "exit 0");
  expect_resume_refused({"--ablation"}, {"without --ablation"});
  EXPECT_EQ(text_of(output() / "comparison.json"), before);
}

TEST_F(Resume, WithTheSameSettingsInOtherWordsGoesOn) {
  static_cast<void>(compare_killed_at(4));
  EXPECT_EQ(resume({"--rounds", "03", "--workloads", "fib,fib", "--size", "standard"}).status, 0);
  EXPECT_EQ(calls(), processes_of_all + 1);
}

TEST_F(Resume, OfAnAblationIsAnAblation) {
  plant("stealbench-work-stealing", well_behaved());
  std::ofstream(folder() / "killed_at") << 3;  // In the second round: so each was measured once.
  const process_result killed = drive({"compare", "--ablation", "--workloads", "fib", "--workers",
                                       "1", "--rounds", "2", "--output", output().string()});
  EXPECT_EQ(killed.how, ending::signalled);
  const process_result resumed = resume();
  EXPECT_EQ(resumed.status, 0) << resumed.errors;
  EXPECT_NE(resumed.output.find("ablation:"), std::string::npos) << resumed.output;
}

TEST_F(Resume, OnAnotherBuildIsRefused) {
  static_cast<void>(compare_killed_at(6));
  edit_comparison([](json& document) { document["context"]["commit"] = "abc"; });
  for (const char* const name : {"stealbench-serial", "stealbench-openmp"}) {
    std::string script = text_of(folder() / name);
    const std::string context = R"("num_cpus":2)";
    script.replace(script.find(context), context.size(), R"("num_cpus":2,"commit":"def")");
    plant(name, script);
  }
  const process_result resumed = resume();
  EXPECT_EQ(resumed.status, 2);
  EXPECT_NE(resumed.errors.find("commit was \"abc\" when the comparison began"), std::string::npos)
      << resumed.errors;
  EXPECT_EQ(entries().size(), 3U) << "what was measured stays, and nothing is added";
}

TEST_F(Resume, OfWhatDoesNotFitIsRefused) {
  static_cast<void>(compare_killed_at(4));
  const json good = comparison();
  const auto expect_refused_with = [&](const json::json_pointer& where, const json& value) {
    edit_comparison([&](json& document) {
      document = good;
      document[where] = value;
    });
    expect_resume_refused({}, {"does not fit", "--overwrite"});
  };
  expect_refused_with("/context/cells/0/name"_json_pointer, "fib/serial/n:34/workers:1");
  expect_refused_with("/context/cells"_json_pointer, json::array());
  expect_refused_with("/context/ablation"_json_pointer, "perhaps");
  expect_refused_with("/benchmarks/1/round"_json_pointer, 17);
  expect_refused_with("/benchmarks/0/real_time"_json_pointer, "x");
  expect_refused_with("/benchmarks"_json_pointer, 5);
}

TEST_F(Resume, AnUnfinishedComparisonIsNotReplacedUnasked) {
  static_cast<void>(compare_killed_at(4));
  const std::string before = text_of(output() / "comparison.json");
  std::vector<std::string> anew{"compare",   "--workloads", "fib",      "--rounds",       "1",
                                "--workers", "1",           "--output", output().string()};
  expect_refusal(anew, {"unfinished comparison", "--resume", "--overwrite", output().string()});
  EXPECT_EQ(text_of(output() / "comparison.json"), before);

  anew.emplace_back("--overwrite");
  EXPECT_EQ(drive(anew).status, 0);
  EXPECT_EQ(entries().size(), 2U);
  anew.emplace_back("--resume");
  expect_refusal(anew, {"--overwrite", "--resume"});
}

TEST_F(Resume, WhatAKilledWriteHasLeftDoesNotMatter) {
  static_cast<void>(compare_killed_at(4));
  const std::string torn = text_of(output() / "comparison.json").substr(0, 100);
  std::ofstream(output() / ".comparison.json.new") << torn;
  std::ofstream(output() / ".cell.json") << torn;
  EXPECT_EQ(resume().status, 0);
  EXPECT_EQ(calls(), processes_of_all + 1);
  EXPECT_EQ(std::distance(fs::directory_iterator(output()), {}), 4) << "the result files alone";
}

TEST_F(Resume, AResultThatAKilledDriverHasNotReadIsNotTakenForAnother) {
  static_cast<void>(compare_killed_at(never));
  json left;
  left["benchmarks"].push_back(comparison()["benchmarks"][0]);
  fs::remove_all(output());
  fs::create_directories(output());
  std::ofstream(output() / ".cell.json") << left;
  plant("stealbench-serial", "exit 0");
  plant("stealbench-openmp", "exit 0");
  const process_result result =
      drive({"compare", "--workloads", "fib", "--workers", "1", "--rounds", "1", "--seed", "7",
             "--output", output().string()});
  EXPECT_EQ(result.status, 1);
  const json written = entries();
  EXPECT_EQ(written.size(), 2U);
  for (const json& entry : written) {
    EXPECT_TRUE(entry.contains("error_occurred")) << entry;
  }
}

}  // namespace
}  // namespace stealbench::compare
