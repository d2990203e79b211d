#include "results/report/table.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "results/report/format.hpp"

namespace stealbench::report {
namespace {

using escape = std::string (*)(std::string_view);

/// Whether a spreadsheet would take the text for a formula.
bool is_formula(std::string_view text) {
  constexpr std::string_view beginnings = "=+-@\t\r";
  if (text.empty() || beginnings.find(text.front()) == std::string_view::npos) return false;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error != std::errc{} || end != text.data() + text.size();
}

std::string escape_csv(std::string_view text) {
  std::string safe = is_formula(text) ? "'" : "";
  // A field keeps its line breaks.
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    safe += on_one_line(text.substr(0, end));
    if (end < text.size()) safe += text[end];
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (safe.find_first_of(",\"\r\n") == std::string::npos) return safe;
  std::string quoted = "\"";
  for (const char each : safe) {
    if (each == '"') quoted += '"';
    quoted += each;
  }
  return quoted + '"';
}

/// The table with every text escaped for one rendering: from here on widths are final.
table escaped(const table& what, escape with) {
  table result = what;
  result.title = with(what.title);
  for (column& each : result.columns) each.header = with(each.header);
  for (auto& row : result.rows) {
    if (row.size() != what.columns.size()) {
      throw std::invalid_argument(fmt::format("table \"{}\": a row of {} cells under {} columns",
                                              what.title, row.size(), what.columns.size()));
    }
    for (std::string& cell : row) cell = with(cell);
  }
  return result;
}

std::vector<std::string> headers_of(const table& what) {
  std::vector<std::string> result;
  for (const column& each : what.columns) result.push_back(each.header);
  return result;
}

/// The width of each column, and `least` if that is more.
std::vector<std::size_t> widths_of(const table& what, std::size_t least) {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < what.columns.size(); ++i) {
    std::size_t width = std::max(least, display_width(what.columns[i].header));
    for (const auto& row : what.rows) width = std::max(width, display_width(row[i]));
    result.push_back(width);
  }
  return result;
}

std::optional<emphasis> emphasis_of(const table& what, std::size_t row, std::size_t column) {
  for (const mark& each : what.marks) {
    if (each.row == row && each.column == column) return each.what;
  }
  return {};
}

/// A cell that is as wide as its column, with what a terminal takes for bold or red around it. The
/// widths know nothing of that.
std::string coloured(const std::string& cell, std::optional<emphasis> how) {
  if (!how) return cell;
  const std::string_view begin = *how == emphasis::best ? "\x1B[1m" : "\x1B[31m";
  return fmt::format("{}{}\x1B[0m", begin, cell);
}

/// Whether a unit may begin there: `×`, `%`, `µs`, `ms`.
bool begins_with_unit(std::string_view text) {
  return !text.empty() && (std::isalpha(static_cast<unsigned char>(text.front())) != 0 ||
                           text.front() == '%' || text.starts_with("×") || text.starts_with("µ"));
}

/// With a no-break space between each number and its unit.
std::string with_units_tied(std::string_view cell) {
  std::string result;
  for (std::size_t i = 0; i < cell.size(); ++i) {
    const bool is_after_digit = i > 0 && std::isdigit(static_cast<unsigned char>(cell[i - 1])) != 0;
    const bool is_tied = cell[i] == ' ' && is_after_digit && begins_with_unit(cell.substr(i + 1));
    if (is_tied) {
      result += "\u00A0";
    } else {
      result += cell[i];
    }
  }
  return result;
}

/// Cells as wide as their columns.
std::vector<std::string> aligned(std::vector<std::string> cells, const table& what,
                                 const std::vector<std::size_t>& widths) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string space(widths[i] - display_width(cells[i]), ' ');
    cells[i] = what.columns[i].align == alignment::left ? cells[i] + space : space + cells[i];
  }
  return cells;
}

using places = std::vector<std::size_t>;

/// Which columns are side by side in each part: the keys, then as many as fit, at least one.
std::vector<places> parts_within(std::size_t limit, const std::vector<std::size_t>& widths,
                                 std::size_t keys, std::size_t gap) {
  std::vector<places> parts;
  std::size_t used = 0;
  const auto add = [&](std::size_t place) {
    parts.back().push_back(place);
    used += widths[place] + gap;
  };
  for (std::size_t i = std::min(keys, widths.size() - 1); i < widths.size(); ++i) {
    if (parts.empty() || used + widths[i] > limit) {
      parts.emplace_back();
      used = 0;
      for (std::size_t key = 0; key < keys && key < i; ++key) add(key);
    }
    add(i);
  }
  return parts;
}

/// As few parts as there can be, the widest of them as narrow as it can be.
std::vector<places> parts_of(const table& what, const std::vector<std::size_t>& widths,
                             std::size_t gap, std::size_t limit) {
  std::vector<places> parts = parts_within(limit, widths, what.keys, gap);
  while (parts.size() > 1 && limit > 0) {
    std::vector<places> narrower = parts_within(--limit, widths, what.keys, gap);
    if (narrower.size() > parts.size()) break;
    parts = std::move(narrower);
  }
  return parts;
}

std::string text_line(const std::vector<std::string>& cells, const places& shown) {
  std::string line;
  for (const std::size_t each : shown) line += (line.empty() ? "" : "  ") + cells[each];
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

}  // namespace

std::string escape_markdown(std::string_view text) {
  constexpr std::string_view markup = "\\|`*<";
  std::string result;
  for (const char each : on_one_line(text)) {
    const bool is_link = (each == '(' || each == ':') && result.ends_with(']');
    if (is_link || markup.find(each) != std::string_view::npos) result += '\\';
    result += each;
  }
  return result;
}

