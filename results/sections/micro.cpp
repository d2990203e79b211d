#include <algorithm>

#include <fmt/format.h>

#include "results/report/format.hpp"
#include "results/sections/parts.hpp"
#include "results/sections/sections.hpp"

namespace stealbench::sections {
namespace {

using dataset::json;
using dataset::measured_cell;
using dataset::metric;
using report::alignment;
using report::missing;
using report::prominence;

/// The figure's own unit: seconds of one operation, or bytes.
std::string text_of(const estimates& known, std::size_t at, bool is_bytes) {
  if (!has_finished(known.cell(at))) return "DNF";
  if (!is_bytes) return report::seconds_with_interval(known.of(metric::seconds, at));
  return report::bytes(median_of(known.of(metric::bytes_per_worker, at)));
}

/// The cell of a figure on a scheduler; each figure has one worker count.
std::optional<std::size_t> find(const estimates& known, const std::string& figure,
                                const std::string& scheduler) {
  const std::vector<measured_cell>& cells = known.data().cells();
  const auto found = std::ranges::find_if(cells, [&](const measured_cell& each) {
    return each.which.what.workload == figure && each.which.scheduler == scheduler;
  });
  if (found == cells.end()) return {};
  return static_cast<std::size_t>(found - cells.begin());
}

}  // namespace

std::vector<section> micro_sections(const measurements& data) {
  const estimates known(data);
  const json& about = data.header().at("about");
  report::table table{with_interval_kind("Cost of one operation, median", known.have_intervals()),
                      {{"scheduler", alignment::left}},
                      {}};
  report::definition_list meanings;
  for (const json& each : about.at("figures")) {
    const std::string name = each.at("name");
    table.columns.push_back({name});
    meanings.definitions.push_back(
        {fmt::format("{} ({})", name, workers_in_words(each.at("workers").get<unsigned>())),
         fmt::format("{}. Raw cost, without a scheduler: {}.",
                     each.at("meaning").get<std::string>(), each.at("raw").get<std::string>())});
  }
  for (std::size_t i = 0; i < known.schedulers().size(); ++i) {
    std::vector<std::string> row{known.schedulers()[i]};
    for (const json& each : about.at("figures")) {
      const auto at = find(known, each.at("name"), row.front());
      if (at && !known.cell(*at).failure.empty()) {
        table.marks.push_back({i, row.size(), report::emphasis::failed});
      }
      row.push_back(at ? text_of(known, *at, each.at("unit") == "bytes") : std::string(missing));
    }
    table.rows.push_back(std::move(row));
  }
  section costs{"Costs of single operations", prominence::summary, {std::move(table)}};
  section guide{"What the costs mean", prominence::tables, {std::move(meanings)}};
  for (const json& each : about.at("gaps")) {
    guide.blocks.emplace_back(report::paragraph{fmt::format(
        "{} {} of {}: not applicable, {}.", missing, each.at("figure").get<std::string>(),
        each.at("scheduler").get<std::string>(), each.at("reason").get<std::string>())});
  }
  for (const measured_cell& each : data.cells()) {
    if (each.failure.empty()) continue;
    guide.blocks.emplace_back(report::paragraph{fmt::format(
        "DNF {} of {}: {}", each.which.what.workload, each.which.scheduler, each.failure)});
  }
  return {std::move(costs), std::move(guide)};
}

}  // namespace stealbench::sections
