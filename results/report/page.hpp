// A page of HTML from blocks: one file that needs nothing else, no script and no network.
//
// All texts are plain UTF-8 and are escaped here. All functions are pure; any thread may call them.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "results/report/table.hpp"

namespace stealbench::report {

/// Begins a section, and stands in the table of contents.
struct heading {
  std::string text;
};

struct paragraph {
  std::string text;
  bool is_lead = false;  ///< What a reader must not miss.
};

/// A drawing of plot.hpp, which is taken as it is.
struct figure {
  std::string svg;
  std::string caption;
};

/// Side by side where there is room.
struct figure_group {
  std::vector<figure> figures;
};

struct definition {
  std::string term;
  std::string meaning;
};

struct definition_list {
  std::vector<definition> of;
};

struct page_block {
  std::variant<heading, paragraph, table, figure_group, definition_list> what;
};

struct page {
  std::string title;
  std::vector<page_block> blocks;
};

/// A whole document: light or dark as the reader's system is, for screens from 400 px and for
/// paper. A wide table scrolls by itself, and its first column stays. Throws std::invalid_argument
/// if a table has no title for its caption, or a row does not fit its columns.
[[nodiscard]] std::string to_html(const page& what);

}  // namespace stealbench::report
