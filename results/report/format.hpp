// Figures as people read them: three significant digits and a unit.
//
// Each function takes an optional, and writes `missing` where there is no value or it is not
// finite. Whole parts are never cut: 1234 s stays 1234 s. All are pure; any thread may call them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/analysis/statistics.hpp"

namespace stealbench::report {

using analysis::estimate;
using analysis::interval;

/// What a cell has that has no value: an em dash.
inline constexpr std::string_view missing = "—";

/// `1.23 s`, `45.6 ms`, `789 µs`, `12.3 ns`. Takes seconds.
[[nodiscard]] std::string seconds(std::optional<double> value);

/// `45.6 ms [44.9, 47.2]`: the interval in the unit of the median. Takes seconds.
[[nodiscard]] std::string seconds_with_interval(const std::optional<estimate>& value);

/// `512 B`, `12.3 MiB`: powers of 1024. Takes bytes.
[[nodiscard]] std::string bytes(std::optional<double> value);

/// `1.93 ×`. Takes a quotient.
[[nodiscard]] std::string ratio(std::optional<double> value);

/// `1.93 × [1.90, 2.01]`. Takes a quotient.
[[nodiscard]] std::string ratio_with_interval(const std::optional<estimate>& value);

/// `1,234,567`: rounded to a whole number.
[[nodiscard]] std::string count(std::optional<double> value);

/// `1 round`, `2 rounds`. Takes a noun whose plural ends with an s.
[[nodiscard]] std::string counted(std::size_t number, std::string_view noun);

/// `a, b and 3 more`: more names than six, and a sentence is a list.
[[nodiscard]] std::string joined(const std::vector<std::string>& names, std::size_t most_named = 6);

/// The text with a space for each control character, line separator and mark that turns the
/// direction of writing: a name may hold anything.
[[nodiscard]] std::string on_one_line(std::string_view text);

/// The five characters that are markup in HTML and XML, escaped; right for text and for attributes
/// in either quotes. Otherwise as on_one_line.
[[nodiscard]] std::string escape_html(std::string_view text);

}  // namespace stealbench::report
