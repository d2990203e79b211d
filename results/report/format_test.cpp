#include "results/report/format.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace stealbench::report {
namespace {

using texts = std::vector<std::pair<double, std::string>>;

TEST(FormatSeconds, HasThreeDigitsAndAUnit) {
  EXPECT_EQ(seconds(1.234), "1.23 s");
  EXPECT_EQ(seconds(0.04562), "45.6 ms");
  EXPECT_EQ(seconds(789.1e-6), "789 µs");
  EXPECT_EQ(seconds(12.34e-9), "12.3 ns");
  EXPECT_EQ(seconds(2.0), "2.00 s");
  EXPECT_EQ(seconds(-0.25), "-250 ms");
}

TEST(FormatSeconds, StepsToTheNextUnitWhereRoundingReachesIt) {
  EXPECT_EQ(seconds(0.9994), "999 ms");
  EXPECT_EQ(seconds(0.9996), "1.00 s");
  EXPECT_EQ(seconds(999.6e-6), "1.00 ms");
  EXPECT_EQ(seconds(999.6e-9), "1.00 µs");
}

TEST(FormatSeconds, StaysAtThreeDigitsWhereRoundingAddsOne) {
  EXPECT_EQ(seconds(9.996), "10.0 s");
  EXPECT_EQ(seconds(99.94), "99.9 s");
  EXPECT_EQ(seconds(99.96), "100 s");
}

TEST(FormatSeconds, NeverCutsTheWholePart) { EXPECT_EQ(seconds(12345.6), "12346 s"); }

TEST(FormatSeconds, GoesBelowTheLeastUnit) {
  EXPECT_EQ(seconds(0), "0 s");
  EXPECT_EQ(seconds(0.1234e-9), "0.123 ns");
}

TEST(Format, WritesADashWhereThereIsNoFiniteValue) {
  for (const auto& none : {std::optional<double>(), std::optional(std::nan("")),
                           std::optional(std::numeric_limits<double>::infinity())}) {
    EXPECT_EQ(seconds(none), "—");
    EXPECT_EQ(bytes(none), "—");
    EXPECT_EQ(ratio(none), "—");
    EXPECT_EQ(count(none), "—");
  }
  EXPECT_EQ(ratio_with_interval(std::nullopt), "—");
  EXPECT_EQ(seconds_with_interval(std::nullopt), "—");
  EXPECT_EQ(seconds_with_interval(estimate{1, {0, std::nan("")}}), "—");
}

TEST(FormatSecondsWithInterval, UsesTheUnitOfTheMedianThroughout) {
  EXPECT_EQ(seconds_with_interval(estimate{0.0456, {0.0449, 0.0472}}), "45.6 ms [44.9, 47.2]");
  EXPECT_EQ(seconds_with_interval(estimate{0.9, {0.0891, 1.2}}), "900 ms [89.1, 1200]");
  EXPECT_EQ(seconds_with_interval(estimate{0, {0, 1.5}}), "0 s [0, 1.50]");
}

TEST(FormatBytes, CountsInPowersOf1024) {
  for (const auto& [value, text] : texts{{0, "0 B"},
                                         {512, "512 B"},
                                         {1023, "1023 B"},
                                         {1024, "1.00 KiB"},
                                         {12.3 * 1024 * 1024, "12.3 MiB"},
                                         {1023.7 * 1024, "1.00 MiB"},
                                         {0x1p30 * 1.5, "1.50 GiB"},
                                         {0x1p40 * 5000, "5000 TiB"}}) {
    EXPECT_EQ(bytes(value), text);
  }
}

TEST(FormatRatio, HasThreeDigitsAndATimesSign) {
  EXPECT_EQ(ratio(1.926), "1.93 ×");
  EXPECT_EQ(ratio(1), "1.00 ×");
  EXPECT_EQ(ratio(0.01234), "0.0123 ×");
  EXPECT_EQ(ratio(431.2), "431 ×");
}

TEST(FormatRatioWithInterval, HasTheTimesSignBehindTheRatio) {
  EXPECT_EQ(ratio_with_interval(estimate{1.5, {0.98765, 12.34}}), "1.50 × [0.988, 12.3]");
}

TEST(FormatCount, SeparatesThousands) {
  for (const auto& [value, text] : texts{{0, "0"},
                                         {999, "999"},
                                         {1000, "1,000"},
                                         {1234567.5, "1,234,568"},
                                         {123456, "123,456"},
                                         {-123456, "-123,456"}}) {
    EXPECT_EQ(count(value), text);
  }
}

TEST(FormatCounted, HasAPluralUnlessThereIsOne) {
  EXPECT_EQ(counted(0, "round"), "0 rounds");
  EXPECT_EQ(counted(1, "round"), "1 round");
  EXPECT_EQ(counted(12, "round"), "12 rounds");
}

TEST(Names, AreSixAtMost) {
  EXPECT_EQ(joined({"a", "b", "c", "d", "e", "f"}), "a, b, c, d, e, f");
  EXPECT_EQ(joined({"a", "b", "c", "d", "e", "f", "g", "h"}), "a, b, c, d, e, f and 2 more");
}

TEST(OnOneLine, ReplacesWhatATerminalOrAPageWouldObey) {
  for (const char* const each :
       {"\x1b", "\n", "\x7f", "\xc2\x80", "\xc2\x9f", "\xe2\x80\x8e", "\xe2\x80\xa8",
        "\xe2\x80\xae", "\xe2\x81\xa6", "\xe2\x81\xa9", "\xef\xbf\xbf"}) {
    EXPECT_EQ(on_one_line(std::string("a") + each + "b"), "a b");
  }
  const std::string kept = "µ × — … \u00a0 \u00e4 \u2030 \uff01";
  EXPECT_EQ(on_one_line(kept), kept);
}

}  // namespace
}  // namespace stealbench::report
