#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/driver/experiments/experiment.hpp"
#include "bench/driver/experiments/explain/explain.hpp"
#include "results/sections/fixture.hpp"

namespace stealbench::experiments::explain {

using namespace sections;
namespace {

using dataset::json;
using dataset::measured;
using testing::HasSubstr;

/// A second of work with this span, half of it at each of two places; strands of `strand_ns`.
json about(double span_ns, double burdened_span_ns, double strand_ns = 1e4) {
  const double work_ns = 1e9;
  return {{"burden_ns", 500.0},
          {"recorded",
           {{"workload", "fib"},
            {"scheduler", "serial.work-span"},
            {"parameters", {{"n", "20"}}},
            {"strands_by", "units"},
            {"fork_count", 10},
            {"work_ns", work_ns},
            {"span_ns", span_ns},
            {"work_units", 1000},
            {"span_units", 10},
            {"parallelism", work_ns / span_ns},
            {"burdened_span_ns", burdened_span_ns},
            {"burdened_parallelism", work_ns / burdened_span_ns},
            {"tasks", 1234567},
            {"strands", static_cast<std::uint64_t>(work_ns / strand_ns)},
            {"depth", 17},
            {"most_live_tasks", 19},
            {"interval_ns", 1e6},
            {"places",
             {{{"file", ""}, {"line", 0}, {"work_ns", 0.0}, {"span_ns", 0.0}},
              {{"file", "fib.hpp"}, {"line", 28}, {"work_ns", 9e8}, {"span_ns", span_ns / 4}},
              {{"file", "fib.hpp"}, {"line", 30}, {"work_ns", 1e8}, {"span_ns", span_ns * 3 / 4}}}},
            {"parallelism_over_time", {1.0, 4.0, 2.0}}}}};
}

std::vector<measured> times() {
  return {{dataset::fib_on("serial", 2), dataset::six(1.0)},
          {dataset::fib_on("work-stealing", 1), dataset::six(1.1)},
          {dataset::fib_on("work-stealing", 2), dataset::six(0.6)}};
}

json explained(const json& recorded) { return json_of(data_of(times(), recorded, "explain")); }

TEST(Bounds, AreTheGreaterPartAndTheSum) {
  EXPECT_DOUBLE_EQ(bounds_of(8e9, 1e9, 4).least_seconds, 2);
  EXPECT_DOUBLE_EQ(bounds_of(8e9, 1e9, 4).most_seconds, 3);
  EXPECT_DOUBLE_EQ(bounds_of(8e9, 3e9, 4).least_seconds, 3);
  EXPECT_DOUBLE_EQ(bounds_of(8e9, 3e9, 4).most_seconds, 5);
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
  ASSERT_EQ(places.rows.size(), 2u);  // The start of the program has no strand.
  EXPECT_EQ(places.rows[0], (std::vector<std::string>{"fib.hpp:30", "75.0 %", "10.0 %", "13.3 ×"}));
  EXPECT_EQ(places.rows[1], (std::vector<std::string>{"fib.hpp:28", "25.0 %", "90.0 %", "360 ×"}));
}

TEST(ExplainSections, ShowTheBoundsBesideEachTime) {
  const auto all = sections_of(data_of(times(), about(1e8, 2e8), "explain"));
  const report::table& bounds =
      table_in(all, "Times and the bounds of a greedy schedule: median time [95 %]");
  ASSERT_EQ(bounds.rows.size(), 3u);
  EXPECT_EQ(bounds.rows[2][0], "work-stealing");
  EXPECT_EQ(bounds.rows[2][1], "2");
  EXPECT_EQ(bounds.rows[2][2], "500 ms");
  EXPECT_EQ(bounds.rows[2][3].substr(0, 6), "600 ms");
  EXPECT_EQ(bounds.rows[2][4], "600 ms");
  EXPECT_EQ(bounds.rows[2][5], "1.20 ×");
}

TEST(Advice, SaysWhetherThereIsParallelismEnough) {
  const auto first_of = [](double burdened_span_ns) {
    return explained(about(1e6, burdened_span_ns)).at("advice").at(0).get<std::string>();
  };
  EXPECT_THAT(first_of(1e9 / 20), HasSubstr("There is parallelism enough for 2 workers: 20.0 ×"));
  EXPECT_THAT(first_of(1e9 / 19), HasSubstr("Parallelism is scarce for 2 workers: 19.0 ×"));
  EXPECT_THAT(first_of(1e9 / 4), HasSubstr("may take 1.50 × of the time of linear speedup"));
  EXPECT_THAT(first_of(1e9 / 1.5), HasSubstr("not enough parallelism for 2 workers: 1.50 ×"));
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

TEST(ExplainJson, IsOneObjectWithTimesAndBounds) {
  const json object = explained(about(1e8, 2e8));
  EXPECT_EQ(object.at("workload"), "fib");
  EXPECT_EQ(object.at("work_ns"), 1e9);
  EXPECT_EQ(object.at("burden_ns"), 500);
  EXPECT_FALSE(object.contains("time_ns"));
  ASSERT_EQ(object.at("times").size(), 3u);
  EXPECT_EQ(object.at("times").at(2).at("workers"), 2);
  EXPECT_DOUBLE_EQ(object.at("times").at(2).at("time_ns").get<double>(), 6e8);
  EXPECT_DOUBLE_EQ(object.at("times").at(2).at("lower_bound_ns").get<double>(), 5e8);
  EXPECT_DOUBLE_EQ(object.at("times").at(2).at("upper_bound_ns").get<double>(), 6e8);
}

}  // namespace
}  // namespace stealbench::experiments::explain
