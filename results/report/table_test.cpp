#include "results/report/table.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

namespace stealbench::report {
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
  EXPECT_EQ(to_text(marked(), text_style::coloured),
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
  EXPECT_EQ(to_html(marked()),
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
      to_html({"", {{"a"}, {"b"}, {"c"}}, {{"x", "1.93 × [1.90, 2.01]", reason}}});
  EXPECT_NE(html.find("<td class=\"right\">1.93"), std::string::npos) << html;
  EXPECT_NE(html.find("<td class=\"right long\">DNF"), std::string::npos) << html;
}

TEST(TableAsHtml, EscapesMarkup) {
  const std::string html = to_html({"<a>", {{"\"b\""}}, {{"x & 'y' </td><script>"}}});
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
