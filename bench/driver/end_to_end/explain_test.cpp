// `stealbench explain` as a user runs it, and what its process records of real workloads.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "bench/driver/end_to_end/driver_fixture.hpp"
#include "bench/driver/end_to_end/planted_fixture.hpp"
#include "bench/driver/rounds/host.hpp"
#include "workloads/catalogue.hpp"

namespace stealbench::end_to_end {
namespace {

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Explain : public needing_fixture {
 protected:
  Explain() : needing_fixture({"serial"}) {}
  [[nodiscard]] json recorded(const std::string& workload,
                              const std::vector<std::string>& set = {}) const {
    std::vector<std::string> arguments{"--workload", workload, "--size", "test"};
    for (const std::string& each : set) arguments.insert(arguments.end(), {"--set", each});
    const process_result result = call("serial.work-span", arguments);
    EXPECT_EQ(result.status, 0) << workload << result.errors;
    return json::parse(result.output, nullptr, false);
  }
  void expect_units(const json& seen, std::uint64_t work, std::uint64_t span) const {
    EXPECT_EQ(seen.at("strands_by"), "units");
    EXPECT_EQ(seen.at("work_units"), work) << seen.at("workload");
    EXPECT_EQ(seen.at("span_units"), span) << seen.at("workload");
    // The price of a unit, and so each sum, is rounded.
    EXPECT_NEAR(seen.at("parallelism").get<double>() * static_cast<double>(span) /
                    static_cast<double>(work),
                1, 1e-9);
  }
};

TEST_F(Explain, RecordsEveryTaskOfEveryWorkload) {
  for (const kit::description& each : workloads::descriptions()) {
    const json seen = recorded(each.name);
    EXPECT_NE(seen.at("verified"), false) << each.name;
    EXPECT_EQ(seen.at("tasks"), seen.at("fork_count")) << each.name;
    EXPECT_GE(seen.at("parallelism"), 0.999) << each.name;
    EXPECT_EQ(seen.at("strands_by"), each.about.unit.empty() ? "clock" : "units") << each.name;
  }
}

TEST_F(Explain, HasTheWorkAndTheSpanThatTheFormulasGive) {
  const json fib = recorded("fib", {"n=20"});
  expect_units(fib, 2 * 10946 - 1, 20);  // 2 fib(n + 1) - 1 calls
  EXPECT_EQ(fib.at("tasks_of_kind").at("fork"), fib.at("tasks"));
  expect_units(recorded("empty_tree", {"depth=10"}), (1 << 11) - 1, 11);
  expect_units(recorded("chain", {"links=1000", "work=1"}), 1000, 1000);
  // Nodes and levels of T1 cut off at this depth.
  const std::vector<std::string> tree{"type=geo", "shape=fixed", "b0=4", "seed=19"};
  for (const auto& [children, kind] : {std::pair("spawn", "spawn"), {"loop", "piece"}}) {
    std::vector<std::string> set = tree;
    set.insert(set.end(), {"depth=5", std::string("children=") + children});
    const json seen = recorded("uts", set);
    expect_units(seen, 3987, 6);
    EXPECT_EQ(seen.at("tasks_of_kind").at(kind), seen.at("tasks"));
  }
}

TEST_F(Explain, HasAllTasksOfAnOpenChainOfProducersLiveWhicheverTheySpawnFirst) {
  for (const char* const next : {"next=first", "next=last"}) {
    const json seen = recorded("bpc", {next});
    EXPECT_EQ(seen.at("most_live_tasks"), seen.at("tasks")) << next;
  }
  EXPECT_EQ(recorded("fib", {"n=20"}).at("most_live_tasks"), 19);
}

TEST_F(Explain, TimesTheSerialElisionItselfIfItIsNotToldItsTime) {
  const json seen = recorded("fib");
  EXPECT_GT(seen.at("work_ns"), 0);
  EXPECT_NE(seen.at("work_ns"), seen.at("work_units")) << "not the units as nanoseconds";
  const process_result told =
      call("serial.work-span", {"--workload", "fib", "--size", "test", "--seconds", "2"});
  EXPECT_NEAR(json::parse(told.output).at("work_ns").get<double>(), 2e9, 1);
}

TEST_F(Explain, ShowsThatASerialMergeCapsTheParallelismOfMergesort) {
  const auto parallelism = [&](const char* keys, const char* merge) {
    const json seen =
        recorded("mergesort", {std::string("keys=") + keys, std::string("merge=") + merge});
    EXPECT_NEAR(seen.at("burdened_span_ns").get<double>() / seen.at("span_ns").get<double>(), 1,
                1e-9)
        << "where a steal costs nothing";
    return seen.at("parallelism").get<double>();
  };
  // The last merge alone is a part of 1 / lg n of the work, whatever else there is.
  EXPECT_LT(parallelism("2^18", "serial"), 18);
  EXPECT_GT(parallelism("2^18", "parallel"), 2 * parallelism("2^18", "serial"));
}

// The clock tells how long the strands of mergesort are: all in proportion to the time that the
// process is told. With a serial merge, all second branches are nested.
TEST_F(Explain, HasLengthsThatAddUpToTheTimeThatItIsTold) {
  constexpr double burden_ns = 1e15;  // Far more than all strands.
  const process_result result =
      call("serial.work-span", {"--workload", "mergesort", "--size", "test", "--set",
                                "merge=serial", "--seconds", "200", "--burden", "1e15"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const json seen = json::parse(result.output);
  const double work = seen.at("work_ns");
  const double span = seen.at("span_ns");
  const double burdened = seen.at("burdened_span_ns");
  const auto expect_sum = [](const json& of, double scale, double sum) {
    double added = 0;
    for (const json& each : of) added += scale * each.get<double>();
    EXPECT_NEAR(added / sum, 1, 1e-9) << of;
  };
  const auto of_places = [&](const char* key) {
    json found;
    for (const json& each : seen.at("places")) found.push_back(each.at(key));
    return found;
  };
  EXPECT_NEAR(work, 200e9, 1);
  EXPECT_NEAR(seen.at("parallelism").get<double>() * span / work, 1, 1e-9);
  EXPECT_NEAR(seen.at("burdened_parallelism").get<double>() * burdened / work, 1, 1e-9);
  EXPECT_NEAR(burdened / burden_ns, seen.at("depth").get<double>(), 1e-3);
  expect_sum(of_places("work_ns"), 1, work);
  expect_sum(of_places("span_ns"), 1, span);
  expect_sum(seen.at("span_ns_at_depth"), 1, span);
  expect_sum(seen.at("parallelism_over_time"), seen.at("interval_ns"), work);
  double shortest = 0;  // By the time of another run, which may differ.
  double length = 1;
  for (const json& strands : seen.at("strands_of_length")) {
    shortest += strands.get<double>() * length;
    length *= 2;
  }
  EXPECT_GT(shortest * 100, work);
  EXPECT_LT(shortest / 100, work);
}

TEST_F(Explain, PrintsOneObjectWithEveryMember) {
  const process_result result =
      drive({"explain", "fib", "--size", "test", "--schedulers", "serial", "--rounds", "2",
             "--burden", "2us", "--json", "--output", output().string()});
  ASSERT_EQ(result.status, 0) << result.errors;
  const json object = json::parse(result.output);
  for (const char* const member :
       {"workload", "parameters", "work_ns", "span_ns", "work_units", "span_units", "parallelism",
        "burdened_span_ns", "burdened_parallelism", "tasks", "depth", "most_live_tasks", "budget",
        "advice"}) {
    EXPECT_TRUE(object.contains(member)) << member;
  }
  EXPECT_EQ(object.at("burden_ns"), 2000);
  EXPECT_GT(object.at("burdened_span_ns"), object.at("span_ns"));
  EXPECT_EQ(object.at("times").size(), 1U);
  EXPECT_TRUE(data("explain").is_finished());
}

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class ExplainWorkStealing : public needing_fixture {
 protected:
  ExplainWorkStealing() : needing_fixture({"serial", "work-stealing"}) {}

  /// From now on the driver finds these, and what is planted.
  void use_built(std::initializer_list<const char*> names) const {
    for (const char* const name : names) {
      std::filesystem::create_symlink(built() / name, folder() / name);
    }
    use_planted_schedulers();
  }

 private:
  static std::filesystem::path built() {
    return std::filesystem::path(STEALBENCH_DRIVER).parent_path();
  }
};

TEST_F(ExplainWorkStealing, HasABudgetOfEachSchedulerButSerial) {
  const process_result result =
      drive({"explain", "fib", "--size", "test", "--schedulers", "serial,work-stealing",
             "--workers", "1,2", "--rounds", "2", "--json", "--output", output().string()});
  ASSERT_EQ(result.status, 0) << result.errors;
  const json object = json::parse(result.output);
  const unsigned most_workers = std::min(rounds::usable_processors(), 2U);
  ASSERT_EQ(object.at("budget").size(), most_workers);
  const json& one = object["budget"][0];
  EXPECT_EQ(one.at("scheduler"), "work-stealing");
  EXPECT_DOUBLE_EQ(one["work_ns"].get<double>() + one["tasks_ns"].get<double>() +
                       one["unexplained_ns"].get<double>(),
                   one["total_ns"].get<double>());
  const json about = data("explain").header()["about"];
  const json prices = about["prices"]["work-stealing"];
  EXPECT_EQ(prices.contains("slowdown_beside"), most_workers > 1);
  EXPECT_GT(prices.value("slowdown_beside", 1.0), 0.1);
  EXPECT_FALSE(about["prices"].value("serial", json::object()).contains("slowdown_beside"));
  EXPECT_EQ(prices.at("tasks_of"), "fib n=27");
  EXPECT_GE(prices.at("task_ns"), 0);
  const json counters = lines_of_type("counters", "explain").back()["counters"];
  EXPECT_GT(counters.at("wall_ns"), counters["per_worker"][0]["busy_ns"]);
}

// fib takes work-stealing 1 µs for each of n, and serial a tenth of that; a figure takes 1 µs.
TEST_F(ExplainWorkStealing, HasItsPricesFromWhatTheProcessesMeasure) {
  if (rounds::usable_processors() < 2) GTEST_SKIP() << "needs two processors";
  use_built({"stealbench-serial.work-span", "profiles"});
  const auto measuring = [](const std::string& nanoseconds) {
    std::string body = taking(nanoseconds);
    const std::string counters = R"({"steals":54321})";
    return body.replace(body.find(counters), counters.size(), "null");
  };
  plant("stealbench-serial", measuring("100 * x"));
  // The second of each three runs of a long sample ends once the third has begun, and the other way
  // round: so it does not end unless two run at once.
  plant("stealbench-work-stealing", R"(
echo "$*" >> "${0%/*}/calls"
slower=1
case "$*" in *"--workers 1"*"--sample-ms 300"*)
  i=1
  while ! mkdir "${0%/*}/sample$i" 2> /dev/null; do i=$((i + 1)); done
  case $((i % 3)) in 2) other=$((i + 1));; 0) other=$((i - 1));; *) other=$i;; esac
  if [ $i -le 6 ]; then
    while ! [ -d "${0%/*}/sample$other" ]; do sleep 0.01; done
    if [ $other != $i ]; then slower=2; fi
  fi;;
esac
)" + measuring("slower * 1000 * x"));
  const process_result result =
      drive({"explain", "fib", "--size", "test", "--schedulers", "serial,work-stealing",
             "--workers", "1,2", "--rounds", "2", "--json", "--output", output().string()});
  ASSERT_EQ(result.status, 0) << result.errors;
  const json object = json::parse(result.output);
  EXPECT_NEAR(object.at("work_ns").get<double>(), 2000, 1) << "of fib n=20 on serial";
  const json profile = json::parse(text_of(folder() / "profiles" / "reference.json"));
  EXPECT_DOUBLE_EQ(object.at("burden_ns").get<double>(),
                   4 * profile.at("costs").at("transfer_ns").get<double>());
  const json prices = data("explain").header()["about"]["prices"]["work-stealing"];
  EXPECT_EQ(prices.at("tasks_of"), "fib n=27");
  constexpr double tasks = 714;  // 20000 / 28 in whole numbers, as the planted processes say.
  EXPECT_NEAR(prices.at("task_ns").get<double>(), (27'000 - 2'700) / tasks, 1e-6);
  EXPECT_NEAR(prices.at("slowdown_beside").get<double>(), 2, 1e-9);
  EXPECT_NEAR(prices.at("steal_ns").get<double>(), 1000, 1e-6);
  EXPECT_NEAR(prices.at("waker_ns").get<double>(), 1000, 1e-6);
  const std::string calls = text_of(folder() / "calls");
  EXPECT_EQ(count_of("n=27", calls), 2U) << calls << "as many as there are rounds";
}

