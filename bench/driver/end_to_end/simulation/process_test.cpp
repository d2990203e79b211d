// What a process that simulates prints, and what it refuses.
#include "results/system/process.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "results/system/scratch_folder_fixture.hpp"

namespace stealbench::simulation {
namespace {

using nlohmann::ordered_json;

const std::filesystem::path programs = std::filesystem::path(STEALBENCH_DRIVER).parent_path();
const std::filesystem::path program = programs / "stealbench-simulated-work-stealing";
const std::string profile = programs / "profiles/reference.json";

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class SimulationProcess : public system::scratch_folder {
 protected:
  void SetUp() override {
    const std::string built = " " STEALBENCH_BUILT_SCHEDULERS " ";
    if (built.find(" work-stealing ") == std::string::npos) GTEST_SKIP() << "not built";
  }
};

system::process_result run(std::vector<std::string> arguments,
                           const std::filesystem::path& executable = program) {
  system::process_runner runner;
  return runner.run({.executable = executable, .arguments = std::move(arguments)});
}

ordered_json report_of(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--profile", profile, "--size", "test"});
  const system::process_result result = run(std::move(arguments));
  EXPECT_EQ(result.status, 0) << result.errors;
  ordered_json report = ordered_json::parse(result.output);
  report.erase("host_seconds");
  return report;
}

void expect_refusal(const std::vector<std::string>& arguments, const std::string& message) {
  const system::process_result result = run(arguments);
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.output, "");
  EXPECT_NE(result.errors.find(message), std::string::npos) << result.errors;
}

TEST_F(SimulationProcess, ReportsOneRun) {
  const ordered_json report = report_of({"--workload", "uts", "--workers", "8"});
  EXPECT_EQ(report["verified"], true);
  EXPECT_GT(report["seconds"], 0);
  EXPECT_GT(report["work_units"], 0);
  EXPECT_EQ(report["charges"]["spawn"], report["fork_count"]);
  const ordered_json& counters = report["counters"];
  EXPECT_EQ(report["tasks_moved"], counters["jobs_moved"]);
  EXPECT_EQ(report["steal_attempts"], counters["attempts_taken"].get<std::uint64_t>() +
                                          counters["attempts_empty"].get<std::uint64_t>() +
                                          counters["attempts_lost"].get<std::uint64_t>());
  double sum = 0;
  for (const auto& [name, share] : report["shares"].items()) {
    EXPECT_GE(share, 0) << name;
    sum += share.get<double>();
  }
  EXPECT_NEAR(sum, 1, 1e-9);
  ASSERT_FALSE(report["lines"].empty());
  EXPECT_GE(report["lines"].front()["share"], report["lines"].back()["share"]);
}

// Where the operating system puts the program and its memory differs from process to process.
TEST_F(SimulationProcess, SaysTheSameForOneSeedWhereverItsMemoryIs) {
  for (const char* const workload : {"fib", "uts"}) {
    const std::vector<std::string> arguments{"--workload", workload, "--workers", "33"};
    const ordered_json first = report_of(arguments);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(report_of(arguments), first);
  }
}

TEST_F(SimulationProcess, SaysSomethingElseForAnotherSeed) {
  const auto with_seed = [](const char* seed) {
    return report_of({"--workload", "uts", "--workers", "8", "--seed", seed})["seconds"];
  };
  EXPECT_NE(with_seed("1"), with_seed("2"));
}

TEST_F(SimulationProcess, TakesLongerWhereACostIsVaried) {
  const auto with_transfers = [](const char* varied) {
    return report_of({"--workload", "uts", "--workers", "8", "--vary", varied})["seconds"]
        .get<double>();
  };
  EXPECT_LT(with_transfers("transfer=1"), with_transfers("transfer=20"));
}

// The thread that beats sleeps most of the time.
TEST_F(SimulationProcess, CountsTheTimeOfItsWorkersAlone) {
  const ordered_json report =
      report_of({"--workload", "uts", "--workers", "1", "--variant", "expose=heartbeat"});
  EXPECT_EQ(report["shares"]["asleep"], 0);
}

TEST_F(SimulationProcess, SimulatesThousandsOfWorkers) {
  EXPECT_EQ(report_of({"--workload", "fib", "--workers", "1024"})["verified"], true);
}

/// A profile of which nothing costs anything, but what a test adds; in a file of that test's
/// folder.
class hand_made_profile {
 public:
  explicit hand_made_profile(const std::filesystem::path& folder)
      : file_(folder / "profile.json"), read_(ordered_json::parse(std::ifstream(profile))) {
    for (auto& [key, value] : read_["costs"].items()) value = 0;
    read_["costs"]["pause_ns"] = 0.001;
    for (auto& [name, prices] : read_["schedulers"].items()) {
      for (auto& [key, value] : prices.items()) value = 0;
    }
    for (auto& each : read_["work"]) each["unit_ns"] = 0;
  }
  hand_made_profile& cost(const char* key, double value) {
    read_["costs"][key] = value;
    return *this;
  }
  hand_made_profile& price(const char* key, double value) {
    for (auto& [name, prices] : read_["schedulers"].items()) prices[key] = value;
    return *this;
  }
  hand_made_profile& unit(double value) {
    for (auto& each : read_["work"]) each["unit_ns"] = value;
    return *this;
  }
  hand_made_profile& fork_on(const char* scheduler, double value) {
    read_["schedulers"][scheduler]["fork_ns"] = value;
    return *this;
  }
  /// Of one workload's instances alone, by the text of their only parameter.
  hand_made_profile& units_of(const char* workload, const char* key,
                              const std::map<std::string, double>& prices) {
    read_["work"] = ordered_json::array();
    for (const auto& [text, value] : prices) {
      read_["work"].push_back(
          {{"workload", workload}, {"parameters", {{key, text}}}, {"unit_ns", value}});
    }
    return *this;
  }
  /// What a process that simulates with it reports.
  [[nodiscard]] ordered_json report_of(std::vector<std::string> arguments,
                                       const std::filesystem::path& executable = program) const {
    std::ofstream(file_) << read_;
    arguments.insert(arguments.end(), {"--profile", file_, "--size", "test"});
    const system::process_result result = run(std::move(arguments), executable);
    EXPECT_EQ(result.status, 0) << result.errors;
    return ordered_json::parse(result.output);
  }

