#include "schedulers/engine/loop_pace.hpp"

#include <chrono>
#include <cstddef>

#include <gtest/gtest.h>

namespace stealbench::engine {
namespace {

using std::chrono::nanoseconds;

struct clock_machine {
  inline static std::chrono::steady_clock::time_point time;
  inline static unsigned readings = 0;
  static std::chrono::steady_clock::time_point now() {
    ++readings;
    return time;
  }
};

using pace = loop_pace<clock_machine>;

/// Runs `count` pieces, or a few more, of so long each. Returns how many ran between the last two
/// looks.
std::size_t run_pieces(pace& subject, std::size_t count, nanoseconds each) {
  std::size_t pieces = 0;
  for (std::size_t ran = 0; ran < count; ran += pieces) {
    pieces = subject.next();
    clock_machine::time += pieces * each;
  }
  return pieces;
}

TEST(LoopPace, LooksOnceInAMicrosecondAfterALongPieceOrABoundedNumberOfShortOnes) {
  for (const std::size_t each : {40U, 100U, 333U, 500U}) {
    pace subject;
    EXPECT_EQ(run_pieces(subject, 10'000, nanoseconds(each)), 1000 / each);
  }
  for (const std::size_t each : {0U, 1U, 10U}) {
    pace subject;
    EXPECT_EQ(run_pieces(subject, 10'000, nanoseconds(each)), pace::most_pieces);
  }
  pace of_long_ones;
  for (int i = 0; i < 10'000; ++i) ASSERT_EQ(run_pieces(of_long_ones, 1, nanoseconds(1001)), 1U);
}

TEST(LoopPace, ReadsTheClockTwiceInTheShortestLoopAndSeldomInALongOne) {
  clock_machine::readings = 0;
  pace subject;
  run_pieces(subject, pace::least_pieces, nanoseconds(1));
  EXPECT_EQ(clock_machine::readings, 2U);
  run_pieces(subject, 1600 * pace::most_pieces, nanoseconds(1));
  EXPECT_LE(clock_machine::readings, 2U + 100U);  // Once in 16 looks.
}

TEST(LoopPace, FollowsPiecesThatBecomeLongOrShort) {
  pace subject;
  run_pieces(subject, 10'000, nanoseconds(1));
  // What is run until the clock is read again, and then one at a time.
  EXPECT_EQ(run_pieces(subject, 17 * pace::most_pieces, nanoseconds(100'000)), 1U);
  EXPECT_EQ(run_pieces(subject, 10'000, nanoseconds(1)), pace::most_pieces);
}

}  // namespace
}  // namespace stealbench::engine
