// Plots as data, drawn as SVG: whoever fills a plot knows nothing of how it is drawn.
//
// A drawing takes the colour of the text around it and the width of its container, is told apart
// without colour, and says its values in words too. All functions are pure.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/report/format.hpp"

namespace stealbench::report {

/// The colours of series. Each has a contrast of 3:1 or more to white and to #121212, so that one
/// drawing serves a light and a dark page.
inline constexpr std::array<std::string_view, 12> series_colours{
    "#2f7fd1", "#c96a12", "#2f9150", "#9a66c9", "#d4504a", "#12919c",
    "#cf4f9c", "#a8764a", "#7c8a18", "#6470dc", "#7b838c", "#b5862b"};

struct axis {
  std::string label;
  bool is_logarithmic = false;
  double unit = 1;  ///< The ticks show values divided by this.
  /// A value in words: one of the functions of format.hpp.
  std::string (*format)(std::optional<double>) = count;
};

struct curve_point {
  double x;
  estimate y;
};

struct curve {
  std::string name;
  std::size_t style = 0;                 ///< Colour and marker.
  std::vector<curve_point> points = {};  ///< By ascending x.
  std::string instead = {};              ///< Shown where there is no point: "DNF".
};

/// A thin line to hold curves against, such as the ideal.
struct reference_line {
  struct position {
    double x;
    double y;
  };
  std::string name;
  std::vector<position> points;
};

/// With more than two values of x over all curves, lines over x with their names at their ends.
/// Else a row for each curve with a dot for each x: its y and interval, along a horizontal axis.
/// The row on top has the best value at the greatest x.
struct plot {
  std::string title;
  std::string caption = {};  ///< The title where the page names what all its plots have in common.
  axis x;
  axis y;
  std::vector<curve> curves = {};
  std::vector<reference_line> references = {};
  bool is_less_better = false;
};

/// An <svg> element, whose ids have the number, which no other drawing of a page has. Throws
/// std::invalid_argument if there is nothing to draw, or a value is not finite or not greater than
/// 0 on a logarithmic axis.
[[nodiscard]] std::string to_svg(const plot& what, unsigned number);

/// The same as a file: with its title above it, for readers of the light or the dark scheme.
[[nodiscard]] std::string to_svg_file(const plot& what);

/// The values of a plot, for whoever does not see it.
[[nodiscard]] std::string in_words(const plot& what);

}  // namespace stealbench::report