 private:
  std::string file_;
  ordered_json read_;
};

// Of forks and work alone; each of the kinds of charge in the workload that has it.
TEST_F(SimulationProcess, ReportsTimesAndSharesThatAreThoseOfItsPrices) {
  struct kind {
    const char* workload;
    const char* price;
    const char* charge;
  };
  for (const kind& each : {kind{"fib", "fork_ns", "fork"}, kind{"uts", "spawn_ns", "spawn"},
                           kind{"empty_loop", "piece_ns", "piece"}}) {
    const ordered_json report = hand_made_profile(folder())
                                    .price(each.price, 16)
                                    .unit(8)
                                    .report_of({"--workload", each.workload, "--workers", "1"});
    const double charges = report["charges"][each.charge].get<double>();
    const double units = report["work_units"].get<double>();
    EXPECT_GT(charges, 0) << each.workload;
    EXPECT_GT(units, 0) << each.workload;
    if (each.workload == std::string("fib")) {
      EXPECT_EQ(
          report["charges"],
          (ordered_json{{"fork", report["fork_count"]}, {"call", 0}, {"spawn", 0}, {"piece", 0}}));
      EXPECT_EQ(report["counters"]["jobs_spawned"], report["fork_count"]) << "of the run alone";
    }
    const double expected_ns = 16 * charges + 8 * units;
    EXPECT_NEAR(report["seconds"].get<double>(), expected_ns * 1e-9, 1e-15) << each.workload;
    const auto& shares = report["shares"];
    EXPECT_NEAR(shares["work"].get<double>(), 8 * units / expected_ns, 1e-9);
    EXPECT_NEAR(shares["overhead"].get<double>(), 16 * charges / expected_ns, 1e-9);
    for (const char* const none : {"search", "lines", "asleep"}) EXPECT_EQ(shares[none], 0) << none;
    EXPECT_TRUE(report["lines"].empty());
    EXPECT_EQ(report["unit_ns"], 8);
    EXPECT_EQ(report["workers"], 1);
    EXPECT_EQ(report["tasks_moved"], 0);
  }
}

// A run never works for longer than it takes: no report could show that, and `calibrate` refuses
// it.
TEST_F(SimulationProcess, ChargesATaskBelowZeroToTheWorkThatItOverlapsWith) {
  const ordered_json report = hand_made_profile(folder())
                                  .price("fork_ns", -4)
                                  .unit(8)
                                  .report_of({"--workload", "fib", "--workers", "1"});
  const double busy_ns =
      8 * report["work_units"].get<double>() - 4 * report["charges"]["fork"].get<double>();
  EXPECT_NEAR(report["seconds"].get<double>(), busy_ns * 1e-9, 1e-15);
  EXPECT_EQ(report["shares"]["work"], 1);
  EXPECT_EQ(report["shares"]["overhead"], 0);
}

// Where lines alone take time, nothing but waiting for them and sleep is accounted; every wait that
// meets no other one is a transfer.
TEST_F(SimulationProcess, ReportsTheShareOfEachLine) {
  const ordered_json report = hand_made_profile(folder())
                                  .cost("transfer_ns", 1000)
                                  .cost("remote_transfer_ns", 1000)
                                  .report_of({"--workload", "fib", "--workers", "2"});
  const auto& shares = report["shares"];
  EXPECT_EQ(shares["work"], 0);
  EXPECT_GT(shares["lines"], 0);
  double sum = 0;
  double waits = 0;
  for (const auto& each : report["lines"]) {
    sum += each["share"].get<double>();
    waits += each["waits"].get<double>();
  }
  ASSERT_LT(report["lines"].size(), 10U) << "all of them";
  EXPECT_NEAR(sum, shares["lines"].get<double>(), 1e-9);
  const double workers_ns = report["seconds"].get<double>() * 2e9;
  EXPECT_GE(sum * workers_ns, 1000 * waits - 1);
  EXPECT_LE(sum * workers_ns, 2 * 1000 * waits + 1) << "of two workers one waits for the other";
}

// A worker that never gets a job sleeps for all of the run, and the other one works.
TEST_F(SimulationProcess, ReportsTheShareOfSleep) {
  const ordered_json report = hand_made_profile(folder()).unit(8).report_of(
      {"--workload", "fib", "--set", "n=1", "--workers", "4"});
  EXPECT_NEAR(report["shares"]["work"].get<double>(), 0.25, 1e-9);
  EXPECT_NEAR(report["shares"]["asleep"].get<double>(), 0.75, 1e-9);
  EXPECT_EQ(report["shares"]["search"], 0);
  EXPECT_EQ(report["counters"]["parks"], 0) << "of the run alone";
}

// A profile has the parameters as they were typed, and a command may have the numbers.
TEST_F(SimulationProcess, SaysOfWhichInstanceThePriceOfItsUnitsIs) {
  const hand_made_profile made =
      hand_made_profile(folder()).units_of("fib", "n", {{"2^3", 3}, {"2^4", 5}});
  const auto report = [&](const char* n) {
    return made.report_of({"--workload", "fib", "--set", n, "--workers", "1"});
  };
  EXPECT_EQ(report("n=8")["unit_from"], "this instance");
  EXPECT_EQ(report("n=8")["unit_ns"], 3);
  EXPECT_EQ(report("n=15")["unit_from"], "fib n=2^4");
  EXPECT_EQ(report("n=15")["unit_ns"], 5);
}

// The executables of other schedulers are built for the nightly tests alone.
class OtherSimulationProcess : public SimulationProcess {  // NOLINT: the name of the suite.
 protected:
  [[nodiscard]] static std::filesystem::path of(const std::string& target) {
    return programs / ("stealbench-simulated-" + target);
  }
};

TEST_F(OtherSimulationProcess, ChargesWhatItsOwnDequeCosts) {
  const std::filesystem::path other = of("work-stealing.chase-lev");
  if (!exists(other)) GTEST_SKIP() << "not built";
  const ordered_json report = hand_made_profile(folder())
                                  .fork_on("work-stealing", 16)
                                  .fork_on("work-stealing:deque=chase-lev", 4)
                                  .report_of({"--workload", "fib", "--workers", "1"}, other);
  const double forks = report["fork_count"].get<double>();
  EXPECT_NEAR(report["seconds"].get<double>(), 4 * forks * 1e-9, 1e-15);
}

TEST_F(OtherSimulationProcess, CountsNoTaskAsMovedThatItsOwnWorkerFinds) {
  const std::filesystem::path other = of("central-queue");
  if (!exists(other)) GTEST_SKIP() << "not built";
  const ordered_json report = hand_made_profile(folder()).unit(40).report_of(
      {"--workload", "uts", "--workers", "2", "--variant", "order=lifo"}, other);
  EXPECT_EQ(report["tasks_moved"], report["counters"]["jobs_moved"]);
  EXPECT_LT(report["tasks_moved"], report["counters"]["steals"]);
}

// How far a worker may run ahead is a matter of the shorter transfer, also where no line makes that
// one.
TEST_F(SimulationProcess, LooksAheadUnlessItIsToBeExact) {
  const auto seconds = [this](double remote_ns, std::vector<std::string> more) {
    more.insert(more.end(), {"--workload", "uts", "--workers", "8"});
    return hand_made_profile(folder())
        .cost("hit_ns", 1)
        .cost("rmw_ns", 5)
        .cost("transfer_ns", 100)
        .cost("remote_transfer_ns", remote_ns)
        .price("spawn_ns", 4)
        .unit(40)
        .report_of(std::move(more))["seconds"]
        .get<double>();
  };
  EXPECT_EQ(seconds(100, {"--exact"}), seconds(0, {"--exact"}));
  EXPECT_NE(seconds(100, {}), seconds(0, {}));
}

TEST_F(SimulationProcess, RefusesBadInputAndSaysWhatIsValid) {
  expect_refusal({"--workload", "fib", "--workers", "0", "--profile", profile},
                 "--workers 0: must be between 1 and 4096");
  expect_refusal({"--workload", "fib", "--workers", "4097", "--profile", profile},
                 "must be between 1 and 4096");
  expect_refusal({"--workload", "fibb", "--profile", profile}, "unknown workload 'fibb'; valid: ");
  expect_refusal({"--workload", "mergesort", "--profile", profile},
                 "mergesort: cannot be simulated");
  expect_refusal({"--workload", "fib", "--profile", "/nowhere"}, "cannot read the profile");
  expect_refusal({"--workload", "fib", "--profile", program}, "is not a profile");
  expect_refusal({"--workload", "fib", "--profile", profile, "--vary", "gravity=2"},
                 "unknown cost 'gravity'; valid: transfer, wake, jitter");
  expect_refusal({"--workload", "fib", "--profile", profile, "--vary", "wake=x"},
                 "must be a factor");
  expect_refusal({"--workload", "fib", "--profile", profile, "--vary", "wake=nan"},
                 "must be a factor");
  expect_refusal({"--workload", "fib", "--profile", profile, "--vary", "jitter=11"},
                 "must be from 0 to 2");
  expect_refusal({"--workload", "fib", "--profile", profile, "--variant", "deque=locked"}, "deque");
}

TEST_F(SimulationProcess, FailsForAWrongAnswer) {
  setenv("STEALBENCH_INJECT_ERROR", "fib", 1);
  const system::process_result result =
      run({"--workload", "fib", "--size", "test", "--profile", profile});
  unsetenv("STEALBENCH_INJECT_ERROR");
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(ordered_json::parse(result.output)["verified"], false);
}

}  // namespace
}  // namespace stealbench::simulation
