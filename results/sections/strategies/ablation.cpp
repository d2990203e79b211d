// Of one dataset: every contrast on every workload instance.
#include "results/analysis/strategies/ablation.hpp"

#include "results/sections/parts.hpp"

namespace stealbench::sections {
namespace {

using analysis::effect;

report::table table_of(const estimates& known, const std::vector<effect>& effects,
                       unsigned workers) {
  report::table table{
      with_interval_kind(fmt::format("ablation, {}: median time ÷ that of what it is compared with",
                                     workers_in_words(known.data(), workers)),
                         known.have_intervals()),
      {{"variant", alignment::left},
       {"compared with", alignment::left},
       {"factor", alignment::left}}};
  for (const dataset::instance& each : known.instances()) table.columns.push_back({label_of(each)});
  for (const effect& each : effects) {
    if (each.workers != workers) continue;
    std::vector<std::string> row{each.what.variant, each.what.against, each.what.factor};
    for (std::size_t i = 0; i < each.ratios.size(); ++i) {
      row.push_back(each.failed[i] ? "DNF" : report::ratio_with_interval(each.ratios[i]));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

std::vector<section> ablation_sections(const estimates& known) {
  if (analysis::contrasts_of(known.data()).empty()) return {};
  section section = guide("Ablation by workload");
  const std::vector<effect> effects = analysis::effects_of(known);
  for (const unsigned workers : known.worker_counts()) {
    section.blocks.emplace_back(table_of(known, effects, workers));
  }
  return {std::move(section)};
}

}  // namespace stealbench::sections
