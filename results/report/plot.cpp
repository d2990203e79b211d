#include "results/report/plot.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "results/report/svg.hpp"

namespace stealbench::report {
namespace {

constexpr int plot_width = 480;
constexpr int curves_height = 320;  // Without the key.
constexpr int height_of_row = 20;   // Of the key.
constexpr int height_of_bar = 26;
constexpr int height_around_bars = 74;

// Chosen so that neighbours differ in form and not in size alone.
constexpr std::array<int, 8> markers{7, 5, 9, 13, 11, 6, 4, 2};
constexpr std::array<std::string_view, 5> dashes{"solid", "(12,5)", "(3,4)", "(12,4,3,4)",
                                                 "(22,6)"};

/// Marker and dashes differ between any two of the first forty styles, colours between the first
/// eight.
int marker_of(std::size_t style) { return markers[style % markers.size()]; }
std::string_view dashes_of(std::size_t style) {
  return dashes[(style % markers.size() + style / markers.size()) % dashes.size()];
}
std::string_view colour_of(std::size_t style) {
  return series_colours[style % series_colours.size()];
}

/// What an axis has to show.
class extent {
 public:
  explicit extent(const axis& along) : along_(along) {}

  void include(double value) {
    if (!std::isfinite(value) || (along_.is_logarithmic && value <= 0)) {
      throw std::invalid_argument(fmt::format("{} is not on the axis \"{}\"", value, along_.label));
    }
    low_ = std::min(low_, value);
    high_ = std::max(high_, value);
  }

  void include(const estimate& value) {
    include(value.around.low);
    include(value.median);
    include(value.around.high);
  }

  /// With a margin of these parts of what is shown.
  [[nodiscard]] interval with_margins(double before, double after) const {
    if (low_ > high_) throw std::invalid_argument("a plot of nothing");
    if (along_.is_logarithmic) {
      const double decades = std::max(std::log10(high_ / low_), least_decades);
      return {low_ * std::pow(10, -before * decades), high_ * std::pow(10, after * decades)};
    }
    const double span = high_ > low_ ? high_ - low_ : std::max(std::abs(high_), 1.0);
    return {low_ - before * span, high_ + after * span};
  }

