// What the members of a line of a raw file must be, so that whoever reads a dataset need not ask.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "results/dataset/metric.hpp"

namespace stealbench::dataset {

using json = nlohmann::ordered_json;

// What a raw file may have. More is a damaged file, or one that no machine could analyse.
inline constexpr std::uintmax_t most_file_bytes = std::uintmax_t{2} << 30;
inline constexpr std::size_t most_line_bytes = std::size_t{16} << 20;
inline constexpr int most_depth = 32;
inline constexpr std::size_t most_cells = 20'000;
inline constexpr unsigned most_workers = 65'536;
inline constexpr double most_seconds = 1e9;  ///< Thirty years.
inline constexpr double least_seconds = 1e-15;
inline constexpr double most_events = 1e18;  ///< Of every other value: counts, bytes, joules.

/// Throws schedulers::bad_input, which names the key and says what is valid, unless the line has
/// every member that is read of its type, each of the right kind.
void expect_shape(const json& line);

/// A value as a message shows it: in quotes if it is a text, without control characters, and cut if
/// it is long.
[[nodiscard]] std::string shown(const json& value);

/// A member that is a number in this range. Throws schedulers::bad_input, which names it.
[[nodiscard]] double number_at(const json& object, std::string_view key, double least, double most);

/// A text of JSON, nested no deeper than most_depth. Throws schedulers::bad_input.
[[nodiscard]] json parse_line(std::string_view text);

}  // namespace stealbench::dataset
