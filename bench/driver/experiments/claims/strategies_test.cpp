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
using testing::Not;

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

/// The busiest and the first victim take 20 times as long as random ones, and on spc with 256
/// workers so much.
world on_spc(double near, double far) {
  return [=](const cell& which, const std::string& asked) -> std::optional<double> {
    if (asked != "seconds" || is_on(which, "work-stealing:victim=random")) return {};
    const bool is_other = which.what.workload == "spc" && which.workers == 256;
    return (!is_other ? 20 : which.machine == "far" ? far : near) / which.workers;
  };
}

TEST(Claims, OfStrategiesDoNotHoldIfARivalWinsAnywhere) {
  const finding found = judged_in(on_spc(0.2, 0.2), 13).found;
  EXPECT_EQ(found.verdict, verdict::does_not_hold);
  EXPECT_NEAR(found.figure->median, 0.2, 0.001);
  for (const char* const rival : {"busiest", "first"}) {
    EXPECT_THAT(found.because, HasSubstr(std::string("work-stealing:victim=") + rival +
                                         " on spc tasks=2048 (0.200 × [0.200, 0.200] with 256 "
                                         "workers)"));
  }
  EXPECT_THAT(found.because,
              HasSubstr(" It beats work-stealing:victim=busiest on fib n=27 (20.0 ×"));
  EXPECT_THAT(found.because, Not(HasSubstr("is not told apart")));
}

TEST(Claims, OfStrategiesAreUndecidedIfARivalIsAheadByLessThanTheErrorOfTheModel) {
  const finding found = judged_in(on_spc(0.79, 0.7), 13).found;
  EXPECT_EQ(found.verdict, verdict::undecided);
  EXPECT_NEAR(found.figure->median, (0.79 + 0.7) / 2, 0.001) << "and not of where it wins";
  EXPECT_THAT(found.because, HasSubstr(" It may lose to work-stealing:victim=busiest on spc "
                                       "tasks=2048 (0.745 × [0.700, 0.790] with 256 workers); "
                                       "work-stealing:victim=first on spc tasks=2048 ("));
  EXPECT_THAT(found.because, Not(HasSubstr("It loses to")));
}

TEST(Claims, OfStrategiesAreUndecidedIfARivalWinsOnOneMachine) {
  EXPECT_EQ(verdict_in(on_spc(3, 0.4), 13), verdict::undecided);
  EXPECT_EQ(verdict_in(on_spc(0.4, 3), 13), verdict::undecided);
}

TEST(Claims, OfStrategiesHoldWhereAProgramIsNotToldApartAndNameIt) {
  for (const auto& [near, far] : {std::pair(0.79, 1.0), {0.79, 1.2}, {1.9, 1.9}, {1, 1}}) {
    const finding found = judged_in(on_spc(near, far), 13).found;
    EXPECT_EQ(found.verdict, verdict::holds) << near << ", " << far;
    EXPECT_NEAR(found.figure->median, 20, 0.01);
  }
  const auto only_on_fib = [](const cell& which,
                              const std::string& asked) -> std::optional<double> {
    if (asked != "seconds" || is_on(which, "work-stealing")) return {};
    return (which.what.workload == "fib" ? 9.0 : 1.0) / which.workers;
  };
  EXPECT_EQ(
      judged_in(only_on_fib, 23).found.because,
      "The ratios are a rival's time ÷ that of work-stealing. It beats work-stealing:join=wait "
      "on fib n=27 (9.00 × [9.00, 9.00] with 8 workers). It is not told apart from "
      "work-stealing:join=wait on uts shape=fixed depth=7 seed=19, bpc depth=200.");
}

TEST(Claims, OfStrategiesAreUndecidedIfOneRivalIsNotBeaten) {
  const auto only_busiest = [](const cell& which, const std::string& asked) {
    return asked == "seconds" && is_on(which, "work-stealing:victim=busiest") ? std::optional(9.0)
                                                                              : std::nullopt;
  };
  const finding found = judged_in(only_busiest, 13).found;
  EXPECT_EQ(found.verdict, verdict::undecided);
  EXPECT_NEAR(found.figure->median, 1, 0.001) << "of the rival that it does not beat";
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
