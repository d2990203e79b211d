#include "schedulers/outcome.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include <gtest/gtest.h>

namespace stealbench::schedulers {
namespace {

struct no_worker {};

/// Counts the objects of its kind that are alive.
class counted {
 public:
  explicit counted(int& alive) : alive_(&alive) { ++*alive_; }
  counted(counted&& other) noexcept : alive_(other.alive_) { ++*alive_; }
  counted(const counted&) = delete;
  counted& operator=(const counted&) = delete;
  ~counted() { --*alive_; }

 private:
  int* alive_;
};

TEST(Outcome, GivesBackWhatWasReturnedAsItIs) {
  outcome<std::string> ended;
  ended.capture([](no_worker) { return std::string(50, 'x'); }, no_worker{});
  EXPECT_FALSE(ended.failed());
  EXPECT_EQ(ended.error(), nullptr);
  EXPECT_EQ(ended.take(), std::string(50, 'x'));

  auto owner = std::make_unique<int>(3);
  const int* const owned = owner.get();
  outcome<std::unique_ptr<int>&&> referred;
  referred.capture([&](no_worker) -> std::unique_ptr<int>&& { return std::move(owner); },
                   no_worker{});
  EXPECT_EQ(owner.get(), owned) << "a reference moves nothing";
  const std::unique_ptr<int> taken = referred.take();
  EXPECT_EQ(taken.get(), owned);
}

TEST(Outcome, RethrowsWhatWasThrownAndIsThenEmpty) {
  outcome<int> ended;
  ended.capture([](no_worker) -> int { throw std::out_of_range("far"); }, no_worker{});
  EXPECT_TRUE(ended.failed());
  EXPECT_NE(ended.error(), nullptr);
  EXPECT_THROW(ended.take(), std::out_of_range);
  EXPECT_FALSE(ended.failed());
  ended.capture([](no_worker) { return 2; }, no_worker{});
  EXPECT_EQ(ended.take(), 2);
}

TEST(Outcome, DestroysItsValueOnceWhetherTakenOrNot) {
  int alive = 0;
  const auto make = [&](no_worker) { return counted(alive); };
  {
    outcome<counted> untouched;
    outcome<counted> kept;
    outcome<counted> taken;
    kept.capture(make, no_worker{});
    taken.capture(make, no_worker{});
    EXPECT_EQ(alive, 2);
    {
      const counted value = taken.take();
      EXPECT_EQ(alive, 2);
    }
    EXPECT_EQ(alive, 1);
  }
  EXPECT_EQ(alive, 0);
}

TEST(Outcome, LetsGoOfAnExceptionThatNobodyTakes) {
  const auto held = std::make_shared<int>(0);
  {
    outcome<int> dropped;
    dropped.capture([&](no_worker) -> int { throw held; }, no_worker{});
    EXPECT_EQ(held.use_count(), 2);
  }
  EXPECT_EQ(held.use_count(), 1);
}

/// Its second move throws: the first is the one out of the outcome, or into the pair.
class fragile {
 public:
  fragile(int& alive, int moves_left) : alive_(&alive), moves_left_(moves_left) { ++*alive_; }
  fragile(fragile&& other) : alive_(other.alive_), moves_left_(other.moves_left_ - 1) {  // NOLINT
    if (moves_left_ < 0) throw std::runtime_error("cannot move");
    ++*alive_;
  }
  fragile(const fragile&) = delete;
  fragile& operator=(const fragile&) = delete;
  ~fragile() { --*alive_; }

 private:
  int* alive_;
  int moves_left_;
};

TEST(Outcome, DestroysBothValuesIfAMoveOutOfThemThrows) {
  for (int moves = 0; moves < 4; ++moves) {
    int alive = 0;
    {
      outcome<fragile> first;
      outcome<fragile> second;
      first.capture([&](no_worker) { return fragile(alive, moves); }, no_worker{});
      second.capture([&](no_worker) { return fragile(alive, 9); }, no_worker{});
      EXPECT_EQ(alive, 2);
      if (moves < 2) {
        EXPECT_THROW(take_both(first, second), std::runtime_error);
      } else {
        EXPECT_NO_THROW(take_both(first, second));
      }
    }
    EXPECT_EQ(alive, 0) << moves;
  }
}

}  // namespace
}  // namespace stealbench::schedulers
