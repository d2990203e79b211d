#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "bench/compare/grain_report.hpp"
#include "bench/compare/metg_report.hpp"
#include "bench/compare/names.hpp"
#include "bench/compare/report_sections.hpp"
#include "results/format.hpp"
#include "results/plot.hpp"
#include "workloads/parameters.hpp"

namespace stealbench::compare {
namespace {

using results::heading;
using results::paragraph;

void add_plots(page_blocks& to, const std::vector<results::curve_plot>& plots,
               std::string_view kind) {
  results::figure_group group;
  for (std::size_t i = 0; i < plots.size(); ++i) {
    const bool is_empty =
        std::all_of(plots[i].curves.begin(), plots[i].curves.end(),
                    [](const results::curve& each) { return each.points.empty(); });
    if (is_empty) continue;
    group.figures.push_back({to_svg(plots[i], fmt::format("{}-{}", kind, i)), plots[i].title});
  }
  if (!group.figures.empty()) to.push_back({std::move(group)});
}

void add_tables(page_blocks& to, std::vector<results::table> tables, std::string_view title) {
  for (results::table& each : tables) {
    if (each.title.empty()) each.title = title;
    to.push_back({std::move(each)});
  }
}

page_blocks grain_sections(const document& of) {
  page_blocks blocks{{heading{"Granularity"}}};
  for (const std::string& each : grain_verdicts(of.cells, of.context)) {
    blocks.push_back({paragraph{each}});
  }
  add_plots(blocks, grain_plots(of.cells, of.context), "grain");
  add_tables(blocks, grain_tables(of.cells, of.context), "Grains");
  blocks.push_back({paragraph{grain_guide()}});
  return blocks;
}

page_blocks metg_sections(const document& of) {
  page_blocks blocks{{heading{"Minimum effective task granularity"}}};
  add_tables(blocks, metg_tables(of.cells, of.context), "METG");
  add_plots(blocks, metg_plots(of.cells, of.context), "metg");
  blocks.push_back({paragraph{metg_guide()}});
  return blocks;
}

/// A row for each scheduler, a column for each figure; a dash where a scheduler cannot have it.
page_blocks micro_sections(const document& of) {
  std::vector<std::string> schedulers;
  std::vector<std::string> figures;
  for (const cell_result& each : of.cells) {
    schedulers.push_back(each.which.scheduler);
    figures.push_back(each.which.what.workload);
  }
  schedulers = without_repetitions(schedulers);
  figures = without_repetitions(figures);
  results::table table{"Time of one operation", {{"scheduler", results::alignment::left}}, {}};
  for (const std::string& each : figures) table.columns.push_back({each});
  for (const std::string& each : schedulers) {
    table.rows.push_back({each});
    table.rows.back().resize(table.columns.size(), std::string(results::missing));
  }
  const auto place_in = [](const std::vector<std::string>& all, const std::string& one) {
    return static_cast<std::size_t>(std::find(all.begin(), all.end(), one) - all.begin());
  };
  for (const cell_result& each : of.cells) {
    const std::size_t row = place_in(schedulers, each.which.scheduler);
    const std::size_t column = place_in(figures, each.which.what.workload) + 1;
    if (has_finished(each)) {
      table.rows[row][column] = results::seconds_with_interval(
          results::estimate_median(values_of(each, &sample::seconds)));
    } else {
      table.rows[row][column] = "DNF: " + each.failure;
      table.marks.push_back({row, column, results::emphasis::failed});
    }
  }
  return {{heading{"Micro-figures"}},
          {paragraph{"What one operation costs on each scheduler; bench/README.md says how each is "
                     "made. A dash: the scheduler cannot have it."}},
          {std::move(table)}};
}

}  // namespace

page_blocks sections_of(const document& of) {
  const std::string kind = of.context.at("kind").get<std::string>();
  try {
    if (kind == "grain") return grain_sections(of);
    if (kind == "metg") return metg_sections(of);
    return micro_sections(of);
  } catch (const nlohmann::json::exception& error) {
    throw workloads::bad_input(fmt::format("'{}': {}; valid: a file as `stealbench {}` writes it",
                                           of.file.string(), error.what(), kind));
  }
}

}  // namespace stealbench::compare
