#include <algorithm>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "bench/compare/grain_report.hpp"
#include "bench/compare/metg_report.hpp"
#include "bench/compare/micro_table.hpp"
#include "bench/compare/names.hpp"
#include "bench/compare/report_sections.hpp"
#include "results/report/plot.hpp"
#include "workloads/parameters.hpp"

namespace stealbench::compare {
namespace {

using report::heading;
using report::paragraph;

void add_plots(page_blocks& to, const std::vector<report::curve_plot>& plots,
               std::string_view kind) {
  report::figure_group group;
  for (std::size_t i = 0; i < plots.size(); ++i) {
    const bool is_empty =
        std::all_of(plots[i].curves.begin(), plots[i].curves.end(),
                    [](const report::curve& each) { return each.points.empty(); });
    if (is_empty) continue;
    group.figures.push_back({to_svg(plots[i], fmt::format("{}-{}", kind, i)), plots[i].title});
  }
  if (!group.figures.empty()) to.push_back({std::move(group)});
}

void add_tables(page_blocks& to, std::vector<report::table> tables, std::string_view title) {
  for (report::table& each : tables) {
    if (each.title.empty()) each.title = title;
    to.push_back({std::move(each)});
  }
}

/// A paragraph for each line.
void add_lines(page_blocks& to, const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) to.push_back({paragraph{line}});
}

page_blocks grain_sections(const document& of) {
  page_blocks blocks{{heading{"Granularity"}}};
  for (const std::string& each : grain_verdicts(of.cells, of.context)) {
    blocks.push_back({paragraph{each}});
  }
  add_plots(blocks, grain_plots(of.cells, of.context), "grain");
  add_tables(blocks, grain_tables(of.cells, of.context), "Grains");
  add_lines(blocks, grain_guide());
  return blocks;
}

page_blocks metg_sections(const document& of) {
  page_blocks blocks{{heading{"Minimum effective task granularity"}}};
  add_tables(blocks, metg_tables(of.cells, of.context), "METG");
  add_plots(blocks, metg_plots(of.cells, of.context), "metg");
  add_lines(blocks, metg_guide());
  return blocks;
}

page_blocks micro_sections(const document& of) {
  const micro_axes axes{.schedulers = split_list(of.context.at("schedulers").get<std::string>()),
                        .figures = split_list(of.context.at("figures").get<std::string>())};
  page_blocks blocks{{heading{"Micro-figures"}},
                     {paragraph{"What one operation costs on each scheduler."}}};
  add_tables(blocks, {micro_table(of.cells, axes)}, "Time of one operation");
  add_lines(blocks, micro_guide(of.cells, axes));
  return blocks;
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
