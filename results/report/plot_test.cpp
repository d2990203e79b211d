#include "results/report/plot.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <regex>
#include <set>
#include <stdexcept>
#include <utility>

#include <gtest/gtest.h>

#include "results/dataset/fixture.hpp"
#include "results/report/svg.hpp"

namespace stealbench::report {
namespace {

using dataset::contains;

estimate around(double median) { return {median, {median * 0.9, median * 1.1}}; }

curve_plot speedups(std::size_t curves) {
  curve_plot made{.title = "Speedup of fib",
                  .x = {.label = "workers", .ticks = {1, 2}},
                  .y = {.label = "speedup", .is_logarithmic = true, .format = ratio},
                  .curves = {},
                  .references = {{"ideal", {{1, 1}, {2, 2}}}}};
  for (std::size_t i = 0; i < curves; ++i) {
    made.curves.push_back(
        {"scheduler " + std::to_string(i), i, {{1, around(0.5)}, {2, around(1.5)}}});
  }
  return made;
}

bar_plot overheads() {
  return {.title = "Overhead",
          .x = {.label = "T1 / Ts", .is_logarithmic = true, .format = ratio},
          .origin = 1,
          .bars = {{"serial", around(1)}, {"onetbb", around(33.3)}, {"openmp", {}, "DNF"}}};
}

std::vector<std::string> all_matches(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), expression), end; at != end; ++at) {
    found.push_back(at->str(1));
  }
  return found;
}

/// WCAG's relative luminance of #rrggbb.
double luminance(std::string_view colour) {
  const auto channel = [&](std::size_t at) {
    const double value = std::stoi(std::string(colour.substr(at, 2)), nullptr, 16) / 255.0;
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

double contrast(std::string_view left, std::string_view right) {
  const double one = luminance(left);
  const double other = luminance(right);
  return (std::max(one, other) + 0.05) / (std::min(one, other) + 0.05);
}

TEST(PlotSvg, ItsColoursStandOutOnALightAndADarkPage) {
  EXPECT_NEAR(contrast("#ffffff", "#000000"), 21, 0.01);
  for (const std::string_view colour : series_colours) {
    EXPECT_GE(contrast(colour, "#ffffff"), 3) << colour;
    EXPECT_GE(contrast(colour, "#121212"), 3) << colour;
  }
}

TEST(PlotSvg, TakesTheColourOfTheTextForAllButTheSeries) {
  for (const std::string& svg : {to_svg(speedups(9), "a"), to_svg(overheads(), "b")}) {
    EXPECT_TRUE(contains(svg, "fill=\"currentColor\""));
    std::set<std::string> colours;
    for (const std::string& each : all_matches(svg, "(?:stroke|fill|color)=['\"]([^'\"]+)")) {
      colours.insert(each);
    }
    // What is left are the colours of series, currentColor and none.
    EXPECT_LE(colours.size(), series_colours.size() + 2);
    for (const char* const fixed : {"black", "white", "rgb(0,0,0)", "rgb(  0,   0,   0)"}) {
      EXPECT_EQ(colours.count(fixed), 0U) << fixed;
    }
  }
}

TEST(PlotSvg, TellsSeriesApartWithoutColour) {
  constexpr std::size_t curves = 20;  // More than there are colours.
  const std::string svg = to_svg(speedups(curves), "a");
  std::set<std::pair<std::string, std::string>> forms;
  for (std::size_t i = 0; i < curves; ++i) {
    const std::size_t name = svg.find("<text>scheduler " + std::to_string(i) + "</text>");
    ASSERT_NE(name, std::string::npos);
    const std::string drawn = svg.substr(name, svg.find("<text>", name + 1) - name);
    const auto marker = all_matches(drawn, "href='#a-(gpPt[0-9]+)'");
    const auto dashes = all_matches(drawn, "stroke-dasharray='([^']+)'");
    ASSERT_FALSE(marker.empty());
    forms.insert({marker.front(), dashes.empty() ? "solid" : dashes.front()});
  }
  EXPECT_EQ(forms.size(), curves);
}

TEST(PlotSvg, SharesNoIdWithAnotherOfThePage) {
  const std::string first = to_svg(overheads(), "first");
  const std::string page = first + to_svg(overheads(), "second");
  const auto ids = all_matches(page, "id=['\"]([^'\"]+)");
  EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), ids.size());
  for (const std::string& each : all_matches(page, "href=['\"]#([^'\"]+)")) {
    EXPECT_EQ(std::count(ids.begin(), ids.end(), each), 1) << each;
  }
}

TEST(PlotSvg, TakesTheWidthOfItsContainerAndNothingFromOutside) {
  const std::string svg = to_svg(speedups(2), "a");
  const std::string head = svg.substr(0, svg.find('>'));
  EXPECT_TRUE(contains(head, "viewBox=\"0 0 480 "));
  EXPECT_FALSE(contains(head, "width"));
  EXPECT_EQ(all_matches(svg, "(https?:)").size(), 1U);  // The name of SVG itself.
  EXPECT_FALSE(contains(svg, "<script"));
}

