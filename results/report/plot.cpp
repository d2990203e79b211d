#include "results/report/plot.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "results/report/table.hpp"  // display_width

namespace stealbench::report {
namespace {

constexpr double usual_width = 420;
constexpr double text_height = 13;
constexpr double character = 0.64 * text_height;  // As wide as a digit of a wide font.
constexpr double line_height = 16;
constexpr double row_height = 22;
constexpr double clearance = 8;

double width_of(std::string_view text) {
  return character * static_cast<double>(display_width(text));
}

std::string_view colour_of(std::size_t style) {
  return series_colours[style % series_colours.size()];
}

/// Paths around a point.
constexpr std::array<std::string_view, 5> markers{"m-4,0a4,4 0 1 0 8,0a4,4 0 1 0 -8,0z",
                                                  "m-3.5,-3.5h7v7h-7z", "m0,-5l5,5l-5,5l-5,-5z",
                                                  "m0,-5l5,8.5h-10z", "m0,5l5,-8.5h-10z"};

constexpr std::string_view faint = "stroke-opacity=\"0.15\"";
constexpr std::string_view dotted = "stroke-width=\"0.8\" stroke-dasharray=\"2 3\"";

/// The elements of a drawing.
struct canvas {
  double width = usual_width;
  double height = 0;
  std::string body = {};

  /// `anchor`: what of the text is at the point: its start, middle or end.
  void text(double x, double y, std::string_view anchor, std::string_view words,
            std::string_view colour = "currentColor") {
    body +=
        fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" fill=\"{}\">{}</text>\n", x,
                    y + 0.35 * text_height, anchor, colour, escape_html(words));
  }

  void path(const std::string& along, std::string_view colour, std::string_view attributes = "") {
    body +=
        fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" {}/>\n", along, colour, attributes);
  }

  void marker(double x, double y, std::string_view form, std::string_view colour, bool is_filled) {
    body += fmt::format("<path d=\"M{:.1f} {:.1f}{}\" fill=\"{}\" stroke=\"{}\"/>\n", x, y, form,
                        is_filled ? colour : "none", colour);
  }
};

std::vector<double> round_values(double low, double high) {
  constexpr double most_steps = 6;
  const double decade = std::pow(10, std::floor(std::log10((high - low) / most_steps)));
  double step = decade;
  for (const double factor : {2.0, 5.0, 10.0}) {
    if ((high - low) / step > most_steps) step = factor * decade;
  }
  std::vector<double> values;
  // Adding 0 makes 0 of -0, which would be shown with its sign.
  for (double i = std::ceil(low / step) + 0.0; i * step <= high; ++i) values.push_back(i * step);
  return values;
}

/// 1, 2 and 5 in each decade, or 1 alone where decades are more than a few.
std::vector<double> round_values_of_decades(double low, double high) {
  constexpr double few = 1.7;
  std::vector<double> values;
  for (double decade = std::pow(10, std::floor(std::log10(low))); decade <= high; decade *= 10) {
    for (const double digit : {1.0, 2.0, 5.0}) {
      if (digit > 1 && std::log10(high / low) > few) continue;
      const double value = digit * decade;
      if (value >= low && value <= high) values.push_back(value);
    }
  }
  // One value is no scale, such as 4 of 3.65 to 4.17.
  return values.size() < 2 ? round_values(low, high) : values;
}

/// Where the values of an axis are along one side of a drawing.
class scale {
 public:
  scale(const axis& along, const std::vector<double>& values) : along_(along) {
    for (const double each : values) {
      if (!std::isfinite(each) || (along.is_logarithmic && each <= 0)) {
        throw std::invalid_argument(fmt::format("{} is not on the axis \"{}\"", each, along.label));
      }
    }
    constexpr double margin = 0.06;
    constexpr double least_decades = 0.3;
    const auto [least, most] = std::ranges::minmax(values);
    if (along.is_logarithmic) {
      const double decades = std::max(std::log10(most / least), least_decades);
      low_ = least * std::pow(10, -margin * decades);
      high_ = most * std::pow(10, margin * decades);
    } else {
      const double span = most > least ? most - least : std::max(std::abs(most), 1.0);
      low_ = least == 0 ? 0 : least - margin * span;
      high_ = most + margin * span;
    }
  }

