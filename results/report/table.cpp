#include "results/report/table.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <boost/algorithm/string/replace.hpp>
#include <boost/regex.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "results/report/format.hpp"
#include "results/system/inherited.hpp"

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
  return '"' + boost::replace_all_copy(safe, "\"", "\"\"") + '"';
}

using texts = std::vector<std::string>;

/// A table with every text escaped for one rendering: from here on widths are final.
struct escaped_table {
  std::string title;
  std::string origin;
  std::vector<texts> lines = {};  ///< The headers, then the rows.

  escaped_table(const table& what, escape with)
      : title(with(what.title)), origin(with(what.origin)), lines(1) {
    for (const column& each : what.columns) lines.front().push_back(with(each.header));
    for (const texts& row : what.rows) {
      if (row.size() != what.columns.size()) {
        throw std::invalid_argument(fmt::format("table \"{}\": a row of {} cells under {} columns",
                                                what.title, row.size(), what.columns.size()));
      }
      std::ranges::transform(row, std::back_inserter(lines.emplace_back()), with);
    }
  }

  /// Of each column, and `least` if that is more.
  [[nodiscard]] std::vector<std::size_t> widths(std::size_t least) const {
    std::vector<std::size_t> all(lines.front().size(), least);
    for (const texts& line : lines) {
      for (std::size_t i = 0; i < line.size(); ++i)
        all[i] = std::max(all[i], display_width(line[i]));
    }
    return all;
  }
};

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

/// With a no-break space between each number and its unit: `×`, `%`, `µs`, `ms`.
std::string with_units_tied(const std::string& cell) {
  static const boost::regex space_before_unit("(?<=[0-9]) (?=[A-Za-z%]|×|µ)");
  return boost::regex_replace(cell, space_before_unit, "\u00A0");
}

/// Cells as wide as their columns.
texts aligned(texts cells, const table& what, const std::vector<std::size_t>& widths) {
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
std::vector<places> parts_of(const std::vector<std::size_t>& widths, std::size_t keys,
                             std::size_t gap, std::size_t limit) {
  std::vector<places> parts = parts_within(limit, widths, keys, gap);
  while (parts.size() > 1 && limit > 0) {
    std::vector<places> narrower = parts_within(--limit, widths, keys, gap);
    if (narrower.size() > parts.size()) break;
    parts = std::move(narrower);
  }
  return parts;
}

std::string text_line(const texts& cells, const places& shown) {
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
  const escaped_table plain(what, on_one_line);
  const std::vector<std::size_t> widths = plain.widths(0);
  texts rule;
  for (const std::size_t width : widths) rule.emplace_back(width, '-');
  std::string result = plain.title.empty() ? "" : plain.title + "\n";
  if (!plain.origin.empty()) result += plain.origin + "\n";
  for (const places& part : parts_of(widths, what.keys, gap, on.width)) {
    if (!result.empty()) result += '\n';
    for (std::size_t line = 0; line < plain.lines.size(); ++line) {
      texts cells = aligned(plain.lines[line], what, widths);
      for (std::size_t i = 0; line > 0 && on.is_coloured && i < cells.size(); ++i) {
        cells[i] = coloured(cells[i], emphasis_of(what, line - 1, i));
      }
      result += text_line(cells, part);
      if (line == 0) result += text_line(rule, part);
    }
  }
  return result;
}

terminal standard_output() {
  constexpr std::size_t usual = 100;
  constexpr std::size_t least = 20;
  terminal found{usual, system::takes_colours(STDOUT_FILENO)};
  std::size_t width = 0;
  winsize size{};
  const char* const typed = std::getenv("COLUMNS");  // NOLINT(concurrency-mt-unsafe): one thread
  const std::string_view columns = typed == nullptr ? "" : typed;
  std::from_chars(columns.data(), columns.data() + columns.size(), width);
  if (width == 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) width = size.ws_col;
  if (width > 0) found.width = std::max(width, least);
  return found;
}

std::string to_markdown(const table& what) {
  escaped_table plain(what, escape_markdown);
  constexpr std::size_t least_rule = 3;  // Three characters are a rule in every dialect: `--:`.
  for (std::size_t i = 0; i < what.columns.size(); ++i) {
    if (what.columns[i].align == alignment::left) continue;
    std::for_each(plain.lines.begin() + 1, plain.lines.end(),
                  [=](texts& line) { line[i] = with_units_tied(line[i]); });
  }
  const std::vector<std::size_t> widths = plain.widths(least_rule);
  texts rule;
  for (std::size_t i = 0; i < what.columns.size(); ++i) {
    const std::string line(widths[i] - 1, '-');
    rule.push_back(what.columns[i].align == alignment::left ? ':' + line : line + ':');
  }
  plain.lines.insert(plain.lines.begin() + 1, rule);
  std::string result = plain.title.empty() ? "" : "### " + plain.title + "\n\n";
  if (!plain.origin.empty()) result += plain.origin + "\n\n";
  for (const texts& line : plain.lines) {
    result += fmt::format("| {} |\n", fmt::join(aligned(line, what, widths), " | "));
  }
  return result;
}

std::string to_csv(const table& what) {
  std::string result;
  for (const texts& line : escaped_table(what, escape_csv).lines) {
    result += fmt::format("{}\r\n", fmt::join(line, ","));
  }
  return result;
}

std::vector<std::string> to_html(const table& what) {
  // In characters of page.css: a cell's padding, what is broken into lines, and a page.
  constexpr std::size_t gap = 3;
  constexpr std::size_t most_on_a_line = 36;
  constexpr std::size_t most_on_a_page = 126;
  const escaped_table plain(what, escape_html);
  std::vector<std::size_t> widths = escaped_table(what, on_one_line).widths(0);
  for (std::size_t& each : widths) each = std::min(each, most_on_a_line);
  const auto cell_of = [&](std::size_t line, std::size_t i) {
    const std::string& text = plain.lines[line][i];
    const auto how = line == 0 ? std::nullopt : emphasis_of(what, line - 1, i);
    return fmt::format("<{0}{1} class=\"{2}{3}{4}\">{5}</{0}>", line == 0 || i == 0 ? "th" : "td",
                       line == 0 ? " scope=\"col\""
                       : i == 0  ? " scope=\"row\""
                                 : "",
                       what.columns[i].align == alignment::left ? "left" : "right",
                       !how                     ? ""
                       : *how == emphasis::best ? " best"
                                                : " failed",
                       display_width(text) > most_on_a_line ? " long" : "", text);
  };
  std::vector<std::string> all;
  for (const places& part : parts_of(widths, what.keys, gap, most_on_a_page)) {
    const char* const further = all.empty() ? "" : ", continued";
    std::string& result = all.emplace_back("<table>\n");
    if (!plain.title.empty()) {
      const std::string origin =
          plain.origin.empty() ? "" : fmt::format(" <small>{}</small>", plain.origin);
      result += fmt::format("<caption>{}{}{}</caption>\n", plain.title, further, origin);
    }
    for (std::size_t line = 0; line < plain.lines.size(); ++line) {
      result += line == 0 ? "<thead><tr>" : "<tr>";
      for (const std::size_t i : part) result += cell_of(line, i);
      result += line == 0 ? "</tr></thead>\n<tbody>\n" : "</tr>\n";
    }
    result += "</tbody>\n</table>\n";
  }
  return all;
}

}  // namespace stealbench::report
