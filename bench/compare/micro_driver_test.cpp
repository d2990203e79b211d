// `stealbench micro` as a user runs it, on schedulers that are planted as shell scripts.
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "bench/compare/driver_fixture.hpp"

namespace stealbench::compare {
namespace {

using nlohmann::json;

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Micro : public driver_fixture {
 protected:
  Micro() {
    use_planted_schedulers();
    plant("stealbench-serial", well_behaved);
    plant("stealbench-openmp", well_behaved);
    plant("stealbench-reference", "exit 3");
  }

  [[nodiscard]] json written() const {
    return json::parse(text_of(output() / "micro.json"), nullptr, false);
  }

  // Measures 2.5 ns, whatever the figure.
  static constexpr const char* well_behaved = R"(
figure=; workers=; file=; last=
for word; do
  case $last in
    --figure) figure=$word ;;
    --workers) workers=$word ;;
  esac
  last=$word
  case $word in --benchmark_out=*) file=${word#--benchmark_out=} ;; esac
done
name=$figure/${0##*/stealbench-}/workers:$workers/manual_time
echo '{"context":{"num_cpus":2},"benchmarks":[{"name":"'$name'","real_time":2.5,
"time_unit":"ns","cpu_seconds":0.002,"user_seconds":0.0015,"system_seconds":0.0005,
"voluntary_switches":1,"forced_switches":0,"runs":300,"start_up_seconds":0.001,
"first_run_seconds":0.004,"fork_count":1000,"worker_count":1,"peak_rss_bytes":4096}]}' > "$file")";
};

TEST_F(Micro, WritesAnEntryForEachSchedulerFigureAndRound) {
  const process_result result =
      drive({"micro", "--figures", "fork,steal", "--rounds", "2", "--output", output().string()});
  EXPECT_EQ(result.status, 0) << result.errors;
  const json document = written();
  ASSERT_TRUE(document.is_object());
  EXPECT_EQ(document["context"]["kind"], "micro");
  EXPECT_EQ(document["context"]["finished"], true);
  EXPECT_EQ(document["context"]["figures"], "fork,steal");
  EXPECT_EQ(document["context"]["cells"].size(), 3U);
  EXPECT_EQ(document["context"]["cells"][0]["workload"], "fork");
  EXPECT_EQ(document["benchmarks"].size(), 6U);
  EXPECT_NE(result.output.find("2.50 ns"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("— steal of serial: not applicable"), std::string::npos);
  const std::string tables = text_of(output() / "micro.md");
  EXPECT_NE(tables.find("2.50 ns"), std::string::npos);
  EXPECT_NE(tables.find("- — steal of serial: not applicable"), std::string::npos);
}

TEST_F(Micro, AFigureThatFailsIsDnfAndTheOthersGoOn) {
  plant("stealbench-openmp", "echo 'too few rounds' >&2; exit 1");
  const process_result result =
      drive({"micro", "--figures", "fork", "--rounds", "2", "--output", output().string()});
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.output.find("DNF fork of openmp: exit status 1: too few rounds"),
            std::string::npos)
      << result.output;
  EXPECT_NE(result.output.find("2.50 ns"), std::string::npos);
}

TEST_F(Micro, RefusesWhatItDoesNotKnowAndTouchesNothing) {
  const auto refuse = [&](const std::string& option, const std::string& value,
                          const std::vector<std::string>& parts) {
    expect_refusal({"micro", option, value, "--output", output().string()}, parts);
  };
  refuse("--figures", "fork,forks", {"unknown figure 'forks'", "valid: fork, spawn, steal"});
  refuse("--figures", "fork,", {"unknown figure ''", "valid: fork"});
  refuse("--schedulers", "cilk", {"unknown scheduler 'cilk'", "work-stealing"});
  refuse("--schedulers", "reference", {"reference is plain code", "valid: serial, openmp"});
  refuse("--rounds", "0", {"rounds '0'", "valid"});
  expect_refusal({"micro", "--schedulers", "serial", "--figures", "steal,wake"},
                 {"serial has no steal, wake", "valid: other schedulers"});
  EXPECT_FALSE(std::filesystem::exists(output()));
}

}  // namespace
}  // namespace stealbench::compare