  /// From left to right, or from the bottom to the top.
  void place(double begin, double end) {
    begin_ = begin;
    end_ = end;
  }

  [[nodiscard]] double operator()(double value) const {
    const double part = along_.is_logarithmic ? std::log(value / low_) / std::log(high_ / low_)
                                              : (value - low_) / (high_ - low_);
    return begin_ + part * (end_ - begin_);
  }

  struct tick {
    double place;
    std::string name;
  };

  /// At these values if they are few, else at round ones; but for those whose names would overlap.
  [[nodiscard]] std::vector<tick> ticks(const std::set<double>& wanted = {}) const {
    constexpr std::size_t few = 16;
    std::vector<double> values(wanted.begin(), wanted.end());
    if (values.empty() || values.size() > few) {
      const double low = low_ / along_.unit;
      const double high = high_ / along_.unit;
      values = along_.is_logarithmic ? round_values_of_decades(low, high) : round_values(low, high);
      for (double& each : values) each *= along_.unit;
    }
    std::vector<tick> all;
    for (const double each : values) {
      const double shown = each / along_.unit;
      constexpr double most_digits = 1e5;
      tick next{(*this)(each), shown < most_digits ? fmt::format("{:g}", shown) : count(shown)};
      const double room = begin_ > end_ || all.empty()
                              ? line_height
                              : (width_of(next.name) + width_of(all.back().name)) / 2 + clearance;
      if (all.empty() || std::abs(next.place - all.back().place) >= room) {
        all.push_back(std::move(next));
      }
    }
    return all;
  }

 private:
  const axis& along_;
  double low_;
  double high_;
  double begin_ = 0;
  double end_ = 1;
};

template <class Named>
double widest_of(const std::vector<Named>& all) {
  double width = 0;
  for (const Named& each : all) width = std::max(width, width_of(each.name));
  return width;
}

/// The name of a line, which ends at a point.
struct end_name {
  double x;
  double y;
  std::string name;
  std::string_view colour;
  double shown_y = y;
};

/// Draws them to the right, apart from each other, in the order of their ends.
void draw_end_names(std::vector<end_name> all, double x, double top, double bottom, canvas& to) {
  std::ranges::stable_sort(all, {}, &end_name::y);
  double free = top;
  for (end_name& each : all) {
    each.shown_y = std::max(each.y, free);
    free = each.shown_y + line_height;
  }
  free = bottom;
  for (std::size_t i = all.size(); i-- > 0;) {
    all[i].shown_y = std::min(all[i].shown_y, free);
    free = all[i].shown_y - line_height;
  }
  for (const end_name& each : all) {
    to.path(fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", each.x, each.y, x - 3, each.shown_y),
            each.colour, "stroke-width=\"0.6\" stroke-opacity=\"0.6\"");
    to.text(x, each.shown_y, "start", each.name, each.colour);
  }
}

/// What a plot shows, of all curves and reference lines.
struct extent {
  std::set<double> x;
  std::vector<double> y;

  explicit extent(const plot& what) {
    for (const curve& each : what.curves) {
      for (const curve_point& point : each.points) {
        x.insert(point.x);
        y.insert(y.end(), {point.y.around.low, point.y.median, point.y.around.high});
      }
    }
    if (x.empty()) throw std::invalid_argument("a plot of nothing");
    if (!what.y.is_logarithmic) y.push_back(0);
  }
};

constexpr double least_inner_width = 200;
constexpr double height_of_axis = 2.5 * line_height;

