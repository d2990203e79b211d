// Which values a rule is given, and how its finding is reported.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/driver/experiments/claims/claims.hpp"
#include "bench/driver/experiments/claims/claims_fixture.hpp"
#include "bench/driver/experiments/experiment.hpp"

namespace stealbench::experiments::claims {
namespace {

using dataset::raw_lines;
using testing::HasSubstr;

TEST(Claims, AreUndecidedWithTooFewRounds) {
  const world plain = [](const cell&, const std::string&) { return std::nullopt; };
  for (const claim& each : all_claims()) {
    const finding found = judged_in(plain, each.number, 5).found;
    EXPECT_EQ(found.verdict, verdict::undecided) << each.number;
    EXPECT_EQ(found.because, "A verdict needs 6 rounds, and there are 5.");
    EXPECT_FALSE(found.figure.has_value());
  }
  raw_lines lines = lines_in(plain, {14});
  lines.pop_back();  // The last benchmark lacks a round.
  EXPECT_EQ(judge(dataset::read_lines(lines)).at(0).found.because,
            "A verdict needs 6 rounds, and there are 5.");
}

TEST(Claims, AreUndecidedWithABenchmarkThatFailed) {
  const world plain = [](const cell&, const std::string&) { return std::nullopt; };
  raw_lines lines = lines_in(plain, {14});
  json& last = lines.back();
  last.erase("simulation");
  last["failure"] = "timed out";
  const finding found = judge(dataset::read_lines(lines)).at(0).found;
  EXPECT_EQ(found.verdict, verdict::undecided);
  EXPECT_THAT(found.because, HasSubstr("did not finish: timed out."));
}

TEST(Claims, TakeTheProcessorsThatTheProcessesCouldUse) {
  const world quick = [](const cell& which, const std::string& asked) {
    return time_if(asked, which.workers == 1 ? 1 : 0.6);
  };
  const auto judged_with = [&](const char* usable, unsigned in_machine) {
    raw_lines lines = lines_in(quick, {19});
    lines[1]["context"] = {{"num_cpus", in_machine}, {"processors", usable}};
    return judge(dataset::read_lines(lines)).at(0).found;
  };
  const finding two = judged_with("2", 64);
  EXPECT_EQ(two.verdict, verdict::does_not_hold);
  EXPECT_NEAR(two.figure->median, 2 * 0.6, 0.001);
  EXPECT_THAT(two.because, HasSubstr("16 workers on 2 processors"));
  EXPECT_NEAR(judged_with("15", 64).figure->median, 15 * 0.6, 0.001);
  const finding sixteen = judged_with("16", 64);
  EXPECT_EQ(sixteen.verdict, verdict::undecided);
  EXPECT_FALSE(sixteen.figure.has_value());
  EXPECT_EQ(sixteen.because,
            "A verdict needs fewer processors than the 16 workers, and there are 16.");
}

TEST(Claims, AreUndecidedWhereAnOlderRunLacksABenchmark) {
  const world plain = [](const cell&, const std::string&) { return std::nullopt; };
  raw_lines lines = lines_in(plain, {2, 14});
  const auto is_free = [](const json& each) {
    return each.at("cell").get<std::string>().ends_with("machine:no-costs");
  };
  std::erase_if(lines, [&](const json& each) { return each.contains("cell") && is_free(each); });
  json left = json::array();
  for (const json& each : lines[0]["cells"]) {
    if (each.value("machine", "") != free_machine) left.push_back(each);
  }
  lines[0]["cells"] = left;
  const auto all = judge(dataset::read_lines(lines));
  EXPECT_EQ(all.at(0).found.verdict, verdict::undecided);
  EXPECT_THAT(all.at(0).found.because,
              testing::AllOf(HasSubstr("The run lacks fib/work-stealing/"),
                             HasSubstr("stealbench claims --only 2 measures anew.")));
  EXPECT_TRUE(all.at(1).found.figure.has_value()) << "another claim has all";
}

TEST(Claims, AreReportedByNumberWithVerdictFigureAndReason) {
  const world slow_steals = [](const cell& which, const std::string& asked) {
    return time_if(asked, which.what.workload == "steal" ? 60e-9 : 1e-9);
  };
  raw_lines lines = lines_in(slow_steals, {12, 14});
  lines[1]["context"]["processor"] = "A processor";
  const auto data = dataset::read_lines(lines);
  const json object = json_of(judge(data));
  ASSERT_EQ(object.at("claims").size(), 2U);
  const json& first = object.at("claims").at(0);
  EXPECT_EQ(first.at("number"), 12);
  EXPECT_EQ(first.at("machine"), "measured");
  EXPECT_EQ(first.at("verdict"), "does not hold");
  EXPECT_NEAR(first.at("figure").get<double>(), 60.0 / 50, 0.01);
  EXPECT_LE(first.at("low"), first.at("figure"));
  EXPECT_TRUE(first.at("without_costs").is_null());
  EXPECT_THAT(first.at("because").get<std::string>(), HasSubstr("steal 60.0 ns"));
  EXPECT_EQ(object.at("claims").at(1).at("machine"), "simulated");
  const std::string text = report::to_markdown({"", sections_of(data)});
  for (const char* const part :
       {"Of 2 claims, 0 hold; 0 hold in their model, not at the costs of a real machine; 1 do not "
        "hold; 1 are undecided.",
        "Measured, here: on A processor, 2 processors. Simulated: on the profiles far, "
        "near.",
        "A central queue is a bottleneck", "| a runtime's manual ", "| does not hold here ",
        "| undecided ", "| measured ", "| simulated ",
        "greatest time ÷ what is claimed at most (at most 1): 1.2 [1.2, 1.2]"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  EXPECT_THAT(text, testing::Not(HasSubstr("Without costs")));
}

TEST(Claims, OfTheoremsAreReportedWithBothFigures) {
  // P · T_P is 1 + 0.1 · P, but for a worker count at costs.
  const world costly = [](const cell& which, const std::string& asked) {
    const bool is_slow = which.machine != free_machine && which.workers == 16;
    return time_if(asked, is_slow ? 9 : 1.0 / which.workers + 0.1);
  };
  const auto data = dataset::read_lines(lines_in(costly, {2}));
  const json claim = json_of(judge(data)).at("claims").at(0);
  EXPECT_EQ(claim.at("verdict"), "holds in its model, not at the costs of a real machine");
  EXPECT_GT(claim.at("low"), 2);
  EXPECT_NEAR(claim.at("without_costs").at("figure").get<double>(), 1, 1e-6);
  EXPECT_NEAR(claim.at("without_costs").at("high").get<double>(), 1, 1e-6);
  const std::string text = report::to_markdown({"", sections_of(data)});
  for (const char* const part :
       {"Of 1 claim, 0 hold; 1 hold in their model, not at the costs of a real machine; ",
        "| holds in its model, not at the costs of a real machine ", "; without costs: 1 [1, 1]",
        "Simulated: on the profiles far, near. Without costs: simulated where only work takes "
        "time."}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  EXPECT_THAT(text, testing::Not(HasSubstr("Measured")));
  const std::string heartbeats =
      report::to_markdown({"", sections_of(dataset::read_lines(lines_in(costly, {24})))});
  EXPECT_THAT(heartbeats,
              HasSubstr("; without costs, tasks made ÷ beats of the heart (at most 1): "));
}

}  // namespace
}  // namespace stealbench::experiments::claims
