// For tests that look for something in sections.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "results/dataset/fixture.hpp"
#include "results/report/document.hpp"
#include "results/report/plot.hpp"
#include "results/sections/sections.hpp"

namespace stealbench::sections {

using dataset::contains;
using dataset::data_of;
using dataset::edit_cell;
using dataset::fib_on;
using dataset::json;
using dataset::lines_of;
using dataset::made_comparison;
using dataset::measured;
using dataset::raw_lines;
using dataset::read_lines;
using dataset::six;
using dataset::slow_down;
using row = std::vector<std::string>;

[[nodiscard]] inline const section& section_in(const std::vector<section>& all,
                                               std::string_view title) {
  for (const section& each : all) {
    if (each.title == title) return each;
  }
  throw std::out_of_range(fmt::format("no section {}", title));
}

/// The first table whose title begins so.
[[nodiscard]] inline const report::table& table_in(const std::vector<section>& all,
                                                   std::string_view title) {
  for (const section& each : all) {
    for (const report::block& block : each.blocks) {
      const auto* const table = std::get_if<report::table>(&block);
      if (table != nullptr && table->title.starts_with(title)) return *table;
    }
  }
  throw std::out_of_range(fmt::format("no table {}", title));
}

[[nodiscard]] inline std::vector<report::plot> plots_in(const section& what) {
  std::vector<report::plot> plots;
  for (const report::block& block : what.blocks) {
    const auto* const group = std::get_if<report::plot_group>(&block);
    if (group != nullptr) plots.insert(plots.end(), group->plots.begin(), group->plots.end());
  }
  return plots;
}

/// In a line, `one | other`.
[[nodiscard]] inline std::string headers_of(const report::table& what) {
  std::vector<std::string> headers;
  for (const report::column& each : what.columns) headers.push_back(each.header);
  return fmt::format("{}", fmt::join(headers, " | "));
}

/// Title, headers and rows, a line each; what is marked as the best is `*so*`, what failed `!so!`.
[[nodiscard]] inline std::string shown(report::table what) {
  for (const report::mark& each : what.marks) {
    std::string& cell = what.rows.at(each.row).at(each.column);
    const char sign = each.what == report::emphasis::best ? '*' : '!';
    cell = fmt::format("{0}{1}{0}", sign, cell);
  }
  std::string text = what.title + "\n" + headers_of(what);
  for (const auto& cells : what.rows) text += fmt::format("\n{}", fmt::join(cells, " | "));
  return text;
}

/// Of each plot its caption, its title, and its labels and values in words.
[[nodiscard]] inline std::string plots_shown(const section& what) {
  std::string text;
  for (const report::plot& each : plots_in(what)) {
    text += fmt::format("{}\n{}: {}\n", each.caption, each.title, in_words(each));
  }
  return text;
}

/// Everything but its plots.
[[nodiscard]] inline std::string text_of(const section& what) {
  return to_markdown(report::document{"", {what}});
}

}  // namespace stealbench::sections
