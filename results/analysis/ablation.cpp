#include "results/analysis/ablation.hpp"

#include <algorithm>

namespace stealbench::analysis {
namespace {

direction direction_of(const estimate& ratio, double mean) {
  if (ratio.median >= least_effect && mean > 1) return direction::slower;
  if (ratio.median <= 1 / least_effect && mean < 1) return direction::faster;
  return direction::neither;
}

/// With the verdicts that its ratios would have if all were certain, and of each ratio its p-value.
effect effect_of(const estimates& known, const contrast& what, unsigned workers,
                 std::vector<double>& p_values) {
  const auto cell_of = [&](std::size_t instance, const std::string& name) {
    const auto at = known.data().place_of({known.instances()[instance], name, workers});
    return at ? &known.cell(*at) : nullptr;
  };
  effect found{what, workers, {}, {}, {}, {}};
  std::vector<const measured_cell*> variants;  // Those that have a ratio.
  std::vector<const measured_cell*> others;
  for (std::size_t instance = 0; instance < known.instances().size(); ++instance) {
    const measured_cell* const variant = cell_of(instance, what.variant);
    const measured_cell* const other = cell_of(instance, what.against);
    found.failed.push_back(variant != nullptr && !has_finished(*variant));
    found.ratios.push_back(paired_ratio(variant, other));
    found.verdicts.push_back(direction::neither);
    if (!found.ratios.back()) continue;
    variants.push_back(variant);
    others.push_back(other);
    const std::vector<double> over = values_of(*variant, metric::seconds);
    const std::vector<double> under = values_of(*other, metric::seconds);
    p_values.push_back(difference_p_value(over, under));
    found.verdicts.back() =
        direction_of(*found.ratios.back(), geometric_mean(over) / geometric_mean(under));
  }
  found.mean = mean_ratio(variants, others);
  return found;
}

}  // namespace

std::vector<contrast> contrasts_of(const measurements& data) {
  std::vector<contrast> all;
  const json about = data.header().value("about", json::object());
  for (const json& each : about.value("ablation", json::array())) {
    all.push_back({each.at("factor"), each.at("variant"), each.at("against")});
  }
  return all;
}

json json_of(const std::vector<contrast>& all) {
  json entries = json::array();
  for (const contrast& each : all) {
    entries.push_back(
        {{"factor", each.factor}, {"variant", each.variant}, {"against", each.against}});
  }
  return entries;
}

std::size_t count_of(direction which, const effect& on) {
  return static_cast<std::size_t>(std::ranges::count(on.verdicts, which));
}

std::vector<effect> effects_of(const estimates& known) {
  std::vector<effect> effects;
  std::vector<double> p_values;
  for (const unsigned workers : known.worker_counts()) {
    for (const contrast& each : contrasts_of(known.data())) {
      effects.push_back(effect_of(known, each, workers, p_values));
    }
  }
  const std::vector<bool> differs = rejected_mostly_right(p_values);
  std::size_t comparison = 0;
  for (effect& each : effects) {
    for (std::size_t i = 0; i < each.ratios.size(); ++i) {
      const bool is_certain = each.ratios[i] && differs[comparison++] && known.have_intervals();
      if (!is_certain) each.verdicts[i] = direction::neither;
    }
  }
  return effects;
}

}  // namespace stealbench::analysis
