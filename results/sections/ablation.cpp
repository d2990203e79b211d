#include <algorithm>

#include <fmt/format.h>

#include "results/report/format.hpp"
#include "results/sections/parts.hpp"

namespace stealbench::sections {
namespace {

using dataset::json;
using report::alignment;

/// The ratio of the times of two strategies on an instance, or why there is none.
std::string ratio_text(const estimates& known, std::size_t instance, unsigned workers,
                       const json& contrast) {
  const auto cell_of = [&](const std::string& scheduler) {
    const auto& all = known.schedulers();
    const auto index = static_cast<std::size_t>(std::ranges::find(all, scheduler) - all.begin());
    return known.cell_at(instance, index, workers);
  };
  const auto at = cell_of(contrast.at("variant"));
  const auto standard = cell_of(contrast.at("against"));
  if (at && !has_finished(known.cell(*at))) return "DNF";
  return report::ratio_with_interval(
      at && standard ? analysis::paired_ratio(&known.cell(*at), &known.cell(*standard))
                     : std::nullopt);
}

/// Empty if it is no ablation. A raw file of an older version names the scheduler alone whose
/// settings were changed.
json contrasts_of(const estimates& known) {
  const json about = known.data().header().value("about", json::object());
  if (!about.contains("ablation_of")) return about.value("ablation", json::array());
  json made = json::array();
  const std::string subject = about.at("ablation_of");
  for (const std::string& each : known.schedulers()) {
    if (!each.starts_with(subject + ":")) continue;
    made.push_back(
        {{"factor", each.substr(0, each.find('='))}, {"variant", each}, {"against", subject}});
  }
  return made;
}

}  // namespace

std::vector<report::section> ablation_sections(const estimates& known) {
  const json contrasts = contrasts_of(known);
  if (contrasts.empty()) return {};
  report::section made{
      "Ablation",
      report::prominence::summary,
      {report::paragraph{"The time of a variant over that of what it differs from in one factor: a "
                         "scheduler, or one setting."}}};
  for (const unsigned workers : known.worker_counts()) {
    report::table table{
        with_interval_kind(
            fmt::format("ablation, {}: median time ÷ that of what it is compared with",
                        workers_in_words(workers)),
            known.have_intervals()),
        {{"factor", alignment::left},
         {"variant", alignment::left},
         {"compared with", alignment::left}},
        {}};
    for (const dataset::instance& what : known.instances()) {
      table.columns.push_back({label_of(what)});
    }
    for (const json& each : contrasts) {
      std::vector<std::string> row{each.at("factor"), each.at("variant"), each.at("against")};
      for (std::size_t i = 0; i < known.instances().size(); ++i) {
        row.push_back(ratio_text(known, i, workers, each));
      }
      table.rows.push_back(std::move(row));
    }
    made.blocks.emplace_back(std::move(table));
  }
  return {std::move(made)};
}

}  // namespace stealbench::sections
