#include "bench/driver/calibration/checks.hpp"

#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "bench/driver/calibration/fixture.hpp"
#include "bench/driver/end_to_end/planted.hpp"
#include "results/system/scratch_folder.hpp"

namespace stealbench::calibration {
namespace {

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
