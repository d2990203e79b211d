#include "results/report/document.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

#include "results/dataset/fixture.hpp"

namespace stealbench::report {
namespace {

using dataset::contains;

plot some_plot() {
  return {.title = "Dots",
          .caption = "What it shows",
          .x = {},
          .y = {},
          .curves = {{"one", 0, {{1, {1, {1, 1}}}}}}};
}

plot with_caption(const std::string& text) {
  plot changed = some_plot();
  changed.caption = text;
  return changed;
}

/// A section of each prominence, and a block of each kind.
document sample() {
  return {"A title",
          {{"Answer", prominence::summary, {paragraph{"One leads.", true}}},
           {"Drawing", prominence::detail, {plot_group{{some_plot()}}}},
           {"Values", prominence::tables, {table{"Numbers", {{"a"}}, {{"1"}}}}},
           {"Words", prominence::tables, {definition_list{{{"Term", "what it means"}}}}},
           {"Origin", prominence::detail, {paragraph{"From here."}}}}};
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++count;
  return count;
}

std::string html_of(std::vector<section> sections) {
  return to_html(document{"A page", std::move(sections)});
}

TEST(DocumentAsText, HasTheTablesThenTheAnswerAndNoDetail) {
  EXPECT_EQ(to_text(sample()), "Numbers\n\na\n-\n1\n\n\nTerm: what it means\n\nOne leads.\n\n");
}

TEST(DocumentAsText, IsColouredIfAsked) {
  document marked = sample();
  marked.sections[2].blocks = {table{"", {{"a"}}, {{"1"}}, {{0, 0, emphasis::failed}}}};
  EXPECT_TRUE(contains(to_text(marked, {.is_coloured = true}), "\x1B["));
  EXPECT_FALSE(contains(to_text(marked), "\x1B["));
}

TEST(DocumentAsMarkdown, HasEverySectionButThoseOfPlotsAlone) {
  EXPECT_EQ(to_markdown(sample()),
            "# A title\n\n## Answer\n\nOne leads.\n\n## Values\n\n### Numbers\n\n|   a |\n| --: "
            "|\n|   1 |\n\n## Words\n\n- **Term**: what it means\n\n## Origin\n\nFrom here.\n\n");
}

TEST(DocumentAsMarkdown, CanBeItsSummaryAlone) {
  EXPECT_EQ(summary_in_markdown(sample()), "One leads.\n\n");
}

TEST(Page, IsADocumentThatSaysItsLanguageAndTitle) {
  const std::string html = html_of({});
  EXPECT_EQ(html.rfind("<!DOCTYPE html>\n<html lang=\"en\">", 0), 0U);
  EXPECT_TRUE(contains(html, "<title>A page</title>"));
  EXPECT_TRUE(contains(html, "<h1>A page</h1>"));
}

TEST(Page, LoadsNothing) {
  document without_plots = sample();  // Which name what their format is called after.
  without_plots.sections.erase(without_plots.sections.begin() + 1);
  const std::string html = to_html(without_plots);
  for (const char* const part :
       {"<script", "<link", "@import", "url(", "src=", "http:", "https:"}) {
    EXPECT_FALSE(contains(html, part)) << part;
  }
  EXPECT_TRUE(contains(html, "default-src 'none'"));
}

TEST(Page, HasEverySectionAndBlock) {
  const std::string html = to_html(sample());
  for (const char* const part :
       {"<p class=\"lead\">One leads.</p>", "<figcaption>What it shows</figcaption>", "<svg",
        "<caption>Numbers</caption>", "<dt>Term</dt><dd>what it means</dd>", "<p>From here.</p>"}) {
    EXPECT_TRUE(contains(html, part)) << part;
  }
}

TEST(Page, GivesEveryDrawingAnIdOfItsOwn) {
  const plot_group two{{some_plot(), some_plot()}};
  const std::string html =
      html_of({{"A", prominence::detail, {two}}, {"B", prominence::detail, {two}}});
  for (const char* const id : {"plot-1", "plot-2", "plot-3", "plot-4"}) {
    EXPECT_TRUE(contains(html, id)) << id;
  }
}

TEST(Drawings, AreAFileForEachPlotNamedByItsTitle) {
  plot other = some_plot();
  other.title = "Speedup of fib n=35";
  const std::vector<drawing> all =
      to_drawings({"Two", {{"", prominence::detail, {plot_group{{some_plot(), other}}}}}});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].name, "dots");
  EXPECT_EQ(all[0].svg, to_svg_file(some_plot()));
  EXPECT_EQ(all[1].name, "speedup-of-fib-n-35");
}

TEST(Drawings, HaveNamesOfTheirOwnWhereTitlesDifferInSignsAlone) {
  plot minus = some_plot();
  minus.title = "uts skew=-1";
  plot plus = some_plot();
  plus.title = "uts skew=1";
  plot taken = some_plot();
  taken.title = "uts skew=1 2";
  std::vector<std::string> names;
  for (const drawing& each :
       to_drawings({"", {{"", prominence::detail, {plot_group{{taken, plus, minus, minus}}}}}})) {
    names.push_back(each.name);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"uts-skew-1-2", "uts-skew-1", "uts-skew-1-3",
                                             "uts-skew-1-4"}));
}

