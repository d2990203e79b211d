#include "results/report/page.hpp"

#include <map>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

#include "results/report/page_style.hpp"
#include "results/report/svg.hpp"

namespace stealbench::report {
namespace {

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
    const std::string slug = slug_of(what.text);
    // Two sections may be called the same. The prefix keeps them apart from the ids of drawings.
    const unsigned before = slugs_[slug]++;
    const std::string id = before == 0 ? "on-" + slug : fmt::format("on-{}--{}", slug, before + 1);
    const std::string text = escape_html(what.text);
    body_ += fmt::format("<h2 id=\"{}\">{}</h2>\n", id, text);
    contents_ += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", id, text);
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

  [[nodiscard]] const std::string& body() const { return body_; }
  [[nodiscard]] const std::string& contents() const { return contents_; }

 private:
  std::string body_;
  std::string contents_;
  std::map<std::string, unsigned> slugs_;
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

}  // namespace stealbench::report