std::size_t display_width(std::string_view text) {
  // In UTF-8 every byte but the first of a code point has the form 10xxxxxx.
  const auto starts_code_point = [](char each) {
    return (static_cast<unsigned char>(each) & 0xC0U) != 0x80U;
  };
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_code_point));
}

std::string to_text(const table& what, const terminal& on) {
  constexpr std::size_t gap = 2;
  const table plain = escaped(what, on_one_line);
  const std::vector<std::size_t> widths = widths_of(plain, 0);
  std::vector<std::string> rule;
  rule.reserve(widths.size());
  for (const std::size_t width : widths) rule.emplace_back(width, '-');

  std::string result = plain.title.empty() ? "" : plain.title + "\n";
  for (const places& part : parts_of(plain, widths, gap, on.width)) {
    if (!result.empty()) result += '\n';
    result += text_line(aligned(headers_of(plain), plain, widths), part) + text_line(rule, part);
    for (std::size_t row = 0; row < plain.rows.size(); ++row) {
      std::vector<std::string> cells = aligned(plain.rows[row], plain, widths);
      for (std::size_t i = 0; on.is_coloured && i < cells.size(); ++i) {
        cells[i] = coloured(cells[i], emphasis_of(plain, row, i));
      }
      result += text_line(cells, part);
    }
  }
  return result;
}

terminal standard_output() {
  constexpr std::size_t usual = 100;
  constexpr std::size_t least = 20;
  const auto variable = [](const char* name) -> std::string_view {
    const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): one thread
    return value == nullptr ? "" : value;
  };
  terminal found{usual, variable("NO_COLOR").empty() && isatty(STDOUT_FILENO) == 1};
  std::size_t width = 0;
  winsize size{};
  const std::string_view columns = variable("COLUMNS");
  std::from_chars(columns.data(), columns.data() + columns.size(), width);
  if (width == 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) width = size.ws_col;
  if (width > 0) found.width = std::max(width, least);
  return found;
}

std::string to_markdown(const table& what) {
  table plain = escaped(what, escape_markdown);
  for (auto& row : plain.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (plain.columns[i].align == alignment::right) row[i] = with_units_tied(row[i]);
    }
  }
  constexpr std::size_t least_rule = 3;  // Three characters are a rule in every dialect: `--:`.
  const std::vector<std::size_t> widths = widths_of(plain, least_rule);
  std::vector<std::string> rule;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const std::string line(widths[i] - 1, '-');
    rule.push_back(plain.columns[i].align == alignment::left ? ':' + line : line + ':');
  }

  std::string result = plain.title.empty() ? "" : "### " + plain.title + "\n\n";
  const auto add = [&](const std::vector<std::string>& cells) {
    result += fmt::format("| {} |\n", fmt::join(aligned(cells, plain, widths), " | "));
  };
  add(headers_of(plain));
  add(rule);
  for (const auto& row : plain.rows) add(row);
  return result;
}

std::string to_csv(const table& what) {
  const table plain = escaped(what, escape_csv);
  std::string result = fmt::format("{}\r\n", fmt::join(headers_of(plain), ","));
  for (const auto& row : plain.rows) result += fmt::format("{}\r\n", fmt::join(row, ","));
  return result;
}

std::vector<std::string> to_html(const table& what) {
  // In characters of page.css: a cell's padding, what is broken into lines, and a page.
  constexpr std::size_t gap = 3;
  constexpr std::size_t most_on_a_line = 36;
  constexpr std::size_t most_on_a_page = 126;
  const table plain = escaped(what, escape_html);
  std::vector<std::size_t> widths = widths_of(escaped(what, on_one_line), 0);
  for (std::size_t& each : widths) each = std::min(each, most_on_a_line);
  const auto class_of = [&](std::size_t column, std::optional<emphasis> how,
                            const std::string& cell) {
    const bool is_left = plain.columns[column].align == alignment::left;
    const std::string_view highlight = !how ? "" : *how == emphasis::best ? " best" : " failed";
    return fmt::format("class=\"{}{}{}\"", is_left ? "left" : "right", highlight,
                       display_width(cell) > most_on_a_line ? " long" : "");
  };
  std::vector<std::string> all;
  for (const places& part : parts_of(plain, widths, gap, most_on_a_page)) {
    const char* const further = all.empty() ? "" : ", continued";
    std::string& result = all.emplace_back("<table>\n");
    if (!plain.title.empty()) {
      result += fmt::format("<caption>{}{}</caption>\n", plain.title, further);
    }
    result += "<thead><tr>";
    for (const std::size_t i : part) {
      result += fmt::format("<th scope=\"col\" {}>{}</th>",
                            class_of(i, {}, plain.columns[i].header), plain.columns[i].header);
    }
    result += "</tr></thead>\n<tbody>\n";
    for (std::size_t row = 0; row < plain.rows.size(); ++row) {
      result += "<tr>";
      for (const std::size_t i : part) {
        const std::string& cell = plain.rows[row][i];
        const std::string attributes = class_of(i, emphasis_of(plain, row, i), cell);
        result += i == 0 ? fmt::format("<th scope=\"row\" {}>{}</th>", attributes, cell)
                         : fmt::format("<td {}>{}</td>", attributes, cell);
      }
      result += "</tr>\n";
    }
    result += "</tbody>\n</table>\n";
  }
  return all;
}

}  // namespace stealbench::report
