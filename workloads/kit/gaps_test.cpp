#include "workloads/kit/gaps.hpp"

#include <chrono>

#include <gtest/gtest.h>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/kit/in_order_worker.hpp"

namespace stealbench::kit {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;
using std::chrono::steady_clock;

struct adding_machine {
  inline static std::uint64_t units = 0;
  static void work(std::uint64_t more) { units += more; }
};

TEST(Gaps, PassInEitherForm) {
  for (const gap_form form : {gap_form::sleep, gap_form::spin}) {
    const steady_clock::time_point begin = steady_clock::now();
    wait(serial::worker{}, microseconds(300), form);
    EXPECT_GE(steady_clock::now() - begin, microseconds(300));
  }
}

TEST(Gaps, AreWorkInSimulatedTime) {
  adding_machine::units = 0;
  wait(in_order_worker<adding_machine>(), microseconds(300), gap_form::sleep);
  EXPECT_EQ(adding_machine::units, 300'000U);
}

}  // namespace
}  // namespace stealbench::kit
