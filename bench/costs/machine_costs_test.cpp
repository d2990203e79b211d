#include "bench/costs/machine_costs.hpp"

#include <chrono>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "bench/costs/partner.hpp"
#include "schedulers/operating_system/thread.hpp"
#include "schedulers/virtual_machine/profile.hpp"

namespace stealbench::costs {
namespace {

TEST(MachineCosts, AreThoseOfSomeMachine) {
  if (operating_system::processor_count() < 2) GTEST_SKIP() << "needs two processors";
  virtual_machine::costs measured;
  try {
    measured = measure_machine();
  } catch (const std::runtime_error& error) {  // It has to say so where others use the processors.
    EXPECT_NE(std::string(error.what()).find("the second processor is busy"), std::string::npos);
    GTEST_SKIP() << error.what();
  }
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
  bool has_slept = false;
  for (std::uint32_t number = 1; number <= 100 || !has_slept; ++number) {  // Would hang.
    if (number > 50) std::this_thread::sleep_for(std::chrono::microseconds(200));
    has_slept = sleeper.send(number) || has_slept;
    sleeper.said().await(number);
    EXPECT_LE(sleeper.said().begun, sleeper.said().ended);
  }
  partner spinner(wait_by::spinning, {});
  EXPECT_FALSE(spinner.send(1));
  spinner.said().await(1);
}

}  // namespace
}  // namespace stealbench::costs
