#include "results/report/format.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>

#include <fmt/format.h>

namespace stealbench::report {
namespace {

struct unit {
  double size;  ///< In seconds or in bytes.
  std::string_view name;
};

// Ascending.
constexpr std::array<unit, 4> time_units{{{1e-9, "ns"}, {1e-6, "µs"}, {1e-3, "ms"}, {1, "s"}}};
constexpr std::array<unit, 5> byte_units{{{1, "B"},
                                          {1024.0, "KiB"},
                                          {1024.0 * 1024, "MiB"},
                                          {1024.0 * 1024 * 1024, "GiB"},
                                          {1024.0 * 1024 * 1024 * 1024, "TiB"}}};

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

bool has_value(const std::optional<estimate>& value) {
  return value && std::isfinite(value->median) && std::isfinite(value->around.low) &&
         std::isfinite(value->around.high);
}

}  // namespace

std::string seconds(std::optional<double> value) {
  if (!has_value(value)) return std::string(missing);
  if (*value == 0) return "0 s";
  const unit chosen = unit_for(*value, time_units);
  return fmt::format("{} {}", three_digits(*value / chosen.size), chosen.name);
}

std::string seconds_with_interval(const std::optional<estimate>& value) {
  if (!has_value(value)) return std::string(missing);
  const double size = value->median == 0 ? 1 : unit_for(value->median, time_units).size;
  return fmt::format("{} [{}, {}]", seconds(value->median), three_digits(value->around.low / size),
                     three_digits(value->around.high / size));
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
  if (!has_value(value)) return std::string(missing);
  return fmt::format("{} ×", three_digits(*value));
}

std::string ratio_with_interval(const std::optional<estimate>& value) {
  if (!has_value(value)) return std::string(missing);
  return fmt::format("{} [{}, {}]", ratio(value->median), three_digits(value->around.low),
                     three_digits(value->around.high));
}

std::string count(std::optional<double> value) {
  if (!has_value(value)) return std::string(missing);
  std::string digits = fmt::format("{:.0f}", *value);
  const std::size_t first_digit = digits.front() == '-' ? 1 : 0;
  for (std::size_t at = digits.size(); at > first_digit + 3;) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return digits;
}

std::string counted(std::size_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

std::string on_one_line(std::string_view text) {
  // Not std::iscntrl: in some locales it would take parts of UTF-8 for control characters.
  const auto byte_at = [=](std::size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
  };
  const auto is_between = [](unsigned value, unsigned low, unsigned high) {
    return low <= value && value <= high;
  };
  /// The bytes of what is replaced there; 0 if it is kept.
  const auto replaced_at = [&](std::size_t at) -> std::size_t {
    const unsigned first = byte_at(at);
    const unsigned second = byte_at(at + 1);
    const unsigned third = byte_at(at + 2);
    if (first < 0x20U || first == 0x7FU) return 1;
    if (first == 0xC2U && is_between(second, 0x80, 0x9F)) return 2;  // U+0080 to U+009F.
    const bool is_line_or_turn =  // U+200E, U+200F, U+2028 to U+202E, U+2066 to U+2069.
        first == 0xE2U &&
        ((second == 0x80U && (is_between(third, 0x8E, 0x8F) || is_between(third, 0xA8, 0xAE))) ||
         (second == 0x81U && is_between(third, 0xA6, 0xA9)));
    const bool is_no_character =  // U+FFFE and U+FFFF, which XML forbids.
        first == 0xEFU && second == 0xBFU && third >= 0xBEU;
    return is_line_or_turn || is_no_character ? 3 : 0;
  };
  std::string line;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t replaced = replaced_at(at);
    line += replaced > 0 ? ' ' : text[at];
    at += std::max<std::size_t>(replaced, 1);
  }
  return line;
}

}  // namespace stealbench::report
