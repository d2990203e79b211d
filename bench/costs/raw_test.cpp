// The raw costs of the figures, of calls and a partner that take the time that the test says.
#include "bench/costs/raw.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "bench/costs/partner_fixture.hpp"
#include "bench/costs/times.hpp"
#include "bench/system/fake_time_fixture.hpp"
#include "schedulers/operating_system/thread.hpp"

namespace stealbench::costs {
namespace {

using namespace std::chrono_literals;
using system::fake_time;

struct fake_calls {
  using partner = fake_partner;
  static void call() { pass_with_outliers(20ns); }
  template <std::size_t Bytes>
  static void copying_call(const captured<Bytes>& content) {
    pass_with_outliers(std::chrono::nanoseconds(2 * content.size()));
  }
  static void loop(std::size_t indices) { pass_with_outliers(10ns + indices * 6ns); }
};

figure_times raw(std::string_view which, bool pin = false) {
  const fake_time time(30ns);
  fake_partner::noted = {};
  return time_raw<fake_calls>(which, pin);
}

TEST(RawCosts, AreThoseOfPlainCallsAndLoops) {
  const std::pair<std::string_view, double> expected[]{
      {"fork", 40},         {"spawn", 20},        {"spawn_8", 20},    {"spawn_1", 20},
      {"run", 20},          {"capture_8", 16},    {"capture_32", 64}, {"capture_64", 128},
      {"capture_128", 256}, {"capture_256", 512}, {"loop_0", 10},     {"loop_1000", 6.01}};
  for (const auto& [which, ns] : expected) {
    const figure_times times = raw(which);
    EXPECT_NEAR(median_of(times), ns, 1e-6) << which;
    EXPECT_EQ(times.operations_per_run % 1000, 0U) << which;
  }
}

TEST(RawCosts, OfAStealAreTheTwoTransfersOfALine) {
  if (operating_system::processor_count() < 2) GTEST_SKIP() << "needs two processors";
  for (const std::string_view which : {"steal", "steal_0us", "steal_10us"}) {
    EXPECT_NEAR(median_of(raw(which)), 2 * per_transfer.count(), 1e-6);
    const std::vector<partner_made> expected{{wait_by::spinning, 1U, true}};
    EXPECT_EQ(fake_partner::noted.partners, expected);
    EXPECT_FALSE(is_pinned_to(0)) << "as before";
  }
}

TEST(RawCosts, OfAWakeUpAreUntilTheSleeperRunsAndUntilTheWakerGoesOn) {
  for (const bool pin : {false, true}) {
    EXPECT_NEAR(median_of(raw("wake", pin)), per_wake.count(), 1e-6);
    EXPECT_NEAR(median_of(raw("waker", pin)), per_wake_call.count(), 1e-6);
    const std::vector<partner_made> expected{
        {wait_by::futex, pin ? std::optional(1U) : std::nullopt, pin}};
    EXPECT_EQ(fake_partner::noted.partners, expected);
    EXPECT_GE(fake_partner::noted.least_idle, 20ms) << "it sleeps before each";
    EXPECT_LE(fake_partner::noted.least_idle, 21ms);
  }
}

}  // namespace
}  // namespace stealbench::costs
