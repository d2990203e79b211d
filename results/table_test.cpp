#include "results/table.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

namespace stealbench::results {
namespace {

table two_schedulers() {
  return {"fib, n = 35",
          {{"scheduler", alignment::left}, {"time"}, {"speedup"}},
          {{"serial", "45.6 ms", "—"}, {"work-stealing", "789 µs", "1.93 ×"}}};
}

TEST(DisplayWidth, CountsCodePointsAndNotBytes) {
  EXPECT_EQ(display_width(""), 0U);
  EXPECT_EQ(display_width("ms"), 2U);
  EXPECT_EQ(display_width("—"), 1U);
  EXPECT_EQ(display_width("µ×±"), 3U);
}

TEST(TableAsText, AlignsColumns) {
  EXPECT_EQ(to_text(two_schedulers()),
            "fib, n = 35\n"
            "\n"
            "scheduler         time  speedup\n"
            "-------------  -------  -------\n"
            "serial         45.6 ms        —\n"
            "work-stealing   789 µs   1.93 ×\n");
}

TEST(TableAsMarkdown, AlignsColumnsAndSaysHow) {
  EXPECT_EQ(to_markdown(two_schedulers()),
            "### fib, n = 35\n"
            "\n"
            "| scheduler     |    time | speedup |\n"
            "| :------------ | ------: | ------: |\n"
            "| serial        | 45.6 ms |       — |\n"
            "| work-stealing |  789 µs |  1.93 × |\n");
}

TEST(TableAsText, EndsNoLineWithASpace) {
  const table notes{"", {{"name", alignment::left}, {"note", alignment::left}}, {{"a", ""}}};
  EXPECT_EQ(to_text(notes), "name  note\n----  ----\na\n");
}

TEST(TableAsMarkdown, KeepsANarrowColumnThreeWide) {
  EXPECT_EQ(to_markdown({"", {{"n"}}, {{"1"}}}), "|   n |\n| --: |\n|   1 |\n");
}

TEST(TableAsMarkdown, EscapesMarkup) {
  const table what{"a*b", {{"c|d"}}, {{R"(x | y\z `q` <i> snake_case)"}}};
  EXPECT_EQ(to_markdown(what),
            "### a\\*b\n"
            "\n"
            "|                            c\\|d |\n"
            "| ------------------------------: |\n"
            "| x \\| y\\\\z \\`q\\` \\<i> snake_case |\n");
}

TEST(TableAsText, LeavesMarkupAlone) {
  EXPECT_EQ(to_text({"", {{"a|b"}}, {{"*"}}}), "a|b\n---\n  *\n");
}

TEST(Table, KeepsARowOnOneLine) {
  const table what{"", {{"reason", alignment::left}}, {{"out\nof\tmemory\x7F!"}}};
  EXPECT_EQ(to_text(what), "reason\n---------------\nout of memory !\n");
  EXPECT_EQ(to_markdown(what), "| reason          |\n| :-------------- |\n| out of memory ! |\n");
}

TEST(Table, MayHaveNoRows) {
  EXPECT_EQ(to_text({"", {{"time"}}, {}}), "time\n----\n");
  EXPECT_EQ(to_markdown({"", {{"time"}}, {}}), "| time |\n| ---: |\n");
}

TEST(Table, RefusesARowThatDoesNotFitItsColumns) {
  const table short_row{"", {{"a"}, {"b"}}, {{"1"}}};
  const table long_row{"", {{"a"}}, {{"1", "2"}}};
  for (const table& bad : {short_row, long_row}) {
    EXPECT_THROW((void)to_text(bad), std::invalid_argument);
    EXPECT_THROW((void)to_markdown(bad), std::invalid_argument);
  }
}

}  // namespace
}  // namespace stealbench::results
