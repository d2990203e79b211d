#include "results/page.hpp"

#include <map>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

#include "results/page_style.hpp"
#include "results/svg.hpp"

namespace stealbench::results {
namespace {

constexpr unsigned deepest_heading = 4;

/// `Time per fork` is `time-per-fork`.
std::string slug_of(std::string_view text) {
  std::string slug;
  for (const char each : text) {
    const bool is_capital = each >= 'A' && each <= 'Z';
    const char low = is_capital ? static_cast<char>(each - 'A' + 'a') : each;
    const bool is_kept = (low >= 'a' && low <= 'z') || (low >= '0' && low <= '9');
    if (is_kept) {
      slug += low;
    } else if (!slug.empty() && slug.back() != '-') {
      slug += '-';
    }
  }
  while (!slug.empty() && slug.back() == '-') slug.pop_back();
  return slug.empty() ? "section" : slug;
}

/// Writes block after block, and keeps what the table of contents takes.
class writer {
 public:
  void operator()(const heading& what) {
    if (what.level < 2 || what.level > deepest_heading || what.level > level_ + 1) {
      throw std::invalid_argument(fmt::format("heading \"{}\" of level {} after one of level {}",
                                              what.text, what.level, level_));
    }
    level_ = what.level;
    const std::string slug = slug_of(what.text);
    // Two sections may be called the same. The prefix keeps them apart from the ids of drawings.
    const unsigned before = slugs_[slug]++;
    const std::string id = before == 0 ? "on-" + slug : fmt::format("on-{}--{}", slug, before + 1);
    const std::string text = escape_html(what.text);
    body_ += fmt::format("<h{0} id=\"{1}\">{2}</h{0}>\n", what.level, id, text);
    if (what.level == 2) contents_ += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", id, text);
  }

  void operator()(const paragraph& what) {
    body_ +=
        fmt::format("<p{}>{}</p>\n", what.is_lead ? " class=\"lead\"" : "", escape_html(what.text));
  }

  void operator()(const table& what) {
    if (what.title.empty()) throw std::invalid_argument("a table without a caption");
    // Focusable, so that the arrow keys can scroll it.
    body_ += fmt::format(
        "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{}\">\n{}</div>\n",
        escape_html(what.title), to_html(what));
  }

  void operator()(const figure_group& what) {
    body_ += "<div class=\"figures\">\n";
    for (const figure& each : what.figures) {
      body_ += fmt::format("<figure>\n<figcaption>{}</figcaption>\n{}</figure>\n",
                           escape_html(each.caption), each.svg);
    }
    body_ += "</div>\n";
  }

  void operator()(const definition_list& what) {
    body_ += "<dl>\n";
    for (const definition& each : what.of) {
      body_ += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escape_html(each.term),
                           escape_html(each.meaning));
    }
    body_ += "</dl>\n";
  }

  void operator()(const link_list& what) {
    body_ += "<ul class=\"links\">\n";
    for (const link& each : what.of) {
      if (each.target.empty() || each.target.find_first_of(":/\\?#%") != std::string::npos) {
        throw std::invalid_argument(fmt::format("\"{}\" is no file beside the page", each.target));
      }
      body_ += fmt::format("<li><a href=\"{}\">{}</a></li>\n", escape_html(each.target),
                           escape_html(each.text));
    }
    body_ += "</ul>\n";
  }

  // NOLINTNEXTLINE(misc-no-recursion): as deep as the blocks are nested.
  void operator()(const details& what) {
    body_ += fmt::format("<details>\n<summary>{}</summary>\n", escape_html(what.summary));
    for (const page_block& each : what.blocks) {
      if (std::holds_alternative<heading>(each.what)) {
        throw std::invalid_argument("a heading inside of details");
      }
      std::visit(*this, each.what);
    }
    body_ += "</details>\n";
  }

  [[nodiscard]] const std::string& body() const { return body_; }
  [[nodiscard]] const std::string& contents() const { return contents_; }

 private:
  std::string body_;
  std::string contents_;
  std::map<std::string, unsigned> slugs_;
  unsigned level_ = 1;
};

}  // namespace

std::string to_html(const page& what) {
  writer written;
  for (const page_block& each : what.blocks) std::visit(written, each.what);
  const std::string title = escape_html(what.title);
  // The policy forbids all that a page could load or run, should an escape ever be forgotten.
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" "
      "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n",
      title, page_style);
  html += fmt::format(
      "<nav aria-labelledby=\"contents\"><div>\n<h2 id=\"contents\">Contents</h2>\n<ol>\n{}</ol>\n"
      "</div></nav>\n",
      written.contents());
  return html +
         fmt::format("<main>\n<h1>{}</h1>\n{}</main>\n</body>\n</html>\n", title, written.body());
}

}  // namespace stealbench::results
