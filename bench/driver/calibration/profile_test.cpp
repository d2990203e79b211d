#include "bench/driver/calibration/profile.hpp"

#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "bench/driver/calibration/fixture.hpp"
#include "bench/driver/end_to_end/planted_fixture.hpp"
#include "results/dataset/fixture.hpp"
#include "results/system/scratch_folder_fixture.hpp"

namespace stealbench::calibration {
namespace {

using dataset::contains;
using virtual_machine::profile;

profile made_profile() {
  profile unrounded{
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
  unrounded.costs.rmw = 17.46512;
  unrounded.costs.transfer = 1234.5678;
  unrounded.costs.jitter = 0;
  unrounded.costs.pause = 1;
  unrounded.work[0].schedulers["queue"] = {
      .fork = 6.78912, .call = 7.89123, .spawn = 8.91234, .piece = 9.99996};
  return unrounded;
}

TEST(CalibratedProfile, IsRoundedToFourDigits) {
  profile rounded = made_profile();
  round(rounded);
  EXPECT_DOUBLE_EQ(rounded.costs.rmw, 17.47);
  EXPECT_DOUBLE_EQ(rounded.costs.transfer, 1235);
  EXPECT_EQ(rounded.costs.jitter, 0);
  const auto& general = rounded.strategies.at("queue");
  EXPECT_DOUBLE_EQ(general.fork, 1235);
  EXPECT_DOUBLE_EQ(general.call, 2.346);
  EXPECT_DOUBLE_EQ(general.spawn, -0.03457);
  EXPECT_DOUBLE_EQ(general.piece, 45680);
  EXPECT_DOUBLE_EQ(rounded.work[0].ns, 56.79);
  const auto& own = rounded.work[0].schedulers.at("queue");
  EXPECT_DOUBLE_EQ(own.fork, 6.789);
  EXPECT_DOUBLE_EQ(own.call, 7.891);
  EXPECT_DOUBLE_EQ(own.spawn, 8.912);
  EXPECT_DOUBLE_EQ(own.piece, 10);
}

TEST(CalibratedProfile, IsShownWithTheUnitOfEachValue) {
  profile written = made_profile();
  written.costs.jitter = 0.25;
  const std::string text = to_text(written);
  for (const char* const part :
       {"Costs of Z80\n", "transfer", "1.23 µs\n", "rmw", "17.5 ns\n", "jitter", "0.25\n",
        "scheduler     fork     call       spawn  piece of a loop\n",
        "queue      1.23 µs  2.35 ns  -0.0346 ns          45.7 µs\n",
        "fib n=27          56.8 ns  call\n"}) {
    EXPECT_TRUE(contains(text, part)) << part << " in\n" << text;
  }
}

dataset::instance small(const char* workload) {
  return rounds::instances_of(rounds::find_workload(workload), "small", {}).front();
}

check with_error(double error, unsigned workers) {
  return {.which = {{"fib", {{"n", "27"}}}, "work-stealing", workers},
          .measured = 1e-3,
          .simulated = 1e-3 * (1 + error)};
}

TEST(InstancesToCheck, AreTheSmallOnesThatWereAskedForAndAreNotCalibrated) {
  using instances = std::vector<dataset::instance>;
  EXPECT_EQ(instances_to_check({"uts", "mergesort", "fib"}, {}),
            (instances{small("fib"), small("uts")}));
  EXPECT_EQ(instances_to_check({"uts", "fib"}, {small("fib"), small("skynet")}),
            instances{small("uts")});
  EXPECT_TRUE(instances_to_check({"mergesort"}, {}).empty());
}

TEST(Check, SaysWhatWasSimulatedAndMeasured) {
  EXPECT_EQ(to_text(with_error(0.2, 2)),
            "fib n=27 on work-stealing with 2 workers: simulated 1.20 ms, measured 1.00 ms "
            "(+20.0 %)");
  EXPECT_EQ(to_text(with_error(-0.0525, 1)),
            "fib n=27 on work-stealing with 1 worker: simulated 948 µs, measured 1.00 ms (-5.2 %)");
}

TEST(Doubt, IsOfEveryCheckThatIsOffByMoreThanTheBoundEitherWay) {
  EXPECT_EQ(doubt_of({with_error(0.149, 1), with_error(-0.149, 2)}), "");
  EXPECT_EQ(doubt_of({with_error(0.151, 1), with_error(0.1, 1), with_error(-0.152, 2)}),
            "benchmarks that it was not calibrated on miss the bound of 15 %: fib n=27 on "
            "work-stealing with 1 worker: simulated 1.15 ms, measured 1.00 ms (+15.1 %); fib n=27 "
            "on work-stealing with 2 workers: simulated 848 µs, measured 1.00 ms (-15.2 %).");
  EXPECT_NE(doubt_of({with_error(std::numeric_limits<double>::quiet_NaN(), 1)}), "");
}

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Checks : public system::scratch_folder {};

TEST_F(Checks, MeasureAndSimulateWithOneAndTwoWorkers) {
  plant("stealbench-queue", end_to_end::taking("4000 - workers * 1000"));
  plant("simulated", simulating("*) ns=$((4100 - workers * 1200)) ;;", true));
  system::process_runner runner;
  const std::vector<check> all =
      run_checks({}, {"queue", folder() / "stealbench-queue", folder() / "simulated"},
                 {{"fib", {{"n", "27"}}}, {"uts", {}}}, runner);
  ASSERT_EQ(all.size(), 4U);
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].which.what.workload, i < 2 ? "fib" : "uts");
    EXPECT_EQ(all[i].which.scheduler, "queue");
    EXPECT_EQ(all[i].which.workers, i % 2 + 1);
    EXPECT_NEAR(all[i].measured, i % 2 == 0 ? 3e-6 : 2e-6, 1e-12);
    EXPECT_NEAR(all[i].simulated, i % 2 == 0 ? 2.9e-6 : 1.7e-6, 1e-12);
    EXPECT_NEAR(all[i].error(), i % 2 == 0 ? -0.1 / 3 : -0.15, 1e-9);
  }
}

}  // namespace
}  // namespace stealbench::calibration
