#include "schedulers/outcome.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/first_error.hpp"
#include "schedulers/random.hpp"

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

void keep(first_error& errors, std::size_t rank) {
  try {
    throw rank;
  } catch (...) {
    errors.keep(rank);
  }
}

std::optional<std::size_t> rethrown(first_error& errors) {
  try {
    errors.rethrow();
  } catch (std::size_t rank) {
    return rank;
  }
  return std::nullopt;
}

TEST(FirstError, RethrowsTheLowestRankWhateverTheOrder) {
  for (const auto& order : {std::array<std::size_t, 3>{0, 1, 2}, {2, 1, 0}, {1, 0, 2}, {2, 0, 1}}) {
    first_error errors;
    for (const std::size_t rank : order) keep(errors, rank);
    EXPECT_EQ(rethrown(errors), 0U);
  }
}

TEST(FirstError, ForgetsWhatItHasRethrown) {
  first_error errors;
  EXPECT_EQ(rethrown(errors), std::nullopt);
  keep(errors, 1);
  EXPECT_EQ(rethrown(errors), 1U);
  EXPECT_EQ(rethrown(errors), std::nullopt);
  keep(errors, 5);
  EXPECT_EQ(rethrown(errors), 5U);
}

TEST(FirstError, KeepsOneOfManyThreads) {
  first_error errors;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < 4; ++i) {
    threads.emplace_back([&errors, i] {
      for (std::size_t rank = 500; rank-- > 0;) keep(errors, 4 * rank + i + 1);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(rethrown(errors), 1U);
}

// The first values that Marsaglia (2003) and the authors of SplitMix64 give for these seeds.
TEST(Random, IsThatOfItsPapers) {
  std::uint32_t narrow = 2'463'534'242;
  EXPECT_EQ(next_random(narrow), 723'471'715U);
  EXPECT_EQ(next_random(narrow), 2'497'366'906U);
  std::uint64_t wide = 88'172'645'463'325'252;
  EXPECT_EQ(next_random(wide), 8'748'534'153'485'358'512U);
  EXPECT_EQ(next_random(wide), 3'040'900'993'826'735'515U);
  EXPECT_EQ(mixed(1'234'567 + golden_gamma), 6'457'827'717'110'365'317U);
}

}  // namespace
}  // namespace stealbench::schedulers
