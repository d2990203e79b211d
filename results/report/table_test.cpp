#include "results/report/table.hpp"

#include <cstdlib>
#include <stdexcept>

#include <gtest/gtest.h>
#include <unistd.h>

namespace stealbench::report {
namespace {

table two_schedulers() {
  return {"fib, n = 35",
          {{"scheduler", alignment::left}, {"time"}, {"speedup"}},
          {{"serial", "45.6 ms", "—"}, {"work-stealing", "789 µs", "1.93 ×"}}};
}

TEST(Table, SaysBelowItsTitleWhereItsValuesComeFrom) {
  table what{"Times", {{"a"}}, {{"1"}}};
  what.origin = "Measured on 2 processors: <Z80>.";
  EXPECT_EQ(to_text(what), "Times\nMeasured on 2 processors: <Z80>.\n\na\n-\n1\n");
  EXPECT_TRUE(
      to_markdown(what).starts_with("### Times\n\nMeasured on 2 processors: \\<Z80>.\n\n|   a |\n"))
      << to_markdown(what);
  EXPECT_NE(to_html(what).at(0).find(
                "<caption>Times <small>Measured on 2 processors: &lt;Z80&gt;.</small></caption>"),
            std::string::npos)
      << to_html(what).at(0);
  EXPECT_EQ(to_csv(what), "a\r\n1\r\n");
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
            "| serial        | 45.6\u00A0ms |       — |\n"
            "| work-stealing |  789\u00A0µs |  1.93\u00A0× |\n");
}

TEST(TableAsMarkdown, TiesNumbersToTheirUnits) {
  const auto shown = [](const std::string& cell, alignment align) {
    return to_markdown({"", {{"a", align}}, {{cell}}});
  };
  for (const auto& [cell, tied] : std::vector<std::pair<std::string, std::string>>{
           {"1 · 1.04 ×", "1 · 1.04\u00A0×"},
           {"45.6 ms [44.9, 47.2]", "45.6\u00A0ms [44.9, 47.2]"},
           {"50 %, 50 %", "50\u00A0%, 50\u00A0%"},
           {"timed out after 120 s", "timed out after 120\u00A0s"}}) {
    EXPECT_NE(shown(cell, alignment::right).find("| " + tied + " |"), std::string::npos) << cell;
  }
  EXPECT_NE(shown("n=1 seed=2", alignment::left).find("| n=1 seed=2 |"), std::string::npos);
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

/// Of 4, 6, 6 and 6 characters.
table four_columns() {
  return {"Costs",
          {{"name", alignment::left}, {"first "}, {"second"}, {"third "}},
          {{"a", "1", "2", "3"}},
          {{0, 3, emphasis::best}}};
}

TEST(TableAsText, IsSplitWhereALineEndsAndNamesEachRowAgain) {
  EXPECT_EQ(to_text(four_columns(), {.width = 28}), to_text(four_columns()));
  EXPECT_EQ(to_text(four_columns(), {.width = 27, .is_coloured = true}),
            "Costs\n\n"
            "name  first   second\n"
            "----  ------  ------\n"
            "a          1       2\n"
            "\n"
            "name  third\n"
            "----  ------\n"
            "a     \x1B[1m     3\x1B[0m\n");
  table two_keys = four_columns();
  two_keys.keys = 2;
  EXPECT_EQ(to_text(two_keys, {.width = 27}),
            "Costs\n\n"
            "name  first   second\n"
            "----  ------  ------\n"
            "a          1       2\n"
            "\n"
            "name  first   third\n"
            "----  ------  ------\n"
            "a          1       3\n");
}

TEST(TableAsText, HasPartsOfNearlyTheSameWidth) {
  table five = four_columns();
  five.columns.push_back({"fourth"});
  five.rows[0].emplace_back("4");
  const std::string text = to_text(five, {.width = 28});  // Three of the four would fit.
  EXPECT_NE(text.find("name  first   second\n"), std::string::npos) << text;
  EXPECT_NE(text.find("name  third   fourth\n"), std::string::npos) << text;
}

TEST(TableAsText, HasAColumnThatIsWiderThanTheLine) {
  const std::string text = to_text(four_columns(), {.width = 1});
  for (const char* const part : {"name  first\n", "name  second\n", "name  third\n"}) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
  table keys_alone = four_columns();
  keys_alone.keys = 9;
  EXPECT_EQ(to_text(keys_alone, {.width = 1}), to_text(four_columns()));
}

TEST(TableAsHtml, IsSplitWhereAPageEnds) {
  table wide{"Many", {{"name"}}, {{"a"}}, {{0, 30, emphasis::failed}}};
  for (int i = 1; i <= 30; ++i) {
    wide.columns.push_back({"column " + std::to_string(i)});
    wide.rows[0].push_back("cell " + std::to_string(i));
  }
  const std::vector<std::string> parts = to_html(wide);
  ASSERT_GT(parts.size(), 1U);
  EXPECT_NE(parts[0].find("<caption>Many</caption>"), std::string::npos);
  EXPECT_NE(parts[1].find("<caption>Many, continued</caption>"), std::string::npos);
  for (const std::string& each : parts) {
    EXPECT_NE(each.find("<th scope=\"row\" class=\"right\">a</th>"), std::string::npos) << each;
  }
  EXPECT_NE(parts.back().find("<td class=\"right failed\">cell 30</td>"), std::string::npos);
}

TEST(StandardOutput, IsAsWideAsColumnsSays) {
  for (const auto& [columns, width] : std::vector<std::pair<const char*, std::size_t>>{
           {"132", 132}, {"3", 20}, {"0", 100}, {"wide", 100}, {"", 100}}) {
    setenv("COLUMNS", columns, 1);
    if (isatty(STDOUT_FILENO) == 0 || width != 100) {
      EXPECT_EQ(standard_output().width, width) << columns;
    }
  }
  unsetenv("COLUMNS");
  setenv("TERM", "xterm", 1);
  EXPECT_EQ(standard_output().is_coloured, isatty(STDOUT_FILENO) == 1);
}

table marked() {
  table what = two_schedulers();
  what.rows.push_back({"openmp", "DNF", "—"});
  what.marks = {{1, 2, emphasis::best}, {2, 1, emphasis::failed}};
  return what;
}

TEST(TableAsText, ShowsNoMarksUnlessItIsAskedTo) {
  EXPECT_EQ(to_text(marked()).find('\x1B'), std::string::npos);
}

TEST(TableAsText, ShowsMarksInColourAndKeepsItsWidths) {
  EXPECT_EQ(to_text(marked(), {.is_coloured = true}),
            "fib, n = 35\n"
            "\n"
            "scheduler         time  speedup\n"
            "-------------  -------  -------\n"
            "serial         45.6 ms        —\n"
            "work-stealing   789 µs  \x1B[1m 1.93 ×\x1B[0m\n"
            "openmp         \x1B[31m    DNF\x1B[0m        —\n");
}

TEST(TableAsCsv, HoldsHeadersAndRows) {
  EXPECT_EQ(to_csv(two_schedulers()),
            "scheduler,time,speedup\r\n"
            "serial,45.6 ms,—\r\n"
            "work-stealing,789 µs,1.93 ×\r\n");
}

TEST(TableAsCsv, QuotesWhatWouldEndAField) {
  EXPECT_EQ(to_csv({"", {{"a"}, {"b,c"}}, {{"say \"no\"", "1\n2"}, {"", " x "}}}),
            "a,\"b,c\"\r\n"
            "\"say \"\"no\"\"\",\"1\n2\"\r\n"
            ", x \r\n");
}

TEST(TableAsHtml, NamesRowsAndColumnsAndMarksCells) {
  ASSERT_EQ(to_html(marked()).size(), 1U);
  EXPECT_EQ(to_html(marked())[0],
            "<table>\n"
            "<caption>fib, n = 35</caption>\n"
            "<thead><tr><th scope=\"col\" class=\"left\">scheduler</th>"
            "<th scope=\"col\" class=\"right\">time</th>"
            "<th scope=\"col\" class=\"right\">speedup</th></tr></thead>\n"
            "<tbody>\n"
            "<tr><th scope=\"row\" class=\"left\">serial</th><td class=\"right\">45.6 ms</td>"
            "<td class=\"right\">—</td></tr>\n"
            "<tr><th scope=\"row\" class=\"left\">work-stealing</th><td class=\"right\">789 µs</td>"
            "<td class=\"right best\">1.93 ×</td></tr>\n"
            "<tr><th scope=\"row\" class=\"left\">openmp</th><td class=\"right failed\">DNF</td>"
            "<td class=\"right\">—</td></tr>\n"
            "</tbody>\n"
            "</table>\n");
}

TEST(TableAsHtml, SaysWhichCellsMayBeBroken) {
  const std::string reason = "DNF: ended by signal 11 (Segmentation fault)";
  const std::string html =
      to_html({"", {{"a"}, {"b"}, {"c"}}, {{"x", "1.93 × [1.90, 2.01]", reason}}}).at(0);
  EXPECT_NE(html.find("<td class=\"right\">1.93"), std::string::npos) << html;
  EXPECT_NE(html.find("<td class=\"right long\">DNF"), std::string::npos) << html;
}

TEST(TableAsHtml, EscapesMarkup) {
  const std::string html = to_html({"<a>", {{"\"b\""}}, {{"x & 'y' </td><script>"}}}).at(0);
  for (const char* const part : {"<caption>&lt;a&gt;</caption>", ">&quot;b&quot;</th>",
                                 ">x &amp; &#39;y&#39; &lt;/td&gt;&lt;script&gt;</th>"}) {
    EXPECT_NE(html.find(part), std::string::npos) << part << " in\n" << html;
  }
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
    EXPECT_THROW((void)to_csv(bad), std::invalid_argument);
    EXPECT_THROW((void)to_html(bad), std::invalid_argument);
  }
}

TEST(Csv, KeepsASpreadsheetFromTakingATextForAFormula) {
  const table names{
      "", {{"=h"}}, {{"=1+1"}, {"+a"}, {"-b"}, {"@c"}, {"\tt"}, {"-1.5e-9"}, {"a=1"}}};
  EXPECT_EQ(to_csv(names), "'=h\r\n'=1+1\r\n'+a\r\n'-b\r\n'@c\r\n' t\r\n-1.5e-9\r\na=1\r\n");
}

TEST(Csv, HasNoControlCharacterButLineBreaks) {
  const table names{"", {{"h"}}, {{"a\x1b[2J\xc2\x9b\nb"}}};
  EXPECT_EQ(to_csv(names), "h\r\n\"a [2J \nb\"\r\n");
}

}  // namespace
}  // namespace stealbench::report
