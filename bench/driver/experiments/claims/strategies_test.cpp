// One strategy against others, on made-up values.
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/driver/experiments/claims/claims.hpp"
#include "bench/driver/experiments/claims/claims_fixture.hpp"

namespace stealbench::experiments::claims {
namespace {

using testing::HasSubstr;

/// The rivals of a strategy need so much more, and of the other machine so much.
world contested(const std::string& claimed, const std::string& quantity, double more,
                double on_far) {
  return [=](const cell& which, const std::string& asked) -> std::optional<double> {
    if (asked != quantity || is_on(which, claimed)) return {};
    const double base = quantity == "seconds" ? 1.0 / which.workers : 1000;
    return base * (which.machine == "far" ? on_far : more);
  };
}

TEST(Claims, OfStrategiesHoldIfTheRivalsNeedMuchMoreOnEveryProfile) {
  for (const auto& [number, claimed, quantity] : all_contested) {
    const bool is_count = quantity != "seconds";
    const double equal = is_count ? 0.002 : 1;  // A count is 1, and one more, if it is not said.
    EXPECT_EQ(verdict_in(contested(claimed, quantity, 3, 3), number), verdict::holds) << number;
    EXPECT_EQ(verdict_in(contested(claimed, quantity, equal, equal), number), verdict::undecided)
        << number;
    EXPECT_EQ(verdict_in(contested(claimed, quantity, 3, equal), number), verdict::undecided)
        << number << " on one profile only";
  }
}

TEST(Claims, OfStrategiesMustSurviveTheErrorOfTheModel) {
  for (const double factor : {1.9, 1 / 1.9}) {
    EXPECT_EQ(verdict_in(contested("work-stealing", "seconds", factor, factor), 14),
              verdict::undecided);
  }
  EXPECT_EQ(verdict_in(contested("work-stealing", "seconds", 2.1, 2.1), 14), verdict::holds);
  EXPECT_EQ(verdict_in(contested("work-stealing", "seconds", 1 / 2.1, 1 / 2.1), 14),
            verdict::does_not_hold);
}

TEST(Claims, OfStrategiesDoNotHoldIfARivalWinsAnywhere) {
  const auto wins_on_spc = [](const cell& which,
                              const std::string& asked) -> std::optional<double> {
    if (asked != "seconds" || is_on(which, "work-stealing:victim=random")) return {};
    return (which.what.workload == "spc" ? 0.2 : 20.0) / which.workers;
  };
  const judged found = judged_in(wins_on_spc, 13);
  EXPECT_EQ(found.found.verdict, verdict::does_not_hold);
  EXPECT_NEAR(found.found.figure->median, 0.2, 0.001);
  EXPECT_THAT(found.found.because, HasSubstr("spc"));
  EXPECT_THAT(found.found.because, HasSubstr(": 20.0 ×")) << "beside it the other end";
}

TEST(Claims, OfStrategiesAreUndecidedIfOneRivalIsNotBeaten) {
  const auto only_busiest = [](const cell& which, const std::string& asked) {
    return asked == "seconds" && is_on(which, "work-stealing:victim=busiest") ? std::optional(9.0)
                                                                              : std::nullopt;
  };
  EXPECT_EQ(verdict_in(only_busiest, 13), verdict::undecided);
}

TEST(Claims, OfMeasuredStrategiesNeedNoMoreThanTheirIntervals) {
  const auto expect = [](unsigned number, const std::string& claimed, double others,
                         verdict expected) {
    EXPECT_EQ(verdict_in(contested(claimed, "seconds", others, others), number), expected)
        << number << ": " << others;
  };
  for (const auto& [factor, expected] : std::map<double, verdict>{
           {1.05, verdict::holds}, {0.95, verdict::does_not_hold}, {1, verdict::undecided}}) {
    expect(18, "work-stealing:attempts=2p:backoff=exponential", factor, expected);
    expect(25, "work-stealing:deque=bwos", factor, expected);
  }
}

TEST(Claims, OfCountsCompareWhatIsNoneAtAll) {
  const finding found = judged_in(
                            [](const cell&, const std::string& asked) {
                              return asked == "tasks_moved" ? std::optional(0.0) : std::nullopt;
                            },
                            15)
                            .found;
  EXPECT_EQ(found.verdict, verdict::undecided);
  EXPECT_EQ(found.figure->median, 1);
}

// A difference that is shown alone, and is not shown among ten.
TEST(Claims, OfStrategiesAreCorrectedForTheNumberOfComparisons) {
  const std::vector<double> slower{0.9, 0.95, 1.03, 1.04, 1.05, 1.06, 1.07, 1.08, 1.09, 1.1, 1.11};
  contest what{"claimed", {"rival"},       {program("fib", {"n=20"})},
               {1},       metric::seconds, real_machine};
  EXPECT_EQ(judge(what, contested_with(what, slower)).verdict, verdict::holds);
  for (unsigned workers = 2; workers <= 10; ++workers) what.workers.push_back(workers);
  EXPECT_EQ(judge(what, contested_with(what, slower)).verdict, verdict::undecided);
}

}  // namespace
}  // namespace stealbench::experiments::claims
