#include "results/report/page.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

namespace stealbench::report {
namespace {

std::string html_of(std::vector<page_block> blocks) {
  return to_html(page{"A page", std::move(blocks)});
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Page, IsADocumentThatSaysItsLanguageAndTitle) {
  const std::string html = html_of({});
  EXPECT_EQ(html.rfind("<!DOCTYPE html>\n<html lang=\"en\">", 0), 0U);
  EXPECT_TRUE(contains(html, "<title>A page</title>"));
  EXPECT_TRUE(contains(html, "<h1>A page</h1>"));
}

TEST(Page, LoadsNothing) {
  const std::string html = html_of({});
  for (const char* const part :
       {"<script", "<link", "@import", "url(", "src=", "http:", "https:"}) {
    EXPECT_FALSE(contains(html, part)) << part;
  }
  EXPECT_TRUE(contains(html, "default-src 'none'"));
}

TEST(Page, ListsItsSectionsEvenWhereTwoAreCalledTheSame) {
  const std::string html = html_of({{heading{"CPU & switches"}}, {heading{"CPU & switches"}}});
  EXPECT_TRUE(contains(html, "<li><a href=\"#on-cpu-switches\">CPU &amp; switches</a></li>"));
  EXPECT_TRUE(contains(html, "<li><a href=\"#on-cpu-switches--2\">"));
  EXPECT_TRUE(contains(html, "<h2 id=\"on-cpu-switches--2\">CPU &amp; switches</h2>"));
}

TEST(Page, EscapesEveryText) {
  const std::string bad = "<script>&\"'";
  const std::string html = to_html(page{bad,
                                        {{heading{bad}},
                                         {paragraph{bad}},
                                         {table{bad, {{bad}}, {{bad}}}},
                                         {figure_group{{{"<svg></svg>", bad}}}},
                                         {definition_list{{{bad, bad}}}}}});
  EXPECT_FALSE(contains(html, "<script"));
  std::size_t found = 0;
  const std::string good = "&lt;script&gt;&amp;&quot;&#39;";
  for (std::size_t at = html.find(good); at != std::string::npos; at = html.find(good, at + 1)) {
    ++found;
  }
  // Title and h1; contents and h2; paragraph; label, caption, header, cell; figure; two.
  EXPECT_EQ(found, 12U);
}

TEST(Page, HoldsTablesThatScrollByThemselves) {
  const std::string html = html_of({{table{"Figures", {{"a"}}, {{"1"}}}}});
  EXPECT_TRUE(contains(html,
                       "<div class=\"scroll\" role=\"region\" tabindex=\"0\" "
                       "aria-label=\"Figures\">\n<table>\n<caption>Figures</caption>"));
}

TEST(Page, RefusesATableWithoutACaption) {
  EXPECT_THROW((void)html_of({{table{"", {{"a"}}, {}}}}), std::invalid_argument);
}

}  // namespace
}  // namespace stealbench::report