/// A row for each curve, with a dot for each x. The last of them is filled, and in words too.
canvas rows_of(plot what, extent shown) {
  for (const reference_line& each : what.references) shown.y.push_back(each.points.back().y);
  scale across(what.y, shown.y);
  const auto last_of = [&](const curve& each) -> std::optional<double> {
    if (each.points.empty() || each.points.back().x != *shown.x.rbegin()) return {};
    return each.points.back().y.median;
  };
  const auto value_of = [&](const curve& each) {
    const auto value = last_of(each);
    return value ? what.y.format(value) : each.instead;
  };
  std::ranges::stable_sort(what.curves, {}, [&](const curve& each) {
    const double worst = std::numeric_limits<double>::infinity();
    return what.is_less_better ? last_of(each).value_or(worst) : -last_of(each).value_or(-worst);
  });
  double right = 0;
  for (const curve& each : what.curves)
    right = std::max(right, width_of(value_of(each)) + clearance);
  const double left = widest_of(what.curves) + clearance;
  const double top = line_height * static_cast<double>(what.references.size());
  const double bottom = top + row_height * static_cast<double>(what.curves.size());
  canvas drawing{.width = std::max(usual_width, left + least_inner_width + right),
                 .height = bottom + height_of_axis};
  across.place(left, drawing.width - right);
  for (const scale::tick& each : across.ticks()) {
    drawing.path(fmt::format("M{:.1f} {:.1f}V{:.1f}", each.place, top, bottom), "currentColor",
                 faint);
    drawing.text(each.place, bottom + 0.8 * line_height, "middle", each.name);
  }
  double y = line_height / 2;
  for (const reference_line& each : what.references) {
    const double x = across(each.points.back().y);
    drawing.path(fmt::format("M{:.1f} {:.1f}V{:.1f}", x, y + line_height / 2, bottom),
                 "currentColor", dotted);
    drawing.text(x, y, "middle", each.name);
    y += line_height;
  }
  y = top + row_height / 2;
  for (const curve& each : what.curves) {
    drawing.text(left - clearance, y, "end", each.name);
    drawing.text(drawing.width, y, "end", value_of(each));
    for (const curve_point& point : each.points) {
      const bool is_last = point.x == *shown.x.rbegin();
      const double at = shown.x.size() == 1 ? y : is_last ? y + 5 : y - 5;
      const std::string_view colour = colour_of(each.style);
      drawing.path(fmt::format("M{:.1f} {:.1f}H{:.1f}", across(point.y.around.low), at,
                               across(point.y.around.high)),
                   colour);
      drawing.marker(across(point.y.median), at, markers.front(), colour, is_last);
    }
    y += row_height;
  }
  y = drawing.height - line_height / 2;
  drawing.text(drawing.width, y, "end", what.y.label);
  if (shown.x.size() == 1) return drawing;
  const auto key = [&](double x, double value, bool is_filled) {
    drawing.marker(x, y, markers.front(), "currentColor", is_filled);
    const std::string name = fmt::format("{}: {}", what.x.label, what.x.format(value));
    drawing.text(x + clearance, y, "start", name);
    return x + clearance + width_of(name) + 2 * clearance;
  };
  static_cast<void>(key(key(clearance, *shown.x.begin(), false), *shown.x.rbegin(), true));
  return drawing;
}

