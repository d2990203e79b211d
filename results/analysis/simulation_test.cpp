#include "results/analysis/simulation.hpp"

#include <array>
#include <cstddef>

#include <gtest/gtest.h>

#include "results/dataset/simulation_fixture.hpp"
#include "schedulers/input.hpp"

namespace stealbench::analysis {
namespace {

using dataset::fib_on;
using dataset::made_simulation;
using dataset::read_lines;
using dataset::simulated_lines;

TEST(SimulatedCurves, HaveSpeedupsOverTheirOwnOneWorker) {
  const auto data = read_lines(made_simulation());
  const estimates known(data);
  const auto curves = curves_of(known);
  ASSERT_EQ(curves.size(), 1U);
  const simulated_curve& only = curves[0];
  EXPECT_EQ(only.scheduler, "work-stealing");
  ASSERT_EQ(only.points.size(), 3U);
  const auto speedup = known.standing_of(only.points[2]).speedup.value();
  EXPECT_EQ(speedup.median, 4);
  EXPECT_EQ(speedup.around.low, 2);
  EXPECT_EQ(speedup.around.high, 8);
  EXPECT_FALSE(known.standing_of(only.points[2]).overhead) << "it is its own baseline";
}

TEST(SimulatedCurves, CompareAVariedCostWithTheUnvariedOne) {
  const auto data = read_lines(made_simulation());
  const estimates known(data);
  const auto varied = curves_of(known).at(0).varied;
  ASSERT_EQ(varied.size(), 2U);
  const cost_variation transfer = variation_of(known, varied[0]);
  EXPECT_EQ(transfer.cost, "transfer");
  EXPECT_EQ(transfer.factor, 0.5);
  EXPECT_EQ(transfer.ratio->median, 0.5);
  const cost_variation jitter = variation_of(known, varied[1]);
  EXPECT_EQ(jitter.cost, "jitter");
  EXPECT_EQ(jitter.factor, 0);
  EXPECT_EQ(jitter.ratio->median, 1);
}

TEST(SimulatedCurves, LeaveOutAWorkerCountThatIsNotToBeReported) {
  auto lines = made_simulation();
  lines[0]["about"]["workers"] = {2, 8};
  const auto data = read_lines(lines);
  const estimates known(data);
  const auto curves = curves_of(known);
  ASSERT_EQ(curves.at(0).points.size(), 2U);
  EXPECT_EQ(known.standing_of(curves[0].points[1]).speedup->median, 4);
}

TEST(SimulatedCurves, HaveNoSpeedupWithoutOneWorker) {
  const auto data = read_lines(simulated_lines({{fib_on("work-stealing", 1), {}, "timed out"},
                                                {fib_on("work-stealing", 2), {1}},
                                                {fib_on("work-stealing", 4), {1}}},
                                               {1, 2, 4}));
  const estimates known(data);
  EXPECT_FALSE(known.standing_of(2).speedup) << "two workers are no baseline";
  const auto curve = json_of(curves_of(known).at(0), known);
  EXPECT_EQ(curve["points"][0]["failure"], "timed out");
  EXPECT_TRUE(curve["points"][0]["seconds"].is_null());
  EXPECT_TRUE(curve["points"][2]["speedup"].is_null());
}

TEST(SimulatedCurves, AreOneJsonObjectEach) {
  const auto data = read_lines(made_simulation());
  const estimates known(data);
  const auto curve = json_of(curves_of(known).at(0), known);
  EXPECT_EQ(curve["workload"], "fib");
  EXPECT_EQ(curve["scheduler"], "work-stealing");
  EXPECT_EQ(curve["parameters"]["hidden"], "default") << "all parameters, not those set";
  EXPECT_EQ(curve["profile"], "reference");
  EXPECT_EQ(curve["processor"], "A processor");
  EXPECT_EQ(curve["date"], "2026-11-22") << "of the profile";
  EXPECT_EQ(curve["changes"].dump(), "[]");
  EXPECT_EQ(curve["seeds"], 3);
  EXPECT_EQ(curve["simulated"], true);
  EXPECT_TRUE(curve["accuracy"].is_null());
  const auto& point = curve["points"][2];
  EXPECT_EQ(point["workers"], 8);
  EXPECT_EQ(point["seconds"], 2);
  EXPECT_EQ(point["low"], 1);
  EXPECT_EQ(point["high"], 4);
  EXPECT_EQ(point["speedup"], 4);
  EXPECT_EQ(point["verified"], true);
  EXPECT_EQ(point["tasks_moved"].dump(), "82") << "a whole number";
  EXPECT_EQ(point["steal_attempts"], 160);
  EXPECT_EQ(point["shares"]["lines"], 0.3);
  EXPECT_EQ(point["lines"].dump(), R"([{"name":"idle count of the parking lot","share":0.25},)"
                                   R"({"name":"top of a deque","share":0.04}])");
  EXPECT_EQ(curve["sensitivity"].size(), 2U);
  EXPECT_EQ(curve["sensitivity"][0].dump(),
            R"({"cost":"transfer","factor":0.5,"workers":8,"seconds":1.0,"ratio":0.5})");
}

TEST(SimulatedCurves, KeepVariationsOfSchedulersAndInstancesApart) {
  const auto uts = [](unsigned workers) {
    return dataset::cell{{"uts", {}}, "work-stealing", workers};
  };
  const auto data = read_lines(
      simulated_lines({{fib_on("work-stealing", 8), {2, 2, 4}},
                       {fib_on("central-queue", 8), {4, 4, 4}},
                       {uts(8), {8, 8, 8}},
                       {dataset::varied(fib_on("work-stealing", 8), "transfer=2"), {2, 3, 4}},
                       {dataset::varied(fib_on("central-queue", 8), "transfer=2"), {}, "timed out"},
                       {dataset::varied(uts(8), "wake=0.5"), {8, 8, 8}},
                       {dataset::varied(uts(4), "wake=0.5"), {8, 8, 8}}},
                      {8}));
  const estimates known(data);
  const auto curves = curves_of(known);
  ASSERT_EQ(curves.size(), 3U);
  const auto sensitivity = [&](std::size_t i) { return json_of(curves[i], known)["sensitivity"]; };
  EXPECT_EQ(sensitivity(0).dump(),
            R"([{"cost":"transfer","factor":2,"workers":8,"seconds":3.0,"ratio":1.5}])")
      << "medians";
  EXPECT_EQ(sensitivity(1).dump(), R"([{"cost":"transfer","factor":2,"workers":8,"seconds":null,)"
                                   R"("ratio":null,"failure":"timed out"}])");
  ASSERT_EQ(sensitivity(2).size(), 2U);
  EXPECT_EQ(sensitivity(2)[0]["ratio"], 1);
  EXPECT_TRUE(sensitivity(2)[1]["ratio"].is_null()) << "four workers were not simulated otherwise";
}

TEST(SimulatedDataset, KeepsWhatEachSeedSaid) {
  const auto data = read_lines(made_simulation());
  EXPECT_TRUE(data.is_simulated());
  const dataset::measured_cell& cell = data.cells().at(1);
  EXPECT_EQ(cell.samples.size(), 3U);
  EXPECT_EQ(cell.samples[1][dataset::metric::tasks_moved], 22);
  EXPECT_TRUE(cell.was_counted);
  EXPECT_EQ(cell.counters["steals"], 7);
  ASSERT_EQ(cell.simulations.size(), 3U);
  EXPECT_EQ(cell.simulations[1]["seed"], 2);
  EXPECT_FALSE(cell.simulations[0].contains("counters"));
  EXPECT_EQ(data.cells().at(3).which.varied, "transfer=0.5");
  EXPECT_EQ(name_of(data.cells()[3].which), "fib/work-stealing/n:20/workers:8/vary:transfer=0.5");
  EXPECT_EQ(hot_lines_of(cell).size(), 2U);
  EXPECT_DOUBLE_EQ(share_of(cell, 3), 0.3);
}

// Each share is its own metric, and the mean over the seeds.
TEST(SimulatedDataset, KeepsTheSharesApart) {
  auto lines = made_simulation();
  const auto shares = [](double work, double overhead, double search, double of_lines,
                         double asleep) {
    return dataset::json{{"work", work},
                         {"overhead", overhead},
                         {"search", search},
                         {"lines", of_lines},
                         {"asleep", asleep}};
  };
  lines[2]["simulation"]["shares"] = shares(0.40, 0.30, 0.15, 0.10, 0.05);
  lines[3]["simulation"]["shares"] = shares(0.25, 0.45, 0.15, 0.10, 0.05);
  lines[4]["simulation"]["shares"] = shares(0.10, 0.30, 0.15, 0.40, 0.05);
  const auto data = read_lines(lines);
  const estimates known(data);
  const auto point = json_of(curves_of(known).at(0), known)["points"][0];
  const std::array expected{0.25, 0.35, 0.15, 0.20, 0.05};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_DOUBLE_EQ(share_of(data.cells().at(0), i), expected[i]) << share_names[i];
    EXPECT_DOUBLE_EQ(point["shares"][share_names[i]].get<double>(), expected[i]) << share_names[i];
  }
}

TEST(HotLines, AreOfAllSeeds) {
  auto lines = made_simulation();
  const auto all = [](double first, double second) {
    return dataset::json{{{"name", "a"}, {"share", first}}, {{"name", "b"}, {"share", second}}};
  };
  lines[2]["simulation"]["lines"] = all(0.3, 0.1);
  lines[3]["simulation"]["lines"] = all(0, 0.5);
  lines[4]["simulation"]["lines"] = dataset::json::array();
  const auto found = hot_lines_of(read_lines(lines).cells().at(0));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].name, "b");
  EXPECT_DOUBLE_EQ(found[0].share, 0.2);
  EXPECT_DOUBLE_EQ(found[1].share, 0.1);
}

TEST(SimulatedDataset, RefusesASimulationThatLacksAValue) {
  for (const char* const key : {"seconds", "shares", "tasks_moved", "fork_count", "workers"}) {
    auto lines = made_simulation();
    lines[2]["simulation"].erase(key);
    EXPECT_THROW((void)read_lines(lines), schedulers::bad_input) << key;
  }
  auto lines = made_simulation();
  lines[2]["simulation"]["seconds"] = 0;
  EXPECT_THROW((void)read_lines(lines), schedulers::bad_input);
}

}  // namespace
}  // namespace stealbench::analysis
