// A page of HTML from blocks: one file that needs nothing else, no script and no network.
//
// All texts are plain UTF-8 and are escaped here. All functions are pure; any thread may call them.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "results/table.hpp"

namespace stealbench::results {

struct heading {
  std::string text;
  unsigned level = 2;  ///< 2 to 4; 1 is the title's. Level 2 stands in the table of contents.
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

/// To a file beside the page.
struct link {
  std::string text;
  std::string target;
};

struct link_list {
  std::vector<link> of;
};

struct page_block;

/// What only those read who ask for it. It has no headings.
struct details {
  std::string summary;
  std::vector<page_block> blocks;
};

struct page_block {
  std::variant<heading, paragraph, table, figure_group, definition_list, link_list, details> what;
};

struct page {
  std::string title;
  std::vector<page_block> blocks;
};

/// A whole document: light or dark as the reader's system is, for screens from 400 px and for
/// paper. A wide table scrolls by itself, and its first column stays. Throws std::invalid_argument
/// if a heading is more than one level below the one before, a table has no title for its caption,
/// a row does not fit its columns, a link leads out of the page's folder, or details hold headings.
[[nodiscard]] std::string to_html(const page& what);

}  // namespace stealbench::results
