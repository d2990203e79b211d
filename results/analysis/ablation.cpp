#include "results/analysis/ablation.hpp"

#include <algorithm>

namespace stealbench::analysis {
namespace {

using dataset::json;

effect effect_of(const contrast& what, unsigned workers, const estimates& known) {
  const auto& schedulers = known.schedulers();
  const auto place_of = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(schedulers, name) - schedulers.begin());
  };
  effect made{what, workers, {}, {}, {}};
  std::vector<cell_pair> pairs;
  for (std::size_t instance = 0; instance < known.instances().size(); ++instance) {
    const auto variant = known.cell_at(instance, place_of(what.variant), workers);
    const auto against = known.cell_at(instance, place_of(what.against), workers);
    made.failed.push_back(variant && !has_finished(known.cell(*variant)));
    made.ratios.push_back(variant && against
                              ? paired_ratio(&known.cell(*variant), &known.cell(*against))
                              : std::nullopt);
    if (made.ratios.back()) pairs.push_back({&known.cell(*variant), &known.cell(*against)});
  }
  made.mean = mean_ratio(pairs);
  return made;
}

}  // namespace

std::vector<contrast> contrasts_of(const dataset::measurements& data) {
  std::vector<contrast> all;
  const json about = data.header().value("about", json::object());
  for (const json& each : about.value("ablation", json::array())) {
    all.push_back({each.at("factor"), each.at("variant"), each.at("against")});
  }
  return all;
}

json json_of(const std::vector<contrast>& all) {
  json made = json::array();
  for (const contrast& each : all) {
    made.push_back({{"factor", each.factor}, {"variant", each.variant}, {"against", each.against}});
  }
  return made;
}

direction direction_of(const estimate& ratio) {
  if (ratio.around.low > 1 && ratio.median >= least_effect) return direction::slower;
  if (ratio.around.high < 1 && ratio.median <= 1 / least_effect) return direction::faster;
  return direction::neither;
}

std::size_t count_of(direction which, const effect& on) {
  return static_cast<std::size_t>(std::ranges::count_if(
      on.ratios, [=](const auto& each) { return each && direction_of(*each) == which; }));
}

std::vector<effect> effects_of(const estimates& known, unsigned workers) {
  std::vector<effect> all;
  for (const contrast& each : contrasts_of(known.data())) {
    all.push_back(effect_of(each, workers, known));
  }
  return all;
}

}  // namespace stealbench::analysis
