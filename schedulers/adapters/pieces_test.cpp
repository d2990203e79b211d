#include "schedulers/adapters/pieces.hpp"

#include <cstddef>
#include <limits>

#include <gtest/gtest.h>

namespace stealbench::schedulers {
namespace {

constexpr std::size_t most = std::numeric_limits<std::size_t>::max();

TEST(Pieces, AreAsManyAsHoldAGrainEach) {
  EXPECT_EQ(pieces(5, 5, 3).count(), 0U);
  EXPECT_EQ(pieces(6, 5, 3).count(), 0U);
  EXPECT_EQ(pieces(0, 29, 10).count(), 2U);
  EXPECT_EQ(pieces(0, 30, 10).count(), 3U);
  EXPECT_EQ(pieces(0, 3, 10).count(), 1U);
  EXPECT_EQ(pieces(0, 10, 0).count(), 10U);
  EXPECT_EQ(pieces(0, 10, most).count(), 1U);
}

TEST(Pieces, CoverTheLoopAndDifferByOneIndexAtMost) {
  for (const std::size_t first : {std::size_t{0}, most - 40}) {
    for (std::size_t length = 1; length <= 40; ++length) {
      for (std::size_t grain = 1; grain <= length; ++grain) {
        const pieces cut(first, first + length, grain);
        EXPECT_EQ(cut.begin(0), first);
        EXPECT_EQ(cut.begin(cut.count()), first + length);
        for (std::size_t i = 0; i < cut.count(); ++i) {
          const std::size_t held = cut.begin(i + 1) - cut.begin(i);
          EXPECT_GE(held, grain);
          EXPECT_LE(held, length / cut.count() + 1);
        }
      }
    }
  }
}

}  // namespace
}  // namespace stealbench::schedulers
