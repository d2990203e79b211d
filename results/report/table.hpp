// One table, several renderings: whoever fills a table knows nothing of how it will look.
//
// Cells are plain text in UTF-8; each rendering escapes what is markup to it. All functions are
// pure; any thread may call them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stealbench::report {

enum class alignment { left, right };

struct column {
  std::string header;
  alignment align = alignment::right;  ///< Figures stand to the right, names to the left.
};

/// What a rendering may let stand out, where it can. The text alone says it too.
enum class emphasis : std::uint8_t { best, failed };

struct mark {
  std::size_t row;
  std::size_t column;
  emphasis what;
};

struct table {
  std::string title;  ///< May be empty: then nothing is written for it.
  std::vector<column> columns;
  std::vector<std::vector<std::string>> rows = {};  ///< One cell for each column.
  std::vector<mark> marks = {};                     ///< At most one for each cell.
  std::size_t keys = 1;  ///< Columns that name a row: where a table is split, each part has them.
  std::string origin = {};  ///< A line below the title: the machine. Not in CSV; may be empty.
};

/// What text is written to.
struct terminal {
  std::size_t width = std::string::npos;  ///< Characters of a line: wider tables are split.
  bool is_coloured = false;               ///< Shows marks: the best in bold, what failed in red.
};

/// The standard output of this process. As wide as COLUMNS says, else as the terminal is, else 100;
/// coloured if it is a terminal that takes colours (system::takes_colours).
[[nodiscard]] terminal standard_output();

/// Columns that `text` takes on a terminal: one for each code point. Right for what tables of
/// figures are made of (—, µ, ×, ±); combining marks and wide East Asian characters are not known.
[[nodiscard]] std::size_t display_width(std::string_view text);

/// For a terminal: the title and the origin, a blank line, then aligned columns. A table that is
/// too wide becomes parts of nearly the same width, below each other. Ends with a newline; no line
/// ends with a space. Control characters become spaces, so that a row stays a line. Throws
/// std::invalid_argument if a row does not have one cell for each column.
[[nodiscard]] std::string to_text(const table& what, const terminal& on = {});

/// A text as GitHub Flavored Markdown shows it: the characters \ | ` * < are escaped, and what
/// would make a link of brackets. An underscore is not: inside a word it means nothing, and names
/// are full of them. Control characters become spaces.
[[nodiscard]] std::string escape_markdown(std::string_view text);

/// GitHub Flavored Markdown: the title as a heading of level 3, the origin as a paragraph, then the
/// table, aligned in the source too. In a column to the right a no-break space ties a number to its
/// unit. Texts are as escape_markdown has them. Otherwise as to_text.
[[nodiscard]] std::string to_markdown(const table& what);

/// Comma-separated values after RFC 4180: the headers, then the rows, each line ended by CR LF; a
/// field is quoted where it has to be, and then keeps its line breaks. A text that begins with = +
/// - or @ and is no number has an apostrophe before it, so that no spreadsheet takes it for a
/// formula. No title and no marks. Otherwise as to_text.
[[nodiscard]] std::string to_csv(const table& what);

/// HTML table elements, one for each part that fits a page of 72rem: title and origin as its
/// caption, a header for each column and, in the first column, for each row. Classes: `left` or
/// `right` on every cell, `best` or `failed` on the marked, `long` on what is better broken into
/// lines. Otherwise as to_text.
[[nodiscard]] std::vector<std::string> to_html(const table& what);

}  // namespace stealbench::report
