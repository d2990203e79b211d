// Plots as data, drawn as SVG: whoever fills a plot knows nothing of how it is drawn.
//
// A drawing stands in a page by itself: it takes the colour of the text around it and the width of
// its container, is told apart without colour, and says its figures in words too.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/analysis/statistics.hpp"
#include "results/report/format.hpp"

namespace stealbench::report {

/// The colours of series. Each has a contrast of 3:1 or more to white and to #121212, so that one
/// drawing serves a light and a dark page.
inline constexpr std::array<std::string_view, 8> series_colours{
    "#2f7fd1", "#c96a12", "#2f9150", "#9a66c9", "#d4504a", "#12919c", "#cf4f9c", "#a8764a"};

/// A value in words: one of the functions of format.hpp.
using figure_format = std::string (*)(std::optional<double>);

struct axis {
  std::string label;
  bool is_logarithmic = false;
  double unit = 1;                 ///< The ticks show values divided by this.
  std::vector<double> ticks = {};  ///< Where they stand; if there are none, where they fit.
  figure_format format = count;
};

struct curve_point {
  double x;
  estimate y;
};

struct curve {
  std::string name;
  std::size_t style = 0;  ///< Marker, dashes and colour; equal in every plot of a page.
  std::vector<curve_point> points;
};

struct position {
  double x;
  double y;
};

/// A thin line to hold curves against, such as the ideal.
struct reference_line {
  std::string name;
  std::vector<position> points;
};

/// Lines with markers, and a bar for each interval.
struct curve_plot {
  std::string title;
  axis x;
  axis y;
  std::vector<curve> curves;
  std::vector<reference_line> references = {};
};

struct bar {
  std::string name;
  std::optional<estimate> value;
  std::string instead = {};  ///< Shown where there is no value: "DNF".
  std::size_t style = 0;     ///< Colour alone: the name stands beside the bar.
};

/// Horizontal bars with their intervals, the first on top.
struct bar_plot {
  std::string title;
  axis x;
  double origin = 0;  ///< Where the bars begin; on a logarithmic axis greater than 0.
  std::vector<bar> bars;
};

/// An <svg> element for HTML, drawn by gnuplot. `id` is a letter, then letters, digits and hyphens;
/// no other drawing of a page has it. Throws std::invalid_argument if it is something else, if
/// there is nothing to draw, or a value is not finite or not greater than 0 on a logarithmic axis;
/// and plot_error (svg.hpp). Takes some hundredths of a second, for the process. Not for two
/// threads at once.
[[nodiscard]] std::string to_svg(const curve_plot& what, std::string_view id);
[[nodiscard]] std::string to_svg(const bar_plot& what, std::string_view id);

/// The values of a plot, for whoever does not see it.
[[nodiscard]] std::string in_words(const curve_plot& what);
[[nodiscard]] std::string in_words(const bar_plot& what);

}  // namespace stealbench::report
