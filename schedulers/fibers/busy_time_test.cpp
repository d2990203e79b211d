// Busy time is exact when a run returns, though the thief of its last job may be the slower one.
#include <atomic>
#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "schedulers/busy_leaves/scheduler.hpp"
#include "schedulers/continuation_stealing/scheduler.hpp"
#include "schedulers/depth_first/scheduler.hpp"
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/work_stealing/scheduler.hpp"

namespace stealbench::fibers {
namespace {

/// A look at the clock takes long, but on the thread that calls `run`.
struct slow_clock : engine::std_machine {
  static auto now() {
    if (!is_quick) std::this_thread::sleep_for(std::chrono::milliseconds{20});
    return engine::std_machine::now();
  }
  static thread_local bool is_quick;
};
thread_local bool slow_clock::is_quick = false;

using schedulers_that_count =
    testing::Types<continuation_stealing::scheduler_on<slow_clock>,
                   busy_leaves::scheduler_on<slow_clock>, depth_first::scheduler_on<slow_clock>,
                   work_stealing::scheduler_on<slow_clock>>;

template <class Scheduler>
class BusyTime : public testing::Test {};  // NOLINT: GoogleTest shows it as the name of the suite.
TYPED_TEST_SUITE(BusyTime, schedulers_that_count);

TYPED_TEST(BusyTime, OfAThiefIsCountedWhenItsJobIsJoined) {
  slow_clock::is_quick = true;
  typename TypeParam::counting_variant scheduler({.workers = 2});
  scheduler.run([](auto worker) {
    std::atomic<bool> is_stolen = false;
    worker->fork_join(
        [&](auto) {
          while (!is_stolen) std::this_thread::yield();
          std::this_thread::sleep_for(std::chrono::milliseconds{1});
        },
        [&](auto) { is_stolen = true; });
  });
  EXPECT_GT(scheduler.counters().value().per_worker[1].busy_ns, 0U);
}

}  // namespace
}  // namespace stealbench::fibers
