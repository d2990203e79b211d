// Comparisons that are stopped half-way, by a planted scheduler that kills the driver, and resumed.
// What holds of every experiment is in resume_each_test.cpp.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bench/driver/end_to_end/driver_fixture.hpp"
#include "bench/driver/end_to_end/planted_fixture.hpp"
#include "bench/driver/rounds/host.hpp"

namespace stealbench::end_to_end {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t processes_of_all = 8;  // Two cells: a round, the counting run, two rounds.

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

  [[nodiscard]] std::size_t calls() const {
    const std::string all = text_of(folder() / "calls");
    return static_cast<std::size_t>(std::count(all.begin(), all.end(), '\n'));
  }

  /// Without the names of the files behind them.
  [[nodiscard]] static std::string tables_of(const process_result& result) {
    return without_duration(result.output.substr(0, result.output.find("Written:")));
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

TEST_F(Resume, OneThatIsStoppedAgainGoesOnAgain) {
  static_cast<void>(compare_killed_at(2));
  std::ofstream(folder() / "killed_at") << 5;
  EXPECT_EQ(resume().how, ending::signalled);
  EXPECT_EQ(resume().status, 0);
  EXPECT_EQ(calls(), processes_of_all + 2);
  EXPECT_EQ(data().times_resumed(), 2U);
  const std::string command = data().header()["command"];
  EXPECT_NE(command.find("--seed 7"), std::string::npos) << command;
}

TEST_F(Resume, ChecksTheHostAnewAndReportsTheWorse) {
  static_cast<void>(compare_killed_at(4));
  edit_lines([](std::vector<json>& lines) {
    lines[0]["host_checks"] = {{{"check", "workers"}, {"status", "warn"}, {"detail", "Long ago."}}};
  });
  const process_result resumed = resume();
  ASSERT_EQ(resumed.status, 0) << resumed.errors;
  EXPECT_FALSE(contains(resumed.errors, "Long ago.")) << resumed.errors;
  const json checked = lines_of_type("resumed").at(0)["host_checks"];
  EXPECT_EQ(checked.size(), rounds::checks_before(1).size());
  const json all = data().host_checks();
  EXPECT_EQ(all.size(), checked.size() + 2) << all << "and two during the measurement";
  EXPECT_EQ(all[0]["detail"], "Long ago.");
  EXPECT_FALSE(contains(all[checked.size()]["detail"].get<std::string>(), "During")) << all;
}

TEST_F(Resume, ACellThatHasFailedIsNotRunAgain) {
  plant("stealbench-openmp", "exit 3");
  static_cast<void>(compare_killed_at(3));  // Of serial alone: the other one does not count.
  ASSERT_EQ(process_count(), 2U);
  plant("stealbench-openmp", "echo >> \"$0.again\"");
  const process_result resumed = resume();
  EXPECT_EQ(resumed.status, 1);
  EXPECT_NE(resumed.output.find("workers:1: exit status 3"), std::string::npos) << resumed.output;
  EXPECT_FALSE(fs::exists(folder() / "stealbench-openmp.again"));
}

TEST_F(Resume, MakesUpForAMissingEndAlone) {
  const process_result whole = compare_killed_at(never);
  edit_lines([](std::vector<json>& lines) { lines.pop_back(); });
  fs::remove(output() / "compare.md");
  const process_result resumed = resume();
  EXPECT_EQ(resumed.status, 0) << resumed.errors;
  EXPECT_TRUE(contains(whole.errors, "round 1,"));
  EXPECT_FALSE(contains(resumed.errors, "round ")) << resumed.errors;
  EXPECT_EQ(tables_of(resumed), tables_of(whole));
  EXPECT_TRUE(fs::exists(output() / "compare.md"));
  EXPECT_EQ(calls(), processes_of_all);
}

TEST_F(Resume, WithNothingToResumeIsRefused) {
  static_cast<void>(compare_killed_at(1));  // Before anything was measured.
  expect_resume_refused({}, {"there is no compare.jsonl", "valid"});
  std::ofstream(raw_file()) << R"({"type":"experi)";
  expect_resume_refused({}, {"no complete line", "valid"});
}

TEST_F(Resume, WithOtherSettingsIsRefusedAndNamesThem) {
  static_cast<void>(compare_killed_at(4));
  const std::string before = text_of(raw_file());
  expect_resume_refused({"--workers", "1,2"}, {"--workers was [1], not [1,2]", "--overwrite"});
  expect_resume_refused({"--workloads", "uts"}, {R"(--workloads was ["fib"], not ["uts"])"});
  expect_resume_refused({"--size", "test"}, {R"(--size was "standard", not "test")"});
  expect_resume_refused({"--budget", "5"}, {"--budget was 90, not 5"});
  expect_resume_refused(
      {"--schedulers", "serial", "--rounds", "1"},
      {R"(--schedulers was ["serial","openmp"], not ["serial"])", "--rounds was 3, not 1"});
  plant("stealbench-work-stealing", "exit 0");
  expect_resume_refused({"--ablation"}, {"--ablation was false, not true"});
  EXPECT_EQ(text_of(raw_file()), before);
}

TEST_F(Resume, WithTheSameSettingsInOtherWordsGoesOn) {
  static_cast<void>(compare_killed_at(4));
  EXPECT_EQ(resume({"--rounds", "3", "--workloads", "fib,fib", "--size", "standard"}).status, 0);
  EXPECT_EQ(calls(), processes_of_all + 1);
}

TEST_F(Resume, OfAnAblationIsAnAblation) {
  plant("stealbench-work-stealing", well_behaved());
  std::ofstream(folder() / "killed_at") << 3;  // In the second round: so each was measured once.
  const process_result killed = drive({"compare", "--ablation", "--workloads", "fib", "--workers",
                                       "1", "--rounds", "2", "--output", output().string()});
  EXPECT_EQ(killed.how, ending::signalled);
  expect_resume_refused({"--schedulers", "serial"},
                        {"--schedulers was [\"serial\",\"work-stealing\""});
  const process_result resumed = resume({"--ablation"});
  EXPECT_EQ(resumed.status, 0) << resumed.errors;
  EXPECT_NE(resumed.output.find("ablation,"), std::string::npos) << resumed.output;
}

TEST_F(Resume, OnAnotherBuildIsRefused) {
  static_cast<void>(compare_killed_at(6));
  const std::string good = text_of(raw_file());
  const std::size_t before = process_count();
  const std::string script = text_of(folder() / "stealbench-serial");
  for (const std::string key :
       {"commit", "compiler", "build_type", "flags", "processor", "kernel", "environment"}) {
    std::ofstream(raw_file()) << good;
    edit_lines([&](std::vector<json>& lines) { lines[1]["context"][key] = "abc"; });
    std::string other = script;
    const std::string context = R"("num_cpus":2)";
    other.replace(other.find(context), context.size(), R"("num_cpus":2,")" + key + R"(":"def")");
    for (const char* const name : {"stealbench-serial", "stealbench-openmp"}) plant(name, other);
    const process_result resumed = resume();
    EXPECT_EQ(resumed.status, 2);
    EXPECT_TRUE(contains(resumed.errors, key + " was \"abc\" when the experiment started and is "
                                               "\"def\" now"))
        << resumed.errors;
    EXPECT_EQ(process_count(), before) << "what was measured stays, and nothing is added";
  }
}

TEST_F(Resume, OfWhatDoesNotFitIsRefused) {
  static_cast<void>(compare_killed_at(4));
  const std::string good = text_of(raw_file());
  const auto expect_refused = [&](const auto& change, const std::string& part) {
    std::ofstream(raw_file()) << good;
    edit_lines(change);
    expect_resume_refused({}, {part, "valid: "});
  };
  expect_refused([](auto& lines) { lines[0]["cells"][0]["name"] = "fib/serial/n:34/workers:1"; },
                 "is named");
  expect_refused([](auto& lines) { lines[0]["cells"] = json::array(); }, "no benchmarks");
  expect_refused([](auto& lines) { lines[0]["settings"]["ablation"] = "perhaps"; },
                 "this stealbench cannot continue");
  expect_refused([](auto& lines) { lines[0]["settings"].erase("seed"); },
                 "this stealbench cannot continue");
  expect_refused([](auto& lines) { lines[2]["round"] = 17; }, "line 3");
  expect_refused([](auto& lines) { lines[2]["benchmark"]["real_time"] = "x"; }, "line 3");
}

TEST_F(Resume, IsNotForOverwriting) {
  expect_refusal({"compare", "--overwrite", "--resume", "--output", output().string()},
                 {"--resume and --overwrite cannot be used together"});
}

TEST_F(Resume, WhatAKilledWriteHasLeftDoesNotMatter) {
  static_cast<void>(compare_killed_at(4));
  const std::string torn = text_of(output() / "compare.jsonl").substr(0, 100);
  std::ofstream(output() / ".compare.jsonl.new") << torn;
  EXPECT_EQ(resume().status, 0);
  EXPECT_EQ(calls(), processes_of_all + 1);
  EXPECT_EQ(std::distance(fs::directory_iterator(output()), {}), 4) << "no scratch file";
}

}  // namespace
}  // namespace stealbench::end_to_end
