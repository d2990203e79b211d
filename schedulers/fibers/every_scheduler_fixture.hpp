// For tests: the schedulers whose fibers migrate, and what several tests have them do.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "schedulers/busy_leaves/scheduler.hpp"
#include "schedulers/continuation_stealing/scheduler.hpp"
#include "schedulers/depth_first/scheduler.hpp"
#include "schedulers/operating_system/thread.hpp"

namespace stealbench::fibers {

using every_scheduler = testing::Types<continuation_stealing::scheduler, busy_leaves::scheduler,
                                       depth_first::scheduler>;

/// For TYPED_TEST_SUITE. Without '-', behind which GoogleTest takes a filter for what is left out:
/// a death test, which runs anew by its name, would then run nothing and end with 0.
struct scheduler_names {
  template <class Type>
  // NOLINTNEXTLINE(readability-identifier-naming): GoogleTest calls it so.
  static std::string GetName(int /*index*/) {
    std::string name(Type::name);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
  }
};

/// A fork whose second branch is stolen: the first one waits for that.
void fork_stolen(auto worker, const auto& second) {
  std::atomic<bool> is_stolen = false;
  worker->fork_join(
      [&](auto) {
        while (!is_stolen) std::this_thread::yield();
      },
      [&](auto thief) {
        is_stolen = true;
        second(thief);
      });
}

/// Goes on on another thread, with two workers or more: the first branch waits for a thief, and
/// the thief is still at work when it ends. Returns whether it does: all others may wait likewise.
/// (Not by pthread_self(), which is const: a compiler may call that once for a whole function.)
template <class Worker>
[[gnu::noinline]] bool migrate(Worker worker) {
  using std::chrono::steady_clock;
  const auto before = operating_system::this_thread();
  std::atomic<bool> is_stolen = false;
  worker->fork_join(
      [&](auto) {
        const auto end = steady_clock::now() + std::chrono::milliseconds{20};
        while (!is_stolen && steady_clock::now() < end) std::this_thread::yield();
      },
      [&](auto) {
        is_stolen = true;
        std::this_thread::sleep_for(std::chrono::milliseconds{1});
      });
  return operating_system::this_thread() != before;
}

void expect_to_throw(bool throws, const auto& call) {
  if (!throws) return call();
  EXPECT_THROW(call(), std::runtime_error);
}

}  // namespace stealbench::fibers
