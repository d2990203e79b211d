#include <array>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/driver/experiments/experiment.hpp"
#include "bench/driver/experiments/explain/explain.hpp"
#include "bench/driver/experiments/explain/recorded_fixture.hpp"
#include "results/dataset/simulation_fixture.hpp"
#include "results/sections/fixture.hpp"

namespace stealbench::experiments::explain {

using namespace sections;
namespace {

using dataset::json;
using dataset::measured;
using testing::HasSubstr;
using testing::Not;

std::vector<measured> times() {
  return {{dataset::fib_on("serial", 2), dataset::six(1.0)},
          {dataset::fib_on("work-stealing", 1), dataset::six(1.1)},
          {dataset::fib_on("work-stealing", 2), dataset::six(0.6)}};
}

json explained(const json& recorded) { return json_of(data_of(times(), recorded, "explain")); }

TEST(Bounds, AreTheGreaterPartAndTheSum) {
  const json wide{{"work_ns", 8e9}, {"span_ns", 1e9}};
  EXPECT_DOUBLE_EQ(bounds_of(wide, 4).least_seconds, 2);
  EXPECT_DOUBLE_EQ(bounds_of(wide, 4).most_seconds, 3);
  const json narrow{{"work_ns", 8e9}, {"span_ns", 3e9}};
  EXPECT_DOUBLE_EQ(bounds_of(narrow, 4).least_seconds, 3);
  EXPECT_DOUBLE_EQ(bounds_of(narrow, 4).most_seconds, 5);
}

TEST(ExplainSections, HaveTheValuesThatWereRecorded) {
  const auto all = sections_of(data_of(times(), about(1e7, 2e7), "explain"));
  const report::table& values = table_in(all, "Work and span");
  const auto value = [&](const std::string& name) {
    for (const auto& row : values.rows) {
      if (row[0] == name) return row[1];
    }
    return std::string("none");
  };
  EXPECT_EQ(value("work T1"), "1.00 s");
  EXPECT_EQ(value("span T∞"), "10.0 ms");
  EXPECT_EQ(value("parallelism T1 / T∞"), "100 ×");
  EXPECT_EQ(value("burden: a steal"), "500 ns");
  EXPECT_EQ(value("burdened span"), "20.0 ms");
  EXPECT_EQ(value("burdened parallelism"), "50.0 ×");
  EXPECT_EQ(value("tasks"), "1,234,567");
  EXPECT_EQ(value("strands"), "100,000");
  EXPECT_EQ(value("mean length of a strand"), "10.0 µs");
  EXPECT_EQ(value("depth of nested tasks"), "17");
  EXPECT_EQ(value("most live tasks with one worker"), "19");
}

TEST(ExplainSections, PutThePlaceWithMostOfTheSpanFirst) {
  const auto all = sections_of(data_of(times(), about(1e7, 2e7), "explain"));
  const report::table& places = table_in(all, "The critical path, by what precedes its strands");
  EXPECT_EQ(headers_of(places),
            "fork, loop, spawn or sync | of the span | of the work | work / span");
  ASSERT_EQ(places.rows.size(), 2u);  // The start of the program has no strand.
  EXPECT_EQ(places.rows[0], (std::vector<std::string>{"fib.hpp:30", "75.0 %", "10.0 %", "13.3 ×"}));
  EXPECT_EQ(places.rows[1], (std::vector<std::string>{"fib.hpp:28", "25.0 %", "90.0 %", "360 ×"}));
}

TEST(ExplainSections, ShowTheBoundsBesideEachTime) {
  std::vector<measured> timed = times();
  timed.push_back({dataset::fib_on("sequential", 2), dataset::six(0.9)});
  const auto all = sections_of(data_of(timed, about(1e8, 2e8), "explain"));
  const report::table& bounds =
      table_in(all, "Times and the bounds of a greedy schedule: median time [95 %]");
  EXPECT_EQ(headers_of(bounds),
            "scheduler | workers | lower bound | time | upper bound | time / lower bound");
  ASSERT_EQ(bounds.rows.size(), 4u);
  EXPECT_EQ(bounds.rows[3],
            (row{"sequential", "1", "1.00 s", "900 ms [900, 900]", "1.10 s", "0.900 ×"}));
  EXPECT_EQ(bounds.rows[0],
            (row{"serial", "1", "1.00 s", "1.00 s [1.00, 1.00]", "1.10 s", "1.00 ×"}))
      << "of one worker, though its cell is beside two";
  EXPECT_EQ(bounds.rows[2][0], "work-stealing");
  EXPECT_EQ(bounds.rows[2][1], "2");
  EXPECT_EQ(bounds.rows[2][2], "500 ms");
  EXPECT_EQ(bounds.rows[2][3].substr(0, 6), "600 ms");
  EXPECT_EQ(bounds.rows[2][4], "600 ms");
  EXPECT_EQ(bounds.rows[2][5], "1.20 ×");
}

// Simulated with one worker too, where it was measured to take 1.1 s.
TEST(ExplainSections, ShowSimulatedTimesAsSuch) {
  json known = about(1e8, 2e8);
  json& simulation = known["simulation"] = dataset::made_simulation()[0]["about"];
  simulation["times"] = {{{"scheduler", "work-stealing"}, {"workers", 1}, {"time_ns", 1.21e9}},
                         {{"scheduler", "work-stealing"}, {"workers", 8}, {"time_ns", 2e8}}};
  simulation["gaps"] = {"onetbb: not ours"};
  const auto data = data_of(times(), known, "explain");
  const auto all = sections_of(data);
  const report::table& bounds = table_in(all, "Times and the bounds of a greedy schedule");
  ASSERT_EQ(bounds.rows.size(), 4U);
  EXPECT_EQ(bounds.rows[3],
            (row{"work-stealing", "8", "125 ms", "200 ms, simulated", "225 ms", "1.60 ×"}));
  const std::string words = text_of(section_in(all, "Bounds"));
  EXPECT_THAT(words, HasSubstr("Simulated, not measured: profile reference"));
  EXPECT_THAT(words, HasSubstr("the simulated time is off by +10.0 % on work-stealing with 1 "
                               "worker."));
  EXPECT_THAT(words, HasSubstr("Not simulated: onetbb: not ours"));
  const auto plot = plots_in(section_in(all, "Speedup")).at(0);
  ASSERT_EQ(plot.curves.size(), 2U);
  EXPECT_EQ(plot.curves[1].name, "work-stealing, simulated");
  EXPECT_DOUBLE_EQ(plot.curves[1].points.at(0).y.median, 5);
  EXPECT_DOUBLE_EQ(plot.references.at(0).points.back().y, 8);
  EXPECT_NEAR(plot.references.at(1).points.back().y, 1 / 0.225, 1e-9);
  const json object = json_of(data);
  EXPECT_EQ(object.at("times").size(), 4U);
  EXPECT_EQ(object.at("times").at(3).at("is_simulated"), true);
  EXPECT_EQ(object.at("times").at(2).at("is_simulated"), false);
}

TEST(ExplainSections, DrawTheSpeedupWithItsInterval) {
  std::vector<measured> noisy = times();
  noisy[2].seconds = {0.5, 0.6, 0.7, 0.6, 0.55, 0.65};
  const auto all = sections_of(data_of(noisy, about(1e7, 2e7), "explain"));
  const auto plot = plots_in(section_in(all, "Speedup")).at(0);
  const auto& [median, around] = plot.curves.at(0).points.at(1).y;
  EXPECT_NEAR(median, 1 / 0.6, 1e-9);
  EXPECT_LT(around.low, median);
  EXPECT_GT(around.high, median);
}

// It is 1.2 s in the rounds, and was 1 s when the program was recorded.
TEST(ExplainSections, DrawTheSpeedupOverTheSerialTimeOfTheSameRounds) {
  json known = about(1e8, 2e8);
  json& simulation = known["simulation"] = dataset::made_simulation()[0]["about"];
  simulation["times"] = {{{"scheduler", "work-stealing"}, {"workers", 8}, {"time_ns", 2e8}}};
  simulation["gaps"] = json::array();
  const auto plots = [&](const std::vector<measured>& all) {
    return sections_of(data_of(all, known, "explain"));
  };
  std::vector<measured> slower = times();
  slower[0].seconds = dataset::six(1.2);
  const auto plot = plots_in(section_in(plots(slower), "Speedup")).at(0);
  EXPECT_NEAR(plot.curves.at(0).points.at(1).y.median, 2, 1e-9);
  EXPECT_NEAR(plot.curves.at(1).points.at(0).y.median, 6, 1e-9) << "simulated";
  EXPECT_NEAR(plot.references.at(0).points.at(1).y, 1.2 / 0.5, 1e-9);
  EXPECT_NEAR(plot.references.at(1).points.at(1).y, 1.2 / 0.6, 1e-9);
  slower[0] = {dataset::fib_on("serial", 2), {}, "crashed"};
  EXPECT_THROW(static_cast<void>(section_in(plots(slower), "Speedup")), std::out_of_range);
}

TEST(ExplainSections, DrawTheParallelismOverTime) {
  json known = about(1e7, 2e7);
  known["recorded"]["interval_ns"] = 3e6;
  const auto all = sections_of(data_of(times(), known, "explain"));
  const auto plot = plots_in(section_in(all, "Parallelism over time")).at(0);
  const auto& points = plot.curves.at(0).points;
  ASSERT_EQ(points.size(), 3U);
  constexpr std::array strands{1, 4, 2};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_DOUBLE_EQ(points[i].x, 3e-3 * static_cast<double>(i));
    EXPECT_EQ(points[i].y.median, strands.at(i));
  }
}

TEST(ExplainSections, DrawHowManyStrandsHaveEachLength) {
  const auto all = sections_of(data_of(times(), about(1e7, 2e7), "explain"));
  const auto plot = plots_in(section_in(all, "Lengths of strands")).at(0);
  ASSERT_EQ(plot.curves.at(0).points.size(), 2U);
  EXPECT_DOUBLE_EQ(plot.curves[0].points[0].x, 2e-9);
  EXPECT_EQ(plot.curves[0].points[0].y.median, 3);
  EXPECT_DOUBLE_EQ(plot.curves[0].points[1].x, 8e-9);
  EXPECT_EQ(plot.curves[0].points[1].y.median, 40);
}

TEST(Advice, SaysWhetherThereIsParallelismEnough) {
  const auto first_of = [](double burdened_span_ns) {
    return explained(about(1e6, burdened_span_ns)).at("advice").at(0).get<std::string>();
  };
  EXPECT_THAT(first_of(1e9 / 20), HasSubstr("There is parallelism enough for 2 workers: 20.0 ×"));
  EXPECT_THAT(first_of(1e9 / 19), HasSubstr("Parallelism is scarce for 2 workers: 19.0 ×"));
  EXPECT_THAT(first_of(1e9 / 4), HasSubstr("may take 1.50 × of the time of linear speedup"));
  EXPECT_THAT(first_of(1e9 / 1.5), HasSubstr("not enough parallelism for 2 workers: 1.50 ×"));
  EXPECT_THAT(first_of(1e9 / 1.5), HasSubstr("No more than 2 can be used."));
}

TEST(Advice, NamesThePlaceOnlyWhereParallelismIsScarce) {
  EXPECT_EQ(explained(about(1e6, 1e7)).at("advice").size(), 1u);
  const json scarce = explained(about(1e8, 2e8));
  ASSERT_EQ(scarce.at("advice").size(), 2u);
  EXPECT_THAT(scarce.at("advice").at(1).get<std::string>(),
              HasSubstr("begin with what follows fib.hpp:30: it is 75.0 % of the span"));
}

TEST(Advice, SaysWhereStrandsAreShorterThanASteal) {
  const json fine = explained(about(1e6, 1e7, 499));
  ASSERT_EQ(fine.at("advice").size(), 2u);
  EXPECT_THAT(fine.at("advice").at(1).get<std::string>(), HasSubstr("A strand is 499 ns long"));
  EXPECT_EQ(explained(about(1e6, 1e7, 501)).at("advice").size(), 1u);
}

TEST(Advice, NamesTheFastestSchedulerWhereItIsShown) {
  const auto advised = [](double seconds) {
    std::vector<measured> all = times();
    all.push_back({dataset::fib_on("onetbb", 2), dataset::six(seconds)});
    return json_of(data_of(all, about(1e6, 1e7), "explain")).at("advice").dump();
  };
  EXPECT_THAT(advised(0.72),
              HasSubstr("With 2 workers, work-stealing is the fastest: onetbb takes 1.20 × its "
                        "time."));
  EXPECT_THAT(advised(0.5), HasSubstr("onetbb is the fastest: work-stealing takes 1.20 ×"));
  EXPECT_THAT(advised(0.6), Not(HasSubstr("is the fastest")));
  EXPECT_THAT(advised(0.72), Not(HasSubstr("With 16 workers"))) << "these were not measured";
}

// All are slower than serial, and what the others are among each other is not shown.
TEST(Advice, NamesSerialWhereItIsTheFastest) {
  const auto advised = [](unsigned beside, double first, double second) {
    std::vector<measured> all{{dataset::fib_on("serial", beside), dataset::six(1)},
                              {dataset::fib_on("onetbb", 2), dataset::six(first)},
                              {dataset::fib_on("openmp", 2), dataset::six(second)}};
    for (measured& each : all) {
      for (std::size_t i = 0; i < 6; ++i) each.seconds[i] *= 1 + 1e-2 * static_cast<double>(i % 3);
    }
    return json_of(data_of(all, about(1e6, 1e7), "explain")).at("advice").dump();
  };
  for (const unsigned beside : {2U, 16U}) {
    EXPECT_THAT(advised(beside, 5, 5.001),
                HasSubstr("With 2 workers, serial is the fastest: onetbb takes 5.00 × its time."));
    EXPECT_THAT(advised(beside, 0.5, 0.6),
                HasSubstr("With 2 workers, onetbb is the fastest: openmp takes 1.20 × its time."));
    EXPECT_THAT(advised(beside, 0.5, 0.5005), Not(HasSubstr("is the fastest")));
  }
}

TEST(Advice, NamesTheFastestSimulatedOneBeyondTheErrorOfTheModel) {
  const auto advised = [](double central_ns, bool is_validated) {
    json known = about(1e6, 1e7);
    json& simulation = known["simulation"] = dataset::made_simulation()[0]["about"];
    if (is_validated) {
      simulation["profile"]["accuracy"] = {{"median_error", 0.04},
                                           {"ninth_decile_error", 0.12},
                                           {"contended_factor", 1.8},
                                           {"cells", 96}};
    }
    simulation["times"] = {
        {{"scheduler", "work-stealing"}, {"workers", 64}, {"time_ns", 1e7}},
        {{"scheduler", "central-queue"}, {"workers", 64}, {"time_ns", central_ns}}};
    simulation["gaps"] = json::array();
    return explained(known).at("advice").dump();
  };
  EXPECT_THAT(advised(1.9e7, true),
              HasSubstr("With 64 workers, work-stealing is the fastest: central-queue takes 1.90 × "
                        "its time, simulated; the model may be off by 1.80 ×."));
  EXPECT_THAT(advised(1.7e7, true), Not(HasSubstr("is the fastest")));
  EXPECT_THAT(advised(2e9, true),
              HasSubstr("work-stealing is the fastest: serial takes 100 × its time, simulated"));
  EXPECT_THAT(advised(1.9e8, false), Not(HasSubstr("is the fastest")));
}

// T1 - Ts is 100 ms, and a million tasks at this price are 91 of them.
TEST(Advice, SaysTheLeastUsefulGrain) {
  json known = about(1e6, 1e7);
  known["recorded"]["tasks"] = 1'000'000;
  known["prices"]["work-stealing"] = {{"tasks_of", "fib n=10"}, {"task_ns", 91.0}};
  EXPECT_THAT(
      explained(known).at("advice").dump(),
      HasSubstr("On work-stealing each task adds 91.0 ns here: below a grain of 1.82 µs more "
                "than 5 % is lost to tasks. A task has 1.00 µs of work."));
  for (const double price : {0.0, 89.0, 111.0}) {  // It explains less than 90 % of the 100 ms.
    known["prices"]["work-stealing"]["task_ns"] = price;
    EXPECT_THAT(explained(known).at("advice").dump(), Not(HasSubstr("each task adds"))) << price;
  }
}

TEST(ExplainJson, IsOneObjectWithTimesAndBounds) {
  const json object = explained(about(1e8, 2e8));
  EXPECT_EQ(object.at("workload"), "fib");
  EXPECT_EQ(object.at("work_ns"), 1e9);
  EXPECT_EQ(object.at("burden_ns"), 500);
  EXPECT_FALSE(object.contains("time_ns"));
  ASSERT_EQ(object.at("times").size(), 3u);
  EXPECT_EQ(object.at("times").at(0).at("workers"), 1) << "serial";
  EXPECT_DOUBLE_EQ(object.at("times").at(0).at("lower_bound_ns").get<double>(), 1e9);
  EXPECT_DOUBLE_EQ(object.at("times").at(0).at("upper_bound_ns").get<double>(), 1.1e9);
  EXPECT_EQ(object.at("times").at(2).at("workers"), 2);
  EXPECT_DOUBLE_EQ(object.at("times").at(2).at("time_ns").get<double>(), 6e8);
  EXPECT_DOUBLE_EQ(object.at("times").at(2).at("lower_bound_ns").get<double>(), 5e8);
  EXPECT_DOUBLE_EQ(object.at("times").at(2).at("upper_bound_ns").get<double>(), 6e8);
}

}  // namespace
}  // namespace stealbench::experiments::explain