 private:
  static constexpr double least_decades = 0.3;
  const axis& along_;
  double low_ = std::numeric_limits<double>::infinity();
  double high_ = -low_;
};

/// 1, 2 and 5 in each decade; where that is too many, 1 alone, and then not every decade.
std::vector<double> logarithmic_ticks(const interval& shown) {
  constexpr double most_for_all = 1.7;  // Decades.
  constexpr double most_ticks = 7;
  const double decades = std::log10(shown.high / shown.low);
  const auto step = static_cast<int>(std::ceil(decades / most_ticks));
  std::vector<double> ticks;
  const auto first = static_cast<int>(std::floor(std::log10(shown.low)));
  const auto last = static_cast<int>(std::ceil(std::log10(shown.high)));
  for (int exponent = first; exponent <= last; ++exponent) {
    for (const double digit : {1.0, 2.0, 5.0}) {
      if (digit > 1 && decades > most_for_all) continue;
      if (digit == 1 && exponent % step != 0) continue;
      const double tick = digit * std::pow(10, exponent);
      if (tick >= shown.low && tick <= shown.high) ticks.push_back(tick);
    }
  }
  return ticks;
}

/// Range, scale, ticks and label of the axis `letter`.
std::string script_of(const axis& what, char letter, const interval& shown) {
  // Nearer to the ticks than gnuplot has it, so that it does not touch the key.
  const std::string_view nearer = letter == 'x' ? " offset character 0,0.5" : "";
  std::string script =
      fmt::format("set {0}range [{1}:{2}]\nset {0}label {3}{4}\n", letter, shown.low / what.unit,
                  shown.high / what.unit, quoted_for_gnuplot(what.label), nearer);
  std::vector<double> ticks = what.ticks;
  if (what.is_logarithmic) {
    script += fmt::format("set logscale {}\n", letter);
    const interval in_units{shown.low / what.unit, shown.high / what.unit};
    if (ticks.empty()) ticks = logarithmic_ticks(in_units);
  } else {
    for (double& each : ticks) each /= what.unit;
  }
  if (ticks.empty()) return script;
  std::string places;
  for (const double each : ticks) {
    places += fmt::format("{}'{:g}' {}", places.empty() ? "" : ", ", each, each);
  }
  return script + fmt::format("set {}tics ({})\n", letter, places);
}

/// Black becomes the colour of the page's text.
std::string preamble(int height) {
  return fmt::format(
      "set encoding utf8\n"
      "set terminal svg noenhanced dynamic size {},{} font 'sans-serif,14' linewidth 1.3\n"
      "set style line 100 linecolor rgb '{}' linewidth 1 dashtype solid\n"
      "set border 3 linecolor rgb 'black'\n"
      "set tics nomirror out scale 0.5\n",
      plot_width, height, grid_colour);
}

std::string row_of(double x, const estimate& y, double unit) {
  return fmt::format("{} {} {} {}\n", x, y.median / unit, y.around.low / unit,
                     y.around.high / unit);
}

/// A name beside a tick, where gnuplot takes % for the beginning of a format.
std::string tick_name(std::string_view text) {
  std::string doubled;
  for (const char each : text) doubled += each == '%' ? "%%" : std::string(1, each);
  return quoted_for_gnuplot(doubled);
}

std::string in_words(const axis& along, const std::optional<estimate>& value) {
  if (!value) return std::string(missing);
  return fmt::format("{} ({} to {})", along.format(value->median), along.format(value->around.low),
                     along.format(value->around.high));
}

}  // namespace

std::string in_words(const curve_plot& what) {
  std::string words = fmt::format("{} over {}.", what.y.label, what.x.label);
  for (const curve& each : what.curves) {
    words += fmt::format(" {}:", each.name);
    std::string_view before = " ";
    for (const curve_point& point : each.points) {
      words += fmt::format("{}at {} {}", before, what.x.format(point.x), in_words(what.y, point.y));
      before = "; ";
    }
    words += '.';
  }
  for (const reference_line& each : what.references) {
    words += fmt::format(" For comparison, a line: {}.", each.name);
  }
  return words;
}

std::string in_words(const bar_plot& what) {
  std::string words = what.x.label + ".";
  for (const bar& each : what.bars) {
    words += fmt::format(
        " {}: {}.", each.name,
        each.value || each.instead.empty() ? in_words(what.x, each.value) : each.instead);
  }
  return words;
}

std::string to_svg(const curve_plot& what, std::string_view id) {
  extent horizontal(what.x);
  extent vertical(what.y);
  std::string data;
  std::string drawn;
  for (std::size_t i = 0; i < what.references.size(); ++i) {
    const reference_line& line = what.references[i];
    std::string rows;
    for (const position& each : line.points) {
      horizontal.include(each.x);
      vertical.include(each.y);
      rows += fmt::format("{} {}\n", each.x / what.x.unit, each.y / what.y.unit);
    }
    data += fmt::format("$reference{} << END\n{}END\n", i, rows);
    drawn += fmt::format(
        "$reference{} using 1:2 with lines linecolor rgb 'black' linewidth 0.8 dashtype {} title "
        "{}, ",
        i, i % 2 == 0 ? "(2,3)" : "(7,3,2,3)", quoted_for_gnuplot(line.name));
  }
  for (std::size_t i = 0; i < what.curves.size(); ++i) {
    const curve& each = what.curves[i];
    std::string rows;
    for (const curve_point& point : each.points) {
      horizontal.include(point.x);
      vertical.include(point.y);
      rows += row_of(point.x / what.x.unit, point.y, what.y.unit);
    }
    data += fmt::format("$curve{} << END\n{}END\n", i, rows);
    const std::string colour = fmt::format("linecolor rgb '{}'", colour_of(each.style));
    const std::string form = fmt::format("{} linewidth 1.5 dashtype {} pointtype {} pointsize 0.8",
                                         colour, dashes_of(each.style), marker_of(each.style));
    // The bars of intervals are solid whatever the line is, or a short one could fall into a gap.
    drawn += fmt::format(
        "$curve{} using 1:3:(0):($4-$3) with vectors heads size graph 0.008,90 {} notitle, ", i,
        colour + " linewidth 1 dashtype solid");
    if (!each.points.empty()) {
      drawn += fmt::format("$curve{} using 1:2 with linespoints {} title {}, ", i, form,
                           quoted_for_gnuplot(each.name));
    }
  }
  constexpr double side = 0.06;
  const double below = what.y.is_logarithmic ? side : 0;
  // In two columns, which is what fits.
  const std::size_t key_rows = (what.curves.size() + what.references.size() + 1) / 2;
  std::string script = preamble(curves_height + height_of_row * static_cast<int>(key_rows));
  if (!what.y.is_logarithmic) vertical.include(0.0);
  script += script_of(what.x, 'x', horizontal.with_margins(side, side));
  script += script_of(what.y, 'y', vertical.with_margins(below, side));
  script += "set grid ytics linestyle 100\n";
  script += fmt::format("set key below left Left reverse samplen 3 maxrows {}\n", key_rows);
  script += data + "plot " + drawn.substr(0, drawn.size() - 2) + '\n';
  return embeddable(run_gnuplot(script), id, {what.title, in_words(what)});
}

std::string to_svg(const bar_plot& what, std::string_view id) {
  extent horizontal(what.x);
  horizontal.include(what.origin);
  std::string data = "$bars << END\n";
  std::string names;
  std::string labels;
  for (std::size_t i = 0; i < what.bars.size(); ++i) {
    const bar& each = what.bars[i];
    const estimate shown = each.value.value_or(estimate{what.origin, {what.origin, what.origin}});
    horizontal.include(shown);
    names += fmt::format("{}{} {}", i == 0 ? "" : ", ", tick_name(each.name), i);
    labels +=
        fmt::format("set label {} at {},{} left offset character 0.6,0\n",
                    quoted_for_gnuplot(each.value ? what.x.format(shown.median) : each.instead),
                    std::max(shown.around.high, what.origin) / what.x.unit, i);
    if (!each.value) continue;
    data += fmt::format("{} {} {} {} {} {}\n", shown.median / what.x.unit, i,
                        shown.around.low / what.x.unit, shown.around.high / what.x.unit,
                        what.origin / what.x.unit,
                        std::string(colour_of(each.style)).replace(0, 1, "0x"));
  }
  if (what.bars.empty()) throw std::invalid_argument("a plot of nothing");
  data += "END\n";
  constexpr double room_for_label = 0.28;
  const auto count = static_cast<int>(what.bars.size());
  std::string script = preamble(height_around_bars + height_of_bar * count);
  script += script_of(what.x, 'x', horizontal.with_margins(0, room_for_label));
  script +=
      fmt::format("set yrange [{}:-0.6]\nset ytics scale 0 ({})\nset grid xtics linestyle 100\n",
                  static_cast<double>(count) - 0.4, names);
  script += "unset key\nset style fill solid 1 noborder\n" + labels + data;
  script +=
      "plot $bars using 1:2:5:1:($2-0.3):($2+0.3):6 with boxxyerror linecolor rgb variable, "
      "$bars using 1:2:3:4 with xerrorbars linecolor rgb 'black' linewidth 1 pointtype 0 pointsize "
      "0\n";
  return embeddable(run_gnuplot(script), id, {what.title, in_words(what)});
}

}  // namespace stealbench::report