TEST(PlotSvg, SaysItsFiguresInWords) {
  const std::string curves = to_svg(speedups(1), "a");
  EXPECT_TRUE(contains(curves, "role=\"img\""));
  EXPECT_TRUE(contains(curves, "<title id=\"a-title\">Speedup of fib</title>"));
  EXPECT_TRUE(contains(curves, "scheduler 0: at 1 0.500 × (0.450 × to 0.550 ×); at 2 1.50 ×"));
  const std::string bars = to_svg(overheads(), "b");
  EXPECT_TRUE(contains(bars, "onetbb: 33.3 × (30.0 × to 36.6 ×). openmp: DNF."));
}

TEST(PlotSvg, ShowsANameAsItIs) {
  const std::string name = "it's `id` 100%d \"<&>\" \\n";
  bar_plot bars = overheads();
  bars.x.label = bars.title = bars.bars[0].name = bars.bars[2].instead = name;
  curve_plot curves = speedups(1);
  curves.y.label = curves.curves[0].name = curves.references[0].name = name;
  for (const std::string& svg : {to_svg(bars, "a"), to_svg(curves, "b")}) {
    // gnuplot leaves alone what need not be escaped in a text.
    EXPECT_EQ(all_matches(svg, "<text>\\s*(it's `id` 100%d \"&lt;&amp;>\" \\\\n)<").size(), 3U);
    EXPECT_TRUE(contains(svg, "it&#39;s `id` 100%d &quot;&lt;&amp;&gt;&quot; \\n")) << svg;
  }
}

TEST(PlotSvg, RefusesWhatItCannotShow) {
  curve_plot on_no_axis = speedups(1);
  on_no_axis.curves[0].points[0].y = around(0);
  EXPECT_THROW((void)to_svg(on_no_axis, "a"), std::invalid_argument);
  on_no_axis.y.is_logarithmic = false;
  EXPECT_NO_THROW((void)to_svg(on_no_axis, "a"));
  on_no_axis.curves[0].points[0].y = around(std::numeric_limits<double>::infinity());
  EXPECT_THROW((void)to_svg(on_no_axis, "a"), std::invalid_argument);

  EXPECT_THROW((void)to_svg(curve_plot{}, "a"), std::invalid_argument);
  EXPECT_THROW((void)to_svg(bar_plot{}, "a"), std::invalid_argument);
  for (const char* const id : {"", "1a", "a b", "a\"b"}) {
    EXPECT_THROW((void)to_svg(overheads(), id), std::invalid_argument) << id;
  }
}

TEST(PlotSvg, OnePointIsEnough) {
  curve_plot one = speedups(1);
  one.references.clear();
  one.curves[0].points.resize(1);
  EXPECT_NO_THROW((void)to_svg(one, "a"));
}

TEST(Gnuplot, SaysWhatItDidNotLike) {
  try {
    (void)run_gnuplot("set nonsense\n");
    FAIL();
  } catch (const plot_error& error) {
    EXPECT_TRUE(contains(error.what(), "nonsense")) << error.what();
  }
  EXPECT_THROW((void)run_gnuplot("", "/no/such/gnuplot"), plot_error);
  EXPECT_THROW((void)run_gnuplot("# Draws nothing.\n"), plot_error);
}

TEST(Gnuplot, IsEndedIfItHangs) {
  const std::string endless = "set print '-'\nwhile (1) { pause 0.01 }\n";
  try {
    (void)run_gnuplot(endless, "gnuplot", std::chrono::milliseconds(300));
    FAIL();
  } catch (const plot_error& error) {
    EXPECT_TRUE(contains(error.what(), "did not end within 0.3 s and was killed")) << error.what();
  }
  EXPECT_EQ(gnuplot_limit, std::chrono::seconds(10));
}

TEST(Plots, ShowANameThatIsFullOfMarkupAsItIs) {
  const std::string name = "<script>\x1b[2J\n|`'\"%{}\\@ =1";
  const bar_plot bars{.title = name,
                      .x = {.label = name},
                      .bars = {{.name = name, .value = estimate{1, {1, 1}}, .instead = name},
                               {.name = name, .value = {}, .instead = name}}};
  const curve_plot curves{
      .title = name,
      .x = {.label = name},
      .y = {.label = name},
      .curves = {{.name = name, .points = {{1, {1, {1, 1}}}, {2, {2, {2, 2}}}}}},
      .references = {{name, {{1, 1}, {2, 2}}}}};
  for (const std::string& svg : {to_svg(bars, "a"), to_svg(curves, "b")}) {
    EXPECT_FALSE(contains(svg, "<script")) << svg;
    EXPECT_FALSE(contains(svg, "\x1b"));
    EXPECT_TRUE(contains(svg, "&lt;script&gt; [2J |`"));
    EXPECT_TRUE(contains(svg, "%{}\\@ =1"));
  }
}

TEST(Gnuplot, AScriptAndADrawingMayBeLongerThanAPipe) {
  std::string script = "set print '-'\n";
  for (int line = 0; line < 20'000; ++line) script += "print 'a line of output'\n";
  EXPECT_EQ(run_gnuplot(script).size(), 20'000U * 17);
}

TEST(Svg, RefusesWhatIsNoDrawingOfGnuplots) {
  for (const char* const text : {"", "<svg></svg>", "<desc></desc> viewBox=\"\" </svg>"}) {
    EXPECT_THROW((void)embeddable(text, "a", {}), std::invalid_argument) << text;
  }
}

}  // namespace
}  // namespace stealbench::report