TEST_F(ExplainWorkStealing, SimulatesMoreWorkersThanThereAreProcessors) {
  const auto explained = [&](const char* workload) {
    const process_result result = drive(
        {"explain", workload, "--size", "test", "--schedulers", "serial,work-stealing", "--workers",
         "1,1000", "--rounds", "1", "--json", "--overwrite", "--output", output().string()});
    EXPECT_EQ(result.status, 0) << result.errors;
    return json::parse(result.output);
  };
  const json fib = explained("fib");
  const json last = fib.at("times").back();
  EXPECT_EQ(last.at("workers"), 1000);
  // By the prices of another machine, it may be, and the work is recorded under a sanitizer.
  const json simulated = data("explain").header()["about"]["simulation"]["times"].front();
  EXPECT_EQ(simulated.at("workers"), 1);
  const double alone = simulated.at("time_ns").get<double>();
  EXPECT_GT(alone, 0.01 * fib.at("work_ns").get<double>());
  EXPECT_LT(alone, 100 * fib.at("work_ns").get<double>());
  EXPECT_EQ(last.at("is_simulated"), true);
  EXPECT_EQ(explained("mergesort").at("times").back().at("workers"), 1);
  const process_result report = drive({"report", output().string()});
  EXPECT_TRUE(contains(report.output, "Not simulated: mergesort: ")) << report.output;
}

