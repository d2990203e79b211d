#include "schedulers/first_error.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace stealbench::schedulers {
namespace {

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

}  // namespace
}  // namespace stealbench::schedulers
