#include "bench/driver/calibration/tables.hpp"

#include <string>

#include <gtest/gtest.h>

#include "results/dataset/fixture.hpp"

namespace stealbench::calibration {
namespace {

using dataset::contains;
using virtual_machine::profile;

profile made_profile() {
  profile made{
      .name = "here",
      .processor = "Z80",
      .date = "",
      .source = "",
      .is_measured = true,
      .costs = {},
      .strategies = {{"queue",
                      {.fork = 1234.56, .call = 2.34567, .spawn = -0.0345678, .piece = 45678.9}}},
      .work = {{.workload = "fib", .parameters = {{"n", "27"}}, .ns = 56.78951}},
      .validated = {}};
  made.costs.rmw = 17.46512;
  made.costs.transfer = 1234.5678;
  made.costs.jitter = 0;
  made.costs.pause = 1;
  made.work[0].schedulers["queue"] = {
      .fork = 6.78912, .call = 7.89123, .spawn = 8.91234, .piece = 9.99996};
  return made;
}

TEST(CalibratedProfile, IsRoundedToFourDigits) {
  profile made = made_profile();
  round(made);
  EXPECT_DOUBLE_EQ(made.costs.rmw, 17.47);
  EXPECT_DOUBLE_EQ(made.costs.transfer, 1235);
  EXPECT_EQ(made.costs.jitter, 0);
  const auto& general = made.strategies.at("queue");
  EXPECT_DOUBLE_EQ(general.fork, 1235);
  EXPECT_DOUBLE_EQ(general.call, 2.346);
  EXPECT_DOUBLE_EQ(general.spawn, -0.03457);
  EXPECT_DOUBLE_EQ(general.piece, 45680);
  EXPECT_DOUBLE_EQ(made.work[0].ns, 56.79);
  const auto& own = made.work[0].schedulers.at("queue");
  EXPECT_DOUBLE_EQ(own.fork, 6.789);
  EXPECT_DOUBLE_EQ(own.call, 7.891);
  EXPECT_DOUBLE_EQ(own.spawn, 8.912);
  EXPECT_DOUBLE_EQ(own.piece, 10);
}

TEST(CalibratedProfile, IsShownWithTheUnitOfEachValue) {
  profile made = made_profile();
  made.costs.jitter = 0.25;
  const std::string text = to_text(made);
  for (const char* const part :
       {"Costs of Z80\n", "transfer", "1.23 µs\n", "rmw", "17.5 ns\n", "jitter", "0.25\n",
        "scheduler     fork     call       spawn  piece of a loop\n",
        "queue      1.23 µs  2.35 ns  -0.0346 ns          45.7 µs\n",
        "fib n=27          56.8 ns  call\n"}) {
    EXPECT_TRUE(contains(text, part)) << part << " in\n" << text;
  }
}

}  // namespace
}  // namespace stealbench::calibration