TEST(Page, FoldsWhatIsNoSummary) {
  const std::string html = to_html(sample());
  EXPECT_TRUE(contains(html, "\n<h2 id=\"section-1\">Answer</h2>\n"));
  EXPECT_TRUE(contains(
      html, "<details><summary><h2 id=\"section-3\">Values</h2></summary>\n<div class=\"scroll\""));
  EXPECT_EQ(count_of(html, "<details>"), 4U);
  EXPECT_EQ(count_of(html, "</details>"), 4U);
}

TEST(Page, ListsItsSectionsEvenWhereTwoAreCalledTheSame) {
  const std::string html = html_of(
      {{"CPU & switches", prominence::detail, {}}, {"CPU & switches", prominence::detail, {}}});
  EXPECT_TRUE(contains(html, "<li><a href=\"#section-1\">CPU &amp; switches</a></li>"));
  EXPECT_TRUE(contains(html, "<li><a href=\"#section-2\">CPU &amp; switches</a></li>"));
  EXPECT_TRUE(contains(html, "<h2 id=\"section-2\">CPU &amp; switches</h2>"));
}

TEST(Page, EscapesEveryText) {
  const std::string bad = "<script>&\"'";
  const std::string html =
      to_html(document{bad,
                       {{bad,
                         prominence::detail,
                         {paragraph{bad}, table{bad, {{bad}}, {{bad}}},
                          plot_group{{with_caption(bad)}, bad}, definition_list{{{bad, bad}}}}}}});
  EXPECT_FALSE(contains(html, "<script"));
  std::size_t found = 0;
  const std::string good = "&lt;script&gt;&amp;&quot;&#39;";
  for (std::size_t at = html.find(good); at != std::string::npos; at = html.find(good, at + 1)) {
    ++found;
  }
  // Title and h1; contents and h2; paragraph; label, caption, header, cell; meaning and caption of
  // a plot; two.
  EXPECT_EQ(found, 13U);
}

TEST(Page, HoldsTablesThatScrollByThemselves) {
  const std::string html =
      html_of({{"A", prominence::tables, {table{"Figures", {{"a"}}, {{"1"}}}}}});
  EXPECT_TRUE(contains(html,
                       "<div class=\"scroll\" role=\"region\" tabindex=\"0\" "
                       "aria-label=\"Figures\">\n<table>\n<caption>Figures</caption>"));
}

TEST(Page, RefusesATableWithoutACaption) {
  EXPECT_THROW((void)html_of({{"A", prominence::tables, {table{"", {{"a"}}, {}}}}}),
               std::invalid_argument);
}

/// A name as a raw file may have it.
const std::string hostile = "=<script>a\x1b[2J\xc2\x9b\n|`*\"'%{}\\[x](y)\xe2\x80\xaez";

document full_of_hostile_names() {
  const table rows{hostile, {{hostile, alignment::left}, {"n"}}, {{hostile, hostile}}};
  const plot dots{.title = hostile,
                  .caption = hostile,
                  .x = {.label = hostile},
                  .y = {.label = hostile},
                  .curves = {{.name = hostile, .points = {{1, {1, {1, 1}}}}},
                             {.name = hostile, .points = {}, .instead = hostile}},
                  .references = {{hostile, {{1, 1}}}}};
  return {hostile,
          {{hostile,
            prominence::summary,
            {paragraph{hostile, true}, paragraph{hostile}, rows,
             definition_list{{{hostile, hostile}}}, plot_group{{dots}, hostile}}}}};
}

TEST(Document, EscapesAHostileNameWhereverMarkdownHasOne) {
  const document what = full_of_hostile_names();
  for (const std::string& text : {to_markdown(what), summary_in_markdown(what)}) {
    const std::string escaped = R"(=\<script>a [2J  \|\`\*"'%{}\\[x]\(y) z)";
    const bool is_whole = text.starts_with("# ");
    EXPECT_EQ(count_of(text, escaped), is_whole ? 10U : 8U) << text;
    EXPECT_FALSE(contains(text, "\x1b"));
    EXPECT_FALSE(contains(text, "\xc2\x9b"));
    EXPECT_FALSE(contains(text, "\xe2\x80\xae"));
  }
}

TEST(Document, EscapesAHostileNameWhereverATerminalHasOne) {
  const std::string text = to_text(full_of_hostile_names());
  EXPECT_EQ(count_of(text, "=<script>a [2J  |`*\"'%{}\\[x](y) z"), 8U) << text;
  EXPECT_FALSE(contains(text, "\x1b"));
  EXPECT_FALSE(contains(text, "\xc2\x9b"));
}

TEST(Document, EscapesAHostileNameWhereverAPageHasOne) {
  const std::string page = to_html(full_of_hostile_names());
  EXPECT_FALSE(contains(page, "<script"));
  EXPECT_FALSE(contains(page, "\x1b"));
  EXPECT_FALSE(contains(page, "\xc2\x9b"));
  EXPECT_GE(count_of(page, "=&lt;script&gt;a [2J  |`*&quot;&#39;%{}\\[x](y) z"), 25U) << page;
}

}  // namespace
}  // namespace stealbench::report
