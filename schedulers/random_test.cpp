#include "schedulers/random.hpp"

#include <cstdint>

#include <gtest/gtest.h>

namespace stealbench::schedulers {
namespace {

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
