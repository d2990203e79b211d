// Every experiment stopped half-way, by a planted scheduler that kills the driver, and resumed.
#include <algorithm>
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

/// Of the arguments, the folder of the planted schedulers.
const std::string planted = "PLANTED";

struct subject {
  const char* title;
  texts arguments;  ///< The experiment first.
  const char* rounds;

  // NOLINTNEXTLINE(readability-identifier-naming): GoogleTest calls it by this name.
  friend void PrintTo(const subject& what, std::ostream* stream) { *stream << what.title; }
};

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class ResumeEach : public driver_fixture, public ::testing::WithParamInterface<subject> {
 protected:
  ResumeEach() {
    use_planted_schedulers();
    plant_all("1000000 * round + x");
  }

  /// Times follow from the cell and from how often it was timed, and from nothing else.
  void plant_all(const std::string& nanoseconds) const {
    for (const char* const name :
         {"stealbench-serial", "stealbench-openmp", "stealbench-work-stealing"}) {
      plant(name, R"(cd "${0%/*}"; echo >> calls; call=$(wc -l < calls)
if [ $call = $(cat killed_at) ]; then kill -KILL $PPID; exec sleep 600; fi
if [ $call = $(cat fails_at) ]; then echo out of cheese >&2; exit 3; fi)" +
                      taking(nanoseconds));
    }
  }

  [[nodiscard]] static std::string experiment() { return GetParam().arguments.front(); }

  /// Runs it anew; its process number `killed_at` kills the driver before it says anything.
  process_result run(std::size_t killed_at, std::size_t fails_at = never,
                     const texts& more = {}) const {
    for (const auto& each : fs::directory_iterator(folder())) {
      if (each.path().extension() == ".rounds") fs::remove(each.path());
    }
    fs::remove(folder() / "calls");
    std::ofstream(folder() / "killed_at") << killed_at;
    std::ofstream(folder() / "fails_at") << fails_at;
    texts arguments = GetParam().arguments;
    std::ranges::replace(arguments, planted, folder().string());
    const texts fixed{"--rounds", GetParam().rounds, "--seed", "7", "--output", output().string()};
    arguments.insert(arguments.end(), fixed.begin(), fixed.end());
    arguments.insert(arguments.end(), more.begin(), more.end());
    return drive(arguments);
  }

  process_result run_anew(std::size_t killed_at, std::size_t fails_at = never) const {
    fs::remove_all(output());
    return run(killed_at, fails_at);
  }

  [[nodiscard]] texts resume_arguments(const texts& more = {}) const {
    texts arguments{experiment(), "--resume", "--output", output().string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }

  [[nodiscard]] std::size_t calls() const { return count_of("\n", text_of(folder() / "calls")); }

  /// Processes in the raw file, those that count included.
  [[nodiscard]] std::size_t recorded() const {
    return process_count(experiment()) + lines_of_type("counters", experiment()).size();
  }

  /// Without the names of the files behind it, and without its date.
  [[nodiscard]] static std::string report_in(const process_result& result) {
    std::string report = without_duration(result.output.substr(0, result.output.find("Written:")));
    const std::string before_date = "commit unknown; ";
    const std::size_t at = report.find(before_date);
    EXPECT_NE(at, std::string::npos) << report;
    return at == std::string::npos ? report : report.erase(at, report.find('\n', at) - at);
  }
  [[nodiscard]] std::string csv() const { return text_of(output() / (experiment() + ".csv")); }

  /// Without what the clock and the operating system say.
  [[nodiscard]] std::vector<json> processes() const {
    std::vector<json> all = lines_of_type("process", experiment());
    for (json& each : all) {
      each.erase("spent_seconds");
      if (each.contains("benchmark")) each["benchmark"].erase("process_cpu_seconds");
    }
    return all;
  }
};

/// What does not take too long to be run once for each of its processes.
// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class ResumeAnywhere : public ResumeEach {};

TEST_P(ResumeAnywhere, EndsAsAnUninterruptedOneWhereverItIsKilled) {
  const process_result whole = run_anew(never);
  ASSERT_EQ(whole.status, 0) << whole.errors;
  const std::size_t all = calls();
  ASSERT_EQ(all, recorded());
  const std::vector<json> all_processes = processes();
  const std::string all_values = csv();
  for (std::size_t count = 2; count <= all; ++count) {
    ASSERT_EQ(run_anew(count).how, ending::signalled) << count;
    EXPECT_EQ(recorded(), count - 1) << count;
    EXPECT_FALSE(fs::exists(output() / "report.html")) << count;
    const process_result resumed = drive(resume_arguments());
    ASSERT_EQ(resumed.status, 0) << resumed.errors;
    EXPECT_EQ(calls(), all + 1) << "what was finished before " << count << " ran again";
    EXPECT_EQ(report_in(resumed), report_in(whole)) << count;
    EXPECT_EQ(csv(), all_values) << count;
    EXPECT_EQ(processes(), all_processes) << count;
  }
}

TEST_P(ResumeEach, EndsAsAnUninterruptedOneThoughEachOfItsProcessesKillsIt) {
  const process_result whole = run_anew(never);
  ASSERT_EQ(whole.status, 0) << whole.errors;
  const std::size_t all = calls();
  const std::size_t probes = all - recorded();  // To find out which points matter.
  const std::vector<json> all_processes = processes();
  const std::string all_values = csv();
  fs::copy(output(), folder() / "whole");
  expect_valid_by_the_schema(experiment());

  ASSERT_EQ(run_anew(probes + 2).how, ending::signalled);
  for (std::size_t finished = 1; probes + finished < all; ++finished) {
    EXPECT_EQ(recorded(), finished);
    std::ofstream(folder() / "killed_at") << calls() + 2;  // Only the one that was killed.
    const process_result resumed = drive(resume_arguments());
    EXPECT_EQ(resumed.how == ending::signalled, probes + finished + 1 < all) << resumed.errors;
  }
  EXPECT_EQ(calls(), all + all - probes - 1);
  EXPECT_EQ(csv(), all_values);
  EXPECT_EQ(processes(), all_processes);
  EXPECT_EQ(data(experiment()).times_resumed(), all - probes - 1);
  EXPECT_TRUE(data(experiment()).is_finished());
  expect_valid_by_the_schema(experiment());
  const process_result report = drive({"report", output().string()});
  EXPECT_EQ(report.status, 0) << report.errors;
  EXPECT_EQ(report_in(report), report_in(whole));
  const process_result diff = drive({"diff", (folder() / "whole").string(), output().string()});
  EXPECT_EQ(diff.status, 0) << diff.errors;
  EXPECT_TRUE(contains(diff.output, ": 0 slower, 0 faster")) << diff.output;
}

TEST_P(ResumeEach, GoesOnBehindATornLastLine) {
  plant_all("1000000 + x");  // What was torn is measured again.
  const process_result whole = run_anew(never);
  ASSERT_EQ(whole.status, 0) << whole.errors;
  const std::size_t all = calls();
  ASSERT_EQ(run_anew(all).how, ending::signalled);
  const std::string killed = text_of(raw_file(experiment()));
  const std::size_t last_line = killed.rfind('\n', killed.size() - 2) + 1;
  for (const std::size_t bytes :
       {last_line + 1, (last_line + killed.size()) / 2, killed.size() - 1}) {
    std::ofstream(raw_file(experiment())) << killed.substr(0, bytes);
    const process_result resumed = drive(resume_arguments());
    ASSERT_EQ(resumed.status, 0) << resumed.errors;
    EXPECT_EQ(report_in(resumed), report_in(whole)) << bytes;
    EXPECT_EQ(text_of(raw_file(experiment())).substr(0, last_line), killed.substr(0, last_line));
    expect_valid_by_the_schema(experiment());
  }
  EXPECT_EQ(calls(), all + 6) << "the torn one and the killed one, three times";
}

TEST_P(ResumeEach, ShowsACellThatFailedAndDoesNotRunItAgain) {
  ASSERT_EQ(run_anew(never).status, 0);
  fs::copy(output(), folder() / "whole");
  const std::size_t all = calls();
  ASSERT_EQ(run_anew(all, all - 1).how, ending::signalled);
  const process_result resumed = drive(resume_arguments());
  EXPECT_EQ(resumed.status, 1);
  EXPECT_TRUE(contains(resumed.output, "exit status 3: out of cheese")) << resumed.output;
  EXPECT_TRUE(contains(resumed.errors, "1 of ")) << resumed.errors;
  EXPECT_LE(calls(), all + 1);
  expect_valid_by_the_schema(experiment());
  EXPECT_EQ(drive({"report", output().string()}).status, 0);
  const process_result diff = drive({"diff", (folder() / "whole").string(), output().string()});
  EXPECT_EQ(diff.status, 1);
  EXPECT_TRUE(contains(diff.output, ": 1 slower, 0 faster")) << diff.output;
  EXPECT_TRUE(contains(diff.output, "out of cheese")) << diff.output;
}

TEST_P(ResumeEach, RefusesOtherSettingsAndNamesEach) {
  ASSERT_EQ(run_anew(never).status, 0);
  const std::size_t all = calls();
  ASSERT_EQ(run_anew(all).how, ending::signalled);
  const std::string before = text_of(raw_file(experiment()));
  expect_refusal(resume_arguments({"--rounds", "9", "--seed", "8", "--timeout", "5"}),
                 {std::string("--rounds was ") + GetParam().rounds + ", not 9",
                  "--seed was 7, not 8", "--timeout was 120, not 5", "--overwrite"});
  expect_refusal(resume_arguments({"--schedulers", "openmp"}), {"--schedulers was ["});
  EXPECT_EQ(text_of(raw_file(experiment())), before);
  EXPECT_EQ(calls(), all) << "no process runs";
}

TEST_P(ResumeEach, RefusesOneThatIsFinishedAndOneThatIsNotThere) {
  expect_refusal(resume_arguments(), {"--resume: there is no " + experiment() + ".jsonl", "valid"});
  EXPECT_FALSE(fs::exists(output()));
  ASSERT_EQ(run(never).status, 0);
  const std::size_t all = calls();
  expect_refusal(resume_arguments(), {experiment(), "is finished", "valid"});
  EXPECT_EQ(calls(), all);
}

TEST_P(ResumeEach, DoesNotReplaceAnUnfinishedOneUnasked) {
  ASSERT_EQ(run_anew(never).status, 0);
  const std::size_t all = calls();
  ASSERT_EQ(run_anew(all).how, ending::signalled);
  const std::string before = text_of(raw_file(experiment()));
  const process_result kept = run(never);
  EXPECT_EQ(kept.status, 2);
  for (const std::string& part :
       {"unfinished " + experiment(), std::string("--resume"), std::string("--overwrite")}) {
    EXPECT_TRUE(contains(kept.errors, part)) << kept.errors;
  }
  EXPECT_EQ(text_of(raw_file(experiment())), before);
  EXPECT_FALSE(fs::exists(folder() / "calls"));
  EXPECT_EQ(run(never, never, {"--overwrite"}).status, 0);
  EXPECT_TRUE(data(experiment()).is_finished());
  EXPECT_EQ(data(experiment()).times_resumed(), 0U);
}

const subject of_compare{
    "Compare",
    {"compare", "--workloads", "fib", "--schedulers", "serial,openmp", "--workers", "1"},
    "3"};
const subject of_ablation{
    "Ablation", {"compare", "--ablation", "--workloads", "fib", "--workers", "1"}, "1"};
const subject of_grain{"Grain",
                       {"grain", "mergesort", "--schedulers", "serial", "--workers", "1", "--size",
                        "test", "--grains", "16,64"},
                       "3"};
const subject of_metg{"Metg", {"metg", "--schedulers", "serial", "--workers", "1"}, "1"};
const subject of_micro{
    "Micro", {"micro", "--metrics", "fork", "--schedulers", "serial,openmp"}, "3"};

const subject of_ab{
    "AB", {"ab", planted, planted, "--workloads", "fib", "--schedulers", "serial"}, "3"};

std::string title_of(const ::testing::TestParamInfo<subject>& info) { return info.param.title; }

INSTANTIATE_TEST_SUITE_P(Experiments, ResumeEach,
                         ::testing::Values(of_compare, of_ablation, of_grain, of_metg, of_micro,
                                           of_ab),
                         title_of);
INSTANTIATE_TEST_SUITE_P(Experiments, ResumeAnywhere,
                         ::testing::Values(of_compare, of_grain, of_micro, of_ab), title_of);

}  // namespace
}  // namespace stealbench::end_to_end
