#include "results/report/format.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <boost/algorithm/string/replace.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace stealbench::report {
namespace {

struct unit {
  double size;  ///< In seconds or in bytes.
  std::string_view name;
};

// Ascending.
constexpr std::array<unit, 4> time_units{{{1e-9, "ns"}, {1e-6, "µs"}, {1e-3, "ms"}, {1, "s"}}};
constexpr std::array<unit, 5> byte_units{
    {{1, "B"}, {0x1p10, "KiB"}, {0x1p20, "MiB"}, {0x1p30, "GiB"}, {0x1p40, "TiB"}}};

/// Three significant digits, or the whole part if that is longer.
std::string three_digits(double value) {
  if (value == 0) return "0";
  constexpr double least_that_rounds_to_100 = 99.95;
  // The alternative form `#` keeps trailing zeros, and would leave a bare point behind "123".
  return std::abs(value) < least_that_rounds_to_100 ? fmt::format("{:#.3g}", value)
                                                    : fmt::format("{:.0f}", value);
}

/// The least unit in which the value, rounded, does not reach the next unit: 999.6 ms is 1.00 s.
/// Above the greatest unit, that one.
unit unit_for(double value, std::span<const unit> units) {
  for (std::size_t i = 0; i + 1 < units.size(); ++i) {
    const double next = std::round(units[i + 1].size / units[i].size);
    if (std::round(std::abs(value) / units[i].size) < next) return units[i];
  }
  return units.back();
}

bool has_value(const std::optional<double>& value) { return value && std::isfinite(*value); }

/// The text of the median and, in the same unit, its interval.
std::string with_interval(const std::optional<estimate>& value,
                          std::string (*text_of)(std::optional<double>), double size) {
  if (!value || !std::isfinite(value->around.low) || !std::isfinite(value->around.high) ||
      !std::isfinite(value->median)) {
    return std::string(missing);
  }
  return fmt::format("{} [{}, {}]", text_of(value->median), three_digits(value->around.low / size),
                     three_digits(value->around.high / size));
}

}  // namespace

std::string seconds(std::optional<double> value) {
  if (!has_value(value)) return std::string(missing);
  if (*value == 0) return "0 s";
  const unit chosen = unit_for(*value, time_units);
  return fmt::format("{} {}", three_digits(*value / chosen.size), chosen.name);
}

std::string seconds_with_interval(const std::optional<estimate>& value) {
  const double median = value ? value->median : 0;
  return with_interval(value, seconds, median == 0 ? 1 : unit_for(median, time_units).size);
}

std::string bytes(std::optional<double> value) {
  if (!has_value(value)) return std::string(missing);
  const unit chosen = unit_for(*value, byte_units);
  const double in_unit = *value / chosen.size;
  // There is no tenth of a byte.
  return chosen.size == 1 ? fmt::format("{:.0f} {}", in_unit, chosen.name)
                          : fmt::format("{} {}", three_digits(in_unit), chosen.name);
}

std::string ratio(std::optional<double> value) {
  return has_value(value) ? three_digits(*value) + " ×" : std::string(missing);
}

std::string ratio_with_interval(const std::optional<estimate>& value) {
  return with_interval(value, ratio, 1);
}

std::string count(std::optional<double> value) {
  if (!has_value(value)) return std::string(missing);
  std::string digits = fmt::format("{:.0f}", *value);
  const std::size_t first_digit = digits.front() == '-' ? 1 : 0;
  for (std::size_t at = digits.size(); at > first_digit + 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

std::string counted(std::size_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

std::string joined(const std::vector<std::string>& names, std::size_t most_named) {
  if (names.size() <= most_named) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format(
      "{} and {} more",
      fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(most_named), ", "),
      names.size() - most_named);
}

std::string on_one_line(std::string_view text) {
  // The first and the last of characters that follow each other, with all bytes but one in common.
  constexpr std::array<std::array<std::string_view, 2>, 7> replaced{{
      {std::string_view("\0", 1), "\x1F"},
      {"\x7F", "\x7F"},
      {"\xC2\x80", "\xC2\x9F"},          // The other control characters.
      {"\xE2\x80\x8E", "\xE2\x80\x8F"},  // Marks that turn the direction of writing.
      {"\xE2\x80\xA8", "\xE2\x80\xAE"},  // Line separators, and more of those marks.
      {"\xE2\x81\xA6", "\xE2\x81\xA9"},  // Yet more.
      {"\xEF\xBF\xBE", "\xEF\xBF\xBF"},  // No characters: XML forbids them.
  }};
  std::string line;
  while (!text.empty()) {
    const auto found = std::ranges::find_if(replaced, [=](const auto& range) {
      const std::string_view begin = text.substr(0, range[0].size());
      return range[0] <= begin && begin <= range[1];
    });
    line += found == replaced.end() ? text[0] : ' ';
    text.remove_prefix(found == replaced.end() ? 1 : (*found)[0].size());
  }
  return line;
}

std::string escape_html(std::string_view text) {
  std::string escaped = on_one_line(text);
  boost::replace_all(escaped, "&", "&amp;");  // First: the others contain it.
  boost::replace_all(escaped, "<", "&lt;");
  boost::replace_all(escaped, ">", "&gt;");
  boost::replace_all(escaped, "\"", "&quot;");
  boost::replace_all(escaped, "'", "&#39;");
  return escaped;
}

}  // namespace stealbench::report
