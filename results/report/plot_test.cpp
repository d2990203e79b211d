#include "results/report/plot.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "results/dataset/fixture.hpp"
#include "results/report/table.hpp"

namespace stealbench::report {
namespace {

using boost::property_tree::ptree;
using dataset::contains;

estimate around(double median) { return {median, {median * 0.9, median * 1.1}}; }

/// With three worker counts, which are lines.
plot speedups(std::size_t curves) {
  plot drawn{.title = "Speedup of fib",
             .x = {.label = "workers"},
             .y = {.label = "speedup", .is_logarithmic = true, .format = ratio},
             .curves = {},
             .references = {{"ideal", {{1, 1}, {4, 4}}}}};
  for (std::size_t i = 0; i < curves; ++i) {
    drawn.curves.push_back({"scheduler " + std::to_string(i),
                            i,
                            {{1, around(0.5)}, {2, around(1.5)}, {4, around(2.5)}}});
  }
  return drawn;
}

/// With one worker count, which are rows.
plot overheads() {
  return {.title = "Overhead",
          .x = {.label = "workers"},
          .y = {.label = "T1 / Ts", .is_logarithmic = true, .format = ratio},
          .curves = {{"openmp", 2, {}, "DNF"},
                     {"work-stealing", 1, {{1, around(1.1)}}},
                     {"onetbb", 0, {{1, around(33.3)}}}},
          .references = {{"serial", {{1, 1}}}}};
}

struct drawn_text {
  std::string words;
  double left;
  double right;
  double y;
};

/// A drawing, read as XML.
struct parsed {
  double left;
  double top;
  double width;
  double height;
  std::vector<drawn_text> texts;
  std::vector<std::string> paths;  ///< Of lines and markers: their colours.
};

parsed parse(const std::string& svg) {
  std::istringstream text(svg);
  ptree tree;
  read_xml(text, tree);
  const ptree& root = tree.get_child("svg");
  parsed all{};
  std::istringstream(root.get<std::string>("<xmlattr>.viewBox")) >> all.left >> all.top >>
      all.width >> all.height;
  constexpr double character = 7.5;  // Of DejaVu Sans at this size, on average.
  for (const auto& [name, element] : root) {
    if (name == "path") all.paths.push_back(element.get<std::string>("<xmlattr>.stroke"));
    if (name != "text") continue;
    const auto words = element.get_value<std::string>();
    const double width = character * static_cast<double>(display_width(words));
    const auto anchor = element.get<std::string>("<xmlattr>.text-anchor", "start");
    const double left = element.get<double>("<xmlattr>.x", 0) - (anchor == "end"      ? width
                                                                 : anchor == "middle" ? width / 2
                                                                                      : 0);
    all.texts.push_back({words, left, left + width, element.get<double>("<xmlattr>.y")});
  }
  return all;
}

const drawn_text& find(const parsed& in, const std::string& words) {
  const auto found = std::ranges::find(in.texts, words, &drawn_text::words);
  if (found == in.texts.end()) throw std::out_of_range("no text " + words);
  return *found;
}

/// No text reaches over a border, and none over another.
void expect_readable(const std::string& svg) {
  const parsed all = parse(svg);
  constexpr double height = 11;
  for (std::size_t i = 0; i < all.texts.size(); ++i) {
    const drawn_text& one = all.texts[i];
    EXPECT_TRUE(one.left >= all.left && one.right <= all.left + all.width &&
                one.y - height >= all.top && one.y <= all.top + all.height)
        << one.words << " is cut in\n"
        << svg;
    for (std::size_t j = 0; j < i; ++j) {
      const drawn_text& other = all.texts[j];
      EXPECT_FALSE(one.left < other.right && other.left < one.right &&
                   std::abs(one.y - other.y) < height)
          << one.words << " overlaps " << other.words << " in\n"
          << svg;
    }
  }
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
  const std::regex colour("(?:stroke|fill|color)=\"([^\"]+)");
  const std::set<std::string> valid = [] {
    std::set<std::string> names{"none", "currentColor"};
    names.insert(series_colours.begin(), series_colours.end());
    return names;
  }();
  for (const std::string& svg : {to_svg(speedups(9), 1), to_svg(overheads(), 2)}) {
    EXPECT_TRUE(contains(svg, "fill=\"currentColor\""));
    for (std::sregex_iterator at(svg.begin(), svg.end(), colour), end; at != end; ++at) {
      EXPECT_EQ(valid.count(at->str(1)), 1U) << at->str(1);
    }
  }
}

TEST(PlotSvg, GivesTwelveSchedulersColoursOfTheirOwn) {
  const parsed all = parse(to_svg(speedups(12), 1));
  const std::set<std::string> colours(all.paths.begin(), all.paths.end());
  EXPECT_EQ(colours.size(), 12U + 1) << "and the text's";
}

TEST(PlotSvg, NamesEachLineAtItsEndInTheOrderOfTheEnds) {
  plot many = speedups(20);  // Whose ends are all but one the same.
  many.curves[7].points.back().y = around(3.9);
  const std::string svg = to_svg(many, 1);
  expect_readable(svg);
  const parsed all = parse(svg);
  const double column = find(all, "scheduler 0").left;
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(find(all, "scheduler " + std::to_string(i)).left, column);
  }
  EXPECT_LT(find(all, "ideal").y, find(all, "scheduler 7").y);
  EXPECT_LT(find(all, "scheduler 7").y, find(all, "scheduler 0").y);
}

TEST(PlotSvg, HasARowForEachCurveUpToTwoWorkerCounts) {
  plot two = overheads();
  two.curves[2].points.push_back({2, around(20)});
  two.curves[1].points.push_back({2, around(0.6)});
  for (const plot& each : {overheads(), two}) {
    const std::string svg = to_svg(each, 1);
    expect_readable(svg);
    const parsed all = parse(svg);
    const bool has_two = each.curves[2].points.size() == 2;
    EXPECT_EQ(contains(svg, "workers: 2"), has_two) << "a key";
    EXPECT_EQ(find(all, "onetbb").y, find(all, has_two ? "20.0 ×" : "33.3 ×").y);
    EXPECT_EQ(find(all, "openmp").y, find(all, "DNF").y);
    EXPECT_LT(find(all, "onetbb").y, find(all, "work-stealing").y) << "the best is on top";
    EXPECT_LT(find(all, "work-stealing").y, find(all, "openmp").y) << "it did not finish";
  }
  two.is_less_better = true;
  const parsed all = parse(to_svg(two, 1));
  EXPECT_LT(find(all, "work-stealing").y, find(all, "onetbb").y);
  EXPECT_LT(find(all, "onetbb").y, find(all, "openmp").y);
}

TEST(PlotSvg, DrawsAnIntervalFromItsLowToItsHighEnd) {
  plot drawn{.title = "Speedup",
             .x = {.label = "workers"},
             .y = {.label = "speedup", .format = ratio},
             .curves = {{"wide", 0, {}}, {"low", 1, {}}, {"high", 2, {}}}};
  for (const bool are_lines : {false, true}) {
    for (const double workers : are_lines ? std::vector{2.0, 3.0} : std::vector{1.0}) {
      drawn.curves[0].points.push_back({workers, {2, {1, 3}}});
      drawn.curves[1].points.push_back({workers, {1, {1, 1}}});
      drawn.curves[2].points.push_back({workers, {3, {3, 3}}});
    }
    const std::string svg = to_svg(drawn, 1);
    const auto numbers_of = [&](std::size_t curve, const std::string& form) {
      std::smatch found;
      const std::regex path("<path d=\"M([0-9.]+) ([0-9.]+)" + form + "[^>]* stroke=\"" +
                            std::string(series_colours.at(curve)) + "\"");
      EXPECT_TRUE(std::regex_search(svg, found, path)) << svg;
      return found;
    };
    const std::size_t along = are_lines ? 2 : 1;  // Up, or across.
    const std::smatch bar = numbers_of(0, are_lines ? "V([0-9.]+)" : "H([0-9.]+)");
    EXPECT_EQ(bar.str(along), numbers_of(1, "m()").str(along)) << are_lines;
    EXPECT_EQ(bar.str(3), numbers_of(2, "m()").str(along)) << are_lines;
  }
}

TEST(PlotSvg, IsReadableWhateverIsShown) {
  for (const double least : {1e-9, 0.013, 0.7, 1.0}) {
    for (const double most : {1.0, 7.0, 64.0, 4.2e6}) {
      for (const bool is_logarithmic : {false, true}) {
        for (const std::size_t curves : {1U, 12U}) {
          plot lines = speedups(curves);
          lines.x.is_logarithmic = lines.y.is_logarithmic = is_logarithmic;
          lines.curves.front().points = {{1, around(least)}, {2, around(1)}, {64, around(most)}};
          expect_readable(to_svg(lines, 1));
          plot rows = lines;
          for (curve& each : rows.curves) each.points.resize(2);
          rows.references.push_back({"serial", {{1, 1}, {2, 1}}});
          expect_readable(to_svg(rows, 1));
          expect_readable(to_svg_file(rows));
        }
      }
    }
  }
}

TEST(PlotSvg, HasATickAtEachValueOfFewAndElseAtRoundOnes) {
  plot lines = speedups(1);
  const parsed few = parse(to_svg(lines, 1));
  EXPECT_LT(find(few, "2").right, find(few, "4").left);
  lines.x.is_logarithmic = true;
  lines.curves[0].points.clear();
  for (int i = 3; i < 40; ++i) lines.curves[0].points.push_back({i * 1e-6, around(1)});
  lines.references.clear();
  lines.x.unit = 1e-6;
  const std::string in_units = to_svg(lines, 1);
  expect_readable(in_units);
  const parsed many = parse(in_units);
  EXPECT_LT(find(many, "5").right, find(many, "10").left);
  lines.x.is_logarithmic = false;
  lines.curves[0].points.insert(lines.curves[0].points.begin(), {1e-9, around(1)});
  const std::string from_nought = to_svg(lines, 1);  // The axis begins a little below.
  EXPECT_TRUE(contains(from_nought, ">0<"));
  EXPECT_FALSE(contains(from_nought, ">-0<"));
}

TEST(PlotSvg, HasAScaleWhereNoRoundValueOfADecadeIs) {
  for (const double ideal : {3.0, 4.0, 8.0, 16.0, 64.0, 256.0}) {
    plot rows = overheads();
    rows.curves = {{"work-stealing", 0, {{ideal, around(0.95 * ideal)}}}};
    rows.curves[0].points[0].y.around = {0.94 * ideal, 0.96 * ideal};
    rows.references = {{"ideal", {{ideal, ideal}}}};
    const std::string svg = to_svg(rows, 1);
    expect_readable(svg);
    EXPECT_GE(std::ranges::count_if(parse(svg).texts,
                                    [](const drawn_text& each) {
                                      return each.words.find_first_not_of("0123456789.") ==
                                             std::string::npos;
                                    }),
              2)
        << svg;
  }
}

TEST(PlotSvg, DrawsALineThroughItsMedians) {
  const std::string svg = to_svg(speedups(1), 1);
  const auto points_in = [](const std::string& text, const std::string& letters) {
    std::set<std::string> points;
    const std::regex point(letters);
    for (std::sregex_iterator at(text.begin(), text.end(), point), end; at != end; ++at) {
      points.insert(at->str(1));
    }
    return points;
  };
  std::smatch line;
  const std::regex in_colour("<path d=\"([^\"]*L[^\"]*L[^\"]*)\"[^>]* stroke=\"" +
                             std::string(series_colours[0]) + "\"");
  ASSERT_TRUE(std::regex_search(svg, line, in_colour)) << svg;
  const auto through = points_in(line.str(1), "[ML]([0-9.]+ [0-9.]+)");
  EXPECT_EQ(through.size(), 3U);
  EXPECT_EQ(through, points_in(svg, "<path d=\"M([0-9.]+ [0-9.]+)m"));
}

TEST(PlotSvg, TakesTheWidthOfItsContainerAndNothingFromOutside) {
  const std::string svg = to_svg(speedups(2), 1);
  const std::string head = svg.substr(0, svg.find('>'));
  EXPECT_TRUE(contains(head, "viewBox=\"0 0 420 ")) << head;
  EXPECT_FALSE(contains(head, "width"));
  for (const char* const part : {"<script", "href", "url(", "https:"}) {
    EXPECT_FALSE(contains(svg, part)) << part;
  }
}

TEST(PlotSvg, SaysItsValuesInWords) {
  const std::string curves = to_svg(speedups(1), 3);
  EXPECT_TRUE(contains(curves, "role=\"img\" aria-labelledby=\"plot-3-title plot-3-values\""));
  EXPECT_TRUE(contains(curves, "<title id=\"plot-3-title\">Speedup of fib</title>"));
  EXPECT_TRUE(contains(curves, "scheduler 0: at 1 0.500 × (0.450 × to 0.550 ×); at 2 1.50 ×"));
  const std::string rows = to_svg(overheads(), 4);
  EXPECT_TRUE(contains(rows, "onetbb: at 1 33.3 × (30.0 × to 36.6 ×).")) << rows;
  EXPECT_TRUE(contains(rows, "openmp: DNF."));
}

TEST(PlotSvg, RefusesWhatItCannotShow) {
  plot on_no_axis = speedups(1);
  on_no_axis.curves[0].points[0].y = around(0);
  EXPECT_THROW((void)to_svg(on_no_axis, 1), std::invalid_argument);
  on_no_axis.y.is_logarithmic = false;
  EXPECT_NO_THROW((void)to_svg(on_no_axis, 1));
  on_no_axis.curves[0].points[0].y = around(std::numeric_limits<double>::infinity());
  EXPECT_THROW((void)to_svg(on_no_axis, 1), std::invalid_argument);
  EXPECT_THROW((void)to_svg(plot{}, 1), std::invalid_argument);
  plot without_points = overheads();
  for (curve& each : without_points.curves) each.points.clear();
  EXPECT_THROW((void)to_svg(without_points, 1), std::invalid_argument);
}

TEST(PlotSvg, ShowsANameThatIsFullOfMarkupAsItIs) {
  const std::string name = "<script>\x1b[2J\n|`'\"%{}\\@ =1";
  plot lines = speedups(1);
  plot rows = overheads();
  for (plot* const each : {&lines, &rows}) {
    each->title = each->x.label = each->y.label = each->curves[0].name = name;
    each->references[0].name = each->curves[0].instead = name;
  }
  for (const std::string& svg : {to_svg(lines, 1), to_svg(rows, 2), to_svg_file(rows)}) {
    EXPECT_FALSE(contains(svg, "<script")) << svg;
    EXPECT_FALSE(contains(svg, "\x1b"));
    EXPECT_NO_THROW((void)find(parse(svg), "<script> [2J |`'\"%{}\\@ =1")) << svg;
  }
}

TEST(PlotSvg, AsAFileShowsItsTitleAndFollowsTheScheme) {
  const std::string svg = to_svg_file(overheads());
  EXPECT_EQ(svg.find("<svg"), 0U);
  EXPECT_LT(find(parse(svg), "Overhead").y, find(parse(svg), "serial").y - 11);
  EXPECT_TRUE(contains(svg, "prefers-color-scheme:dark"));
}

}  // namespace
}  // namespace stealbench::report