/// A line for each curve, with its name at its end.
canvas lines_of(const plot& what, extent shown) {
  std::set<double> x_shown = shown.x;
  for (const reference_line& each : what.references) {
    for (const auto& point : each.points) {
      x_shown.insert(point.x);
      shown.y.push_back(point.y);
    }
  }
  constexpr double least_height = 170;
  const auto names = static_cast<double>(what.curves.size() + what.references.size());
  const double top = 1.5 * line_height;
  const double bottom = top + std::max(least_height, line_height * names);
  scale up(what.y, shown.y);
  up.place(bottom, top);
  const std::vector<scale::tick> ticks = up.ticks();
  const double left = widest_of(ticks) + clearance;
  const double right = std::max(widest_of(what.curves), widest_of(what.references)) + 3 * clearance;
  canvas drawing{.width = std::max(usual_width, left + least_inner_width + right),
                 .height = bottom + height_of_axis};
  scale across(what.x, {x_shown.begin(), x_shown.end()});
  across.place(left, drawing.width - right);
  drawing.text(0, line_height / 2, "start", what.y.label);
  for (const scale::tick& each : ticks) {
    drawing.path(fmt::format("M{:.1f} {:.1f}H{:.1f}", left, each.place, drawing.width - right),
                 "currentColor", faint);
    drawing.text(left - clearance, each.place, "end", each.name);
  }
  for (const scale::tick& each : across.ticks(shown.x)) {
    drawing.path(fmt::format("M{:.1f} {:.1f}v-4", each.place, bottom), "currentColor");
    drawing.text(each.place, bottom + 0.8 * line_height, "middle", each.name);
  }
  drawing.text((left + drawing.width - right) / 2, drawing.height - line_height / 2, "middle",
               what.x.label);

  std::vector<end_name> ends;
  const auto draw = [&](const auto& line, const auto& y_of, std::string_view colour,
                        std::string_view attributes) {
    std::string along;
    for (const auto& point : line.points) {
      along += fmt::format("{}{:.1f} {:.1f}", along.empty() ? 'M' : 'L', across(point.x),
                           up(y_of(point)));
    }
    drawing.path(along, colour, attributes);
    ends.push_back({across(line.points.back().x), up(y_of(line.points.back())), line.name, colour});
  };
  for (const reference_line& each : what.references) {
    draw(
        each, [](const auto& point) { return point.y; }, "currentColor", dotted);
  }
  for (const curve& each : what.curves) {
    if (each.points.empty()) continue;
    const std::string_view colour = colour_of(each.style);
    draw(
        each, [](const auto& point) { return point.y.median; }, colour, "stroke-width=\"1.5\"");
    for (const curve_point& point : each.points) {
      const double x = across(point.x);
      drawing.path(
          fmt::format("M{:.1f} {:.1f}V{:.1f}", x, up(point.y.around.low), up(point.y.around.high)),
          colour);
      drawing.marker(x, up(point.y.median), markers[each.style % markers.size()], colour, true);
    }
  }
  draw_end_names(std::move(ends), drawing.width - right + 2 * clearance, top, bottom, drawing);
  return drawing;
}

std::string in_words(const axis& along, const estimate& value) {
  return fmt::format("{} ({} to {})", along.format(value.median), along.format(value.around.low),
                     along.format(value.around.high));
}

/// The element, and more at its beginning that takes so much height.
std::string svg_of(const plot& what, unsigned number, double height_before,
                   const std::string& before) {
  extent shown(what);
  const canvas drawn = shown.x.size() <= 2 ? rows_of(what, shown) : lines_of(what, shown);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" viewBox=\"0 {0:g} {1:.0f} "
      "{2:.0f}\" "
      "font-family=\"system-ui,sans-serif\" font-size=\"{3:g}\" role=\"img\" "
      "aria-labelledby=\"plot-{4}-title plot-{4}-values\">\n<title "
      "id=\"plot-{4}-title\">{5}</title>\n<desc id=\"plot-{4}-values\">{6}</desc>\n{7}{8}</svg>\n",
      0 - height_before, std::ceil(drawn.width), std::ceil(drawn.height + height_before),
      text_height, number, escape_html(what.title), escape_html(in_words(what)), before,
      drawn.body);
}

}  // namespace

std::string to_svg(const plot& what, unsigned number) { return svg_of(what, number, 0, ""); }

std::string to_svg_file(const plot& what) {
  // The page's ink (page.css).
  return svg_of(what, 1, 2 * line_height,
                fmt::format("<style>svg{{color:#1c1f24}}@media (prefers-color-scheme:dark){{svg{{"
                            "color:#e6e7e9}}}}</style>\n<text y=\"{:g}\" fill=\"currentColor\" "
                            "font-weight=\"bold\">{}</text>\n",
                            -line_height, escape_html(what.title)));
}

std::string in_words(const plot& what) {
  std::string words = fmt::format("{} over {}.", what.y.label, what.x.label);
  for (const curve& each : what.curves) {
    words += fmt::format(" {}:", each.name);
    std::string_view before = " ";
    for (const curve_point& point : each.points) {
      words += fmt::format("{}at {} {}", before, what.x.format(point.x), in_words(what.y, point.y));
      before = "; ";
    }
    words += each.points.empty() ? fmt::format(" {}.", each.instead) : ".";
  }
  for (const reference_line& each : what.references) {
    words += fmt::format(" For comparison, a line: {}.", each.name);
  }
  return words;
}

}  // namespace stealbench::report
