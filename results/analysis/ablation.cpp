#include "results/analysis/ablation.hpp"

#include <algorithm>
#include <utility>

namespace stealbench::analysis {
namespace {

using dataset::json;

/// A verdict that may be drawn: the places of an effect and of an instance.
struct comparison {
  std::size_t effect;
  std::size_t instance;
};

using cell_rows = std::pair<std::vector<double>, std::vector<double>>;

direction direction_of(const estimate& ratio, const cell_rows& times) {
  const double mean = geometric_mean(times.first) / geometric_mean(times.second);
  if (ratio.median >= least_effect && mean > 1) return direction::slower;
  if (ratio.median <= 1 / least_effect && mean < 1) return direction::faster;
  return direction::neither;
}

/// Of the contrasts on all instances, as they come.
class contrast_judge {
 public:
  explicit contrast_judge(const estimates& known) : known_(known) {}

  [[nodiscard]] std::vector<effect> made() {
    for (const unsigned workers : known_.worker_counts()) {
      for (const contrast& each : contrasts_of(known_.data())) add(each, workers);
    }
    if (!known_.have_intervals()) return std::move(effects_);
    const std::vector<bool> differs = rejected_mostly_right(p_values_);
    for (std::size_t i = 0; i < differs.size(); ++i) {
      const auto [at, instance] = comparisons_[i];
      if (!differs[i]) continue;
      effects_[at].verdicts[instance] = direction_of(*effects_[at].ratios[instance], times_[i]);
    }
    return std::move(effects_);
  }

 private:
  void add(const contrast& what, unsigned workers) {
    const auto& schedulers = known_.schedulers();
    const auto place_of = [&](const std::string& name) {
      return static_cast<std::size_t>(std::ranges::find(schedulers, name) - schedulers.begin());
    };
    effect made{what, workers, {}, {}, {}, {}};
    std::vector<cell_pair> pairs;
    for (std::size_t instance = 0; instance < known_.instances().size(); ++instance) {
      const auto variant = known_.cell_at(instance, place_of(what.variant), workers);
      const auto against = known_.cell_at(instance, place_of(what.against), workers);
      made.failed.push_back(variant && !has_finished(known_.cell(*variant)));
      made.verdicts.push_back(direction::neither);
      made.ratios.push_back(variant && against
                                ? paired_ratio(&known_.cell(*variant), &known_.cell(*against))
                                : std::nullopt);
      if (!made.ratios.back()) continue;
      pairs.push_back({&known_.cell(*variant), &known_.cell(*against)});
      comparisons_.push_back({effects_.size(), instance});
      times_.emplace_back(values_of(*pairs.back().over, dataset::metric::seconds),
                          values_of(*pairs.back().under, dataset::metric::seconds));
      p_values_.push_back(difference_p_value(times_.back().first, times_.back().second));
    }
    made.mean = mean_ratio(pairs);
    effects_.push_back(std::move(made));
  }

  const estimates& known_;
  std::vector<effect> effects_;
  std::vector<comparison> comparisons_;
  std::vector<cell_rows> times_;
  std::vector<double> p_values_;
};

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

std::size_t count_of(direction which, const effect& on) {
  return static_cast<std::size_t>(std::ranges::count(on.verdicts, which));
}

std::vector<effect> effects_of(const estimates& known) { return contrast_judge(known).made(); }

}  // namespace stealbench::analysis
