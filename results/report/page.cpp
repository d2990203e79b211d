#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

#include <boost/algorithm/string.hpp>
#include <boost/regex.hpp>
#include <fmt/format.h>

#include "results/report/document.hpp"
#include "results/report/page.css.hpp"
#include "results/report/page.html.hpp"

namespace stealbench::report {
namespace {

/// Writes section after section, and keeps what the table of contents takes.
class html_writer {
 public:
  void write(const section& what) {
    const std::string title = escape_html(what.title);
    const bool is_open = what.shown == prominence::summary;
    contents += fmt::format("<li><a href=\"#section-{}\">{}</a></li>\n", ++sections_, title);
    const std::string heading = fmt::format("<h2 id=\"section-{}\">{}</h2>", sections_, title);
    body += is_open ? heading + '\n' : fmt::format("<details><summary>{}</summary>\n", heading);
    for (const block& each : what.blocks) std::visit(*this, each);
    if (!is_open) body += "</details>\n";
  }

  void operator()(const paragraph& what) {
    body +=
        fmt::format("<p{}>{}</p>\n", what.is_lead ? " class=\"lead\"" : "", escape_html(what.text));
  }

  void operator()(const table& what) {
    if (what.title.empty()) throw std::invalid_argument("a table without a caption");
    // Focusable, so that the arrow keys can scroll it.
    for (const std::string& part : to_html(what)) {
      body += fmt::format(
          "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{}\">\n{}</div>\n",
          escape_html(what.title), part);
    }
  }

  void operator()(const plot_group& what) {
    if (!what.meaning.empty()) (*this)(paragraph{what.meaning});
    body += "<div class=\"plots\">\n";
    for (const plot& each : what.plots) {
      body += fmt::format("<figure>\n<figcaption>{}</figcaption>\n{}</figure>\n",
                          escape_html(each.caption), to_svg(each, ++plots_));
    }
    body += "</div>\n";
  }

  void operator()(const definition_list& what) {
    body += "<dl>\n";
    for (const definition& each : what.definitions) {
      body += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escape_html(each.term),
                          escape_html(each.meaning));
    }
    body += "</dl>\n";
  }

  std::string body;
  std::string contents;

 private:
  unsigned sections_ = 0;
  unsigned plots_ = 0;
};

std::string file_name_of(const std::string& title) {
  static const boost::regex other("[^a-z0-9]+");
  const std::string name = boost::regex_replace(boost::to_lower_copy(title), other, "-");
  return boost::trim_copy_if(name, boost::is_any_of("-"));
}

}  // namespace

std::string to_html(const document& what) {
  html_writer written;
  for (const section& each : what.sections) written.write(each);
  // The policy forbids all that a page could load or run, should an escape ever be forgotten.
  return fmt::format(embedded::page_html, escape_html(what.title), embedded::page_css,
                     written.contents, written.body);
}

std::vector<drawing> to_drawings(const document& what) {
  std::vector<drawing> all;
  for (const section& part : what.sections) {
    for (const block& each : part.blocks) {
      const auto* const group = std::get_if<plot_group>(&each);
      if (group == nullptr) continue;
      for (const plot& one : group->plots) {
        const std::string plain = file_name_of(one.title);
        std::string name = plain;
        for (unsigned i = 2; std::ranges::count(all, name, &drawing::name) > 0; ++i) {
          name = fmt::format("{}-{}", plain, i);
        }
        all.push_back({std::move(name), to_svg_file(one)});
      }
    }
  }
  return all;
}

}  // namespace stealbench::report
