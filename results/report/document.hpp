// What is reported, as values: whoever fills a document knows nothing of how it will look.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "results/report/plot.hpp"
#include "results/report/table.hpp"

namespace stealbench::report {

struct paragraph {
  std::string text;
  bool is_lead = false;  ///< What a reader must not miss.
};

/// Side by side where there is room.
struct plot_group {
  std::vector<plot> plots = {};
  std::string meaning = {};  ///< A paragraph above them.
};

struct definition {
  std::string term;
  std::string meaning;
};

struct definition_list {
  std::vector<definition> definitions;
};

using block = std::variant<paragraph, table, plot_group, definition_list>;

/// Where a section is shown. A page has all of them, and folds those that are no summary.
enum class prominence : std::uint8_t {
  summary,  ///< The answer, and plots that show it: on a terminal too, last, and in a README.
  tables,   ///< The values behind it: on a terminal too.
  detail,   ///< On pages alone.
};

struct section {
  std::string title;
  prominence shown = prominence::detail;
  std::vector<block> blocks;
};

struct document {
  std::string title;  ///< May be empty: then Markdown has none.
  std::vector<section> sections;
};

/// For a terminal: tables and texts of the sections that are shown there. A text that is wider than
/// the terminal is left to it.
[[nodiscard]] std::string to_text(const document& what, const terminal& on = {});

/// GitHub Flavored Markdown: everything but the plots.
[[nodiscard]] std::string to_markdown(const document& what);

/// The same of the summary alone, without headings.
[[nodiscard]] std::string summary_in_markdown(const document& what);

/// One HTML file that loads nothing: light or dark as the reader's system is, for screens from 400
/// px and for paper. A wide table scrolls by
/// itself, and its first column stays. Throws std::invalid_argument as to_svg() does, if a table
/// has no title for its caption, or a row does not fit its columns.
[[nodiscard]] std::string to_html(const document& what);

struct drawing {
  std::string name;  ///< From the title of the plot: lower-case letters, digits and hyphens.
  std::string svg;   ///< A file of its own, which follows the reader's light or dark scheme.
};

/// Each plot, in order. Throws as to_svg().
[[nodiscard]] std::vector<drawing> to_drawings(const document& what);

}  // namespace stealbench::report
