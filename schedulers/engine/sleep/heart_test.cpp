// On the real clock. That it rests between runs is tested_heart in simulated time
// (schedulers/virtual_machine/tests/exposure_test.cpp).
#include "schedulers/engine/sleep/heart.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <thread>

#include <gtest/gtest.h>

#include "schedulers/engine/std_machine.hpp"

namespace stealbench::engine {
namespace {

using tested_heart = heart<std_machine>;
constexpr std::chrono::microseconds period{50};

void await_beats(const tested_heart& heart, std::uint64_t more) {
  const std::uint64_t wanted = heart.beats() + more;
  while (heart.beats() < wanted) std::this_thread::yield();  // Would hang.
}

TEST(Heart, BeatsInEachRun) {
  std::atomic<std::uint64_t> felt{0};
  tested_heart beating(period, [&] { ++felt; });
  for (int run = 0; run < 3; ++run) {
    const tested_heart::run_scope scope(&beating);
    await_beats(beating, 10);
  }
  EXPECT_GE(felt, 29U) << "the latest one may be under way";
}

TEST(Heart, GoesOnFromARunToTheNext) {
  tested_heart beating(period, [] {});
  const std::uint64_t wanted = 20;
  while (beating.beats() < wanted) const tested_heart::run_scope scope(&beating);  // Would hang.
}

TEST(Heart, DoesNotBeatFasterThanItsPeriod) {
  tested_heart beating(period, [] {});
  const tested_heart::run_scope scope(&beating);
  const auto begin = std::chrono::steady_clock::now();
  const std::uint64_t before = beating.beats();
  await_beats(beating, 20);
  const auto passed = std::chrono::steady_clock::now() - begin;
  // A beat that was due before may come at once.
  EXPECT_GE(passed, (beating.beats() - before - 2) * period);
}

TEST(Heart, EndsWhateverItDoes) {
  for (int i = 0; i < 100; ++i) {
    std::optional<tested_heart> beating(std::in_place, period, [] {});
    if (i % 2 == 0) const tested_heart::run_scope scope(&*beating);
    if (i % 3 == 0) std::this_thread::yield();
    beating.reset();  // Would hang.
  }
}

}  // namespace
}  // namespace stealbench::engine
