#include "bench/costs/machine_costs.hpp"

#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "bench/costs/partner.hpp"
#include "schedulers/operating_system/thread.hpp"
#include "schedulers/virtual_machine/profile.hpp"

namespace stealbench::costs {
namespace {

TEST(MachineCosts, AreThoseOfSomeMachine) {
  if (operating_system::processor_count() < 2) GTEST_SKIP() << "needs two processors";
  const virtual_machine::costs measured = measure_machine();
  const nlohmann::ordered_json all = json_of(measured);
  EXPECT_EQ(json_of(virtual_machine::costs_of(all)), all) << "a profile can have them";
  for (const auto& [key, value] : all.items()) {
    EXPECT_TRUE(std::isfinite(value.get<double>())) << key;
    const bool is_remainder = key == "look_ns" || key == "interrupt_ns";
    const bool is_count = key == "processors_per_socket";
    EXPECT_TRUE(value > 0 || is_remainder || is_count) << key;
  }
  EXPECT_EQ(measured.remote_transfer, measured.transfer);
}

TEST(Partner, AnswersEachNumberAndSaysWhetherItHadSlept) {
  partner sleeper(wait_by::futex, {});
  unsigned times_asleep = 0;
  for (std::uint32_t number = 1; number <= 100; ++number) {
    if (number > 50) std::this_thread::sleep_for(std::chrono::microseconds(200));
    times_asleep += sleeper.send(number) ? 1U : 0U;
    sleeper.said().await(number);
    EXPECT_LE(sleeper.said().begun, sleeper.said().ended);
  }
  EXPECT_GT(times_asleep, 0U);
  partner spinner(wait_by::spinning, {});
  EXPECT_FALSE(spinner.send(1));
  spinner.said().await(1);
}

}  // namespace
}  // namespace stealbench::costs
