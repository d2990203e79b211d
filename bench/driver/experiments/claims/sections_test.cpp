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

TEST(Claims, AreReportedByNumberWithVerdictFigureAndReason) {
  const world slow_steals = [](const cell& which, const std::string& asked) {
    return time_if(asked, which.what.workload == "steal" ? 60e-9 : 1e-9);
  };
  const auto data = dataset::read_lines(lines_in(slow_steals, {12, 14}));
  const json object = json_of(judge(data));
  ASSERT_EQ(object.at("claims").size(), 2U);
  const json& first = object.at("claims").at(0);
  EXPECT_EQ(first.at("number"), 12);
  EXPECT_EQ(first.at("machine"), "real");
  EXPECT_EQ(first.at("verdict"), "does not hold");
  EXPECT_NEAR(first.at("figure").get<double>(), 60.0 / 50, 0.01);
  EXPECT_LE(first.at("low"), first.at("figure"));
  EXPECT_THAT(first.at("because").get<std::string>(), HasSubstr("steal 60.0 ns"));
  EXPECT_EQ(object.at("claims").at(1).at("machine"), "simulated");
  const std::string text = report::to_markdown({"", sections_of(data)});
  for (const char* const part :
       {"Of 2 claims, 0 hold here; 1 do not hold; 1 undecided.", "A central queue is a bottleneck",
        "does not hold", "greatest time ÷ what is claimed at most (at most 1): 1.2 [1.2, 1.2]"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
}

}  // namespace
}  // namespace stealbench::experiments::claims
