#include <stdexcept>
#include <string>
#include <variant>

#include <fmt/format.h>

#include "results/report/document.hpp"
#include "results/report/page_style.hpp"
#include "results/report/svg.hpp"

namespace stealbench::report {
namespace {

/// Writes section after section, and keeps what the table of contents takes.
class html_writer {
 public:
  explicit html_writer(std::string_view why_without_plots)
      : why_without_plots_(why_without_plots) {}

  void write(const section& what) {
    const std::string id = fmt::format("section-{}", ++sections_);
    const std::string title = escape_html(what.title);
    body_ += fmt::format("<h2 id=\"{}\">{}</h2>\n", id, title);
    contents_ += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", id, title);
    for (const block& each : what.blocks) std::visit(*this, each);
  }

  void operator()(const paragraph& what) {
    body_ +=
        fmt::format("<p{}>{}</p>\n", what.is_lead ? " class=\"lead\"" : "", escape_html(what.text));
  }

  void operator()(const table& what) {
    if (what.title.empty()) throw std::invalid_argument("a table without a caption");
    // Focusable, so that the arrow keys can scroll it.
    for (const std::string& part : to_html(what)) {
      body_ += fmt::format(
          "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{}\">\n{}</div>\n",
          escape_html(what.title), part);
    }
  }

  void operator()(const plot_group& what) {
    if (!why_without_plots_.empty()) {
      (*this)(paragraph{fmt::format("The plots are not drawn: {}", why_without_plots_)});
    }
    body_ += "<div class=\"figures\">\n";
    for (const plot_group::captioned& each : what.plots) {
      const std::string id = fmt::format("plot-{}", ++plots_);
      const std::string svg =
          why_without_plots_.empty()
              ? std::visit([&](const auto& plot) { return to_svg(plot, id); }, each.plot)
              : std::visit(
                    [](const auto& plot) {
                      return fmt::format("<p>{}</p>\n", escape_html(in_words(plot)));
                    },
                    each.plot);
      body_ += fmt::format("<figure>\n<figcaption>{}</figcaption>\n{}</figure>\n",
                           escape_html(each.caption), svg);
    }
    body_ += "</div>\n";
  }

  void operator()(const definition_list& what) {
    body_ += "<dl>\n";
    for (const definition& each : what.definitions) {
      body_ += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escape_html(each.term),
                           escape_html(each.meaning));
    }
    body_ += "</dl>\n";
  }

  [[nodiscard]] const std::string& body() const { return body_; }
  [[nodiscard]] const std::string& contents() const { return contents_; }

 private:
  std::string_view why_without_plots_;
  std::string body_;
  std::string contents_;
  unsigned sections_ = 0;
  unsigned plots_ = 0;
};

}  // namespace

std::string to_html(const document& what, std::string_view why_without_plots) {
  html_writer written(why_without_plots);
  for (const section& each : what.sections) written.write(each);
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
