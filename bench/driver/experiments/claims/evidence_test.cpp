// How values become verdicts.
#include <vector>

#include <gtest/gtest.h>

#include "bench/driver/experiments/claims/claims.hpp"
#include "bench/driver/experiments/claims/claims_fixture.hpp"

namespace stealbench::experiments::claims {
namespace {

TEST(Claims, TakeTheHullOfWhatEveryMachineShows) {
  const estimate found = hull({{4, {3, 5}}, {1, {0.5, 9}}, {2, {1, 3}}});
  EXPECT_EQ(found.median, 2);
  EXPECT_EQ(found.around.low, 0.5);
  EXPECT_EQ(found.around.high, 9);
}

TEST(Claims, HaveAnIntervalOfWhatWasRecordedSeveralTimes) {
  const contest what{"claimed", {"rival"}, {program("fib", {"n=20"})}, {1}};
  evidence known = contested_with(what, {1, 1, 1, 1, 1, 1});
  json record = json_of(what.programs.front());
  for (const double each : {4, 5, 6, 7, 8, 9})
    record["runs"].push_back(json{{"parallelism", each}});
  known.records.push_back(record);
  const figures found = known.of(
      [&](const reader& read) { return read.recorded(what.programs.front(), "parallelism"); });
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].median, 6.5);
  EXPECT_LT(found[0].around.low, 6);
  EXPECT_GT(found[0].around.high, 7);
}

TEST(Claims, CombineTwoVerdicts) {
  using enum verdict;
  EXPECT_EQ(both(holds, holds), holds);
  EXPECT_EQ(both(holds, undecided), undecided);
  EXPECT_EQ(both(undecided, holds), undecided);
  EXPECT_EQ(both(undecided, does_not_hold), does_not_hold);
  EXPECT_EQ(both(does_not_hold, undecided), does_not_hold);
}

TEST(Claims, OfTheoremsAreNotRefutedByCosts) {
  using enum verdict;
  const std::vector<std::vector<verdict>> by_model_and_costs{
      {holds, holds, holds},
      {holds, undecided, undecided},
      {holds, does_not_hold, holds_in_model},
      {undecided, holds, holds},
      {undecided, undecided, undecided},
      {undecided, does_not_hold, undecided},
      {does_not_hold, holds, does_not_hold},
      {does_not_hold, undecided, does_not_hold},
      {does_not_hold, does_not_hold, does_not_hold}};
  for (const std::vector<verdict>& each : by_model_and_costs) {
    EXPECT_EQ(of_theorem(each[0], each[1]), each[2])
        << static_cast<int>(each[0]) << " in the model, " << static_cast<int>(each[1]);
  }
}

TEST(Claims, FindALineThroughPointsOfALine) {
  const line found = line_through({{1, 5}, {10, 23}, {100, 203}});
  EXPECT_NEAR(found.at_zero, 3, 1e-9);
  EXPECT_NEAR(found.slope, 2, 1e-9);
  EXPECT_NEAR(found.misfit, 1, 1e-9);
  EXPECT_NEAR(line_through({{0, 10}, {1, 20}, {2, 10}}).misfit, 1.8, 1e-9);
}

TEST(Claims, TakeTheRecordThatWasInterruptedLeast) {
  const std::vector<json> runs{
      {{"parallelism", 4.0}}, {{"parallelism", 9.0}}, {{"parallelism", 5.0}}};
  EXPECT_EQ(most_parallel(runs), runs[1]);
}

}  // namespace
}  // namespace stealbench::experiments::claims
