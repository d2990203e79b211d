#include "results/analysis/strategies/ablation.hpp"

#include <algorithm>

namespace stealbench::analysis {
namespace {

direction direction_of(const estimate& ratio, double mean) {
  if (ratio.median >= least_effect && mean > 1) return direction::slower;
  if (ratio.median <= 1 / least_effect && mean < 1) return direction::faster;
  return direction::neither;
}

/// Of two cells with other costs: those of the variations of the dataset, and of others.
std::optional<interval> ratios_elsewhere(const estimates& known,
                                         std::span<const measurements* const> others,
                                         const dataset::cell& over, const dataset::cell& under) {
  std::optional<interval> found;
  const auto add = [&](const measurements& data, const std::string& varied) {
    const auto time_of = [&](dataset::cell which) -> std::optional<double> {
      which.varied = varied;
      const auto at = data.place_of(which);
      if (!at || !has_finished(data.cells()[*at])) return {};
      return median(values_of(data.cells()[*at], metric::seconds));
    };
    const auto above = time_of(over);
    const auto below = time_of(under);
    if (!above || !below) return;
    const double ratio = *above / *below;
    found = {found ? std::min(found->low, ratio) : ratio,
             found ? std::max(found->high, ratio) : ratio};
  };
  for (const std::string& each : known.variations()) add(known.data(), each);
  for (const measurements* const each : others) add(*each, {});
  return found;
}

/// With the verdicts that its ratios would have if all were certain, and of each ratio its p-value.
effect effect_of(const estimates& known, std::span<const measurements* const> machines,
                 const contrast& what, unsigned workers, std::vector<double>& p_values) {
  const auto cell_of = [&](std::size_t instance, const std::string& name) {
    const auto at = known.data().place_of({known.instances()[instance], name, workers});
    return at ? &known.cell(*at) : nullptr;
  };
  effect found{what, workers, {}, {}, {}, {}, {}};
  std::vector<const measured_cell*> variants;  // Those that have a ratio.
  std::vector<const measured_cell*> others;
  for (std::size_t instance = 0; instance < known.instances().size(); ++instance) {
    const measured_cell* const variant = cell_of(instance, what.variant);
    const measured_cell* const other = cell_of(instance, what.against);
    found.failed.push_back(variant != nullptr && !has_finished(*variant));
    found.ratios.push_back(paired_ratio(variant, other));
    found.verdicts.push_back(direction::neither);
    found.elsewhere.emplace_back();
    if (!found.ratios.back()) continue;
    found.elsewhere.back() = ratios_elsewhere(known, machines, variant->which, other->which);
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
  const json about = data.header().value("about", json());
  if (about.is_null()) return all;
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

bool is_contradicted(const effect& on, std::size_t instance) {
  const auto& elsewhere = on.elsewhere[instance];
  if (!elsewhere) return false;
  return (on.verdicts[instance] == direction::slower && elsewhere->low < least_effect) ||
         (on.verdicts[instance] == direction::faster && elsewhere->high > 1 / least_effect);
}

std::vector<effect> effects_of(const estimates& known,
                               std::span<const measurements* const> others) {
  std::vector<effect> effects;
  std::vector<double> p_values;
  for (const unsigned workers : known.worker_counts()) {
    for (const contrast& each : contrasts_of(known.data())) {
      effects.push_back(effect_of(known, others, each, workers, p_values));
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