TEST_F(Explain, ReportsAndRefusesWhatItCannotExplain) {
  const process_result result = drive({"explain", "mergesort", "--size", "test", "--schedulers",
                                       "serial", "--rounds", "2", "--output", output().string()});
  ASSERT_EQ(result.status, 0) << result.errors;
  for (const char* const part : {"The critical path, by what precedes its strands",
                                 "mergesort.hpp:", "Times and the bounds of a greedy schedule"}) {
    EXPECT_TRUE(contains(result.output, part)) << part << " in\n" << result.output;
  }
  EXPECT_TRUE(contains(text_of(output() / "report.html"), "Parallelism over time"));
  EXPECT_TRUE(contains(text_of(output() / "explain.md"), "compared on mergesort keys=16384"));
  expect_refusal({"explain"}, {"explain: WORKLOAD is required; valid: ", "mergesort"});
  expect_refusal({"explain", "nosuch"}, {"WORKLOAD nosuch: must be one of ", "mergesort"});
  expect_refusal({"explain", "fib", "--burden", "soon"}, {"--burden soon: "});
}

TEST_F(Explain, SaysHowToBuildWhatItLacks) {
  use_planted_schedulers();
  plant("stealbench-serial", "exit 1\n");
  expect_refusal({"explain", "fib", "--schedulers", "serial"},
                 {"what records work and span is not built", "stealbench-serial.work-span"});
}

}  // namespace
}  // namespace stealbench::end_to_end
