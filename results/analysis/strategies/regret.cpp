#include "results/analysis/strategies/regret.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "results/analysis/strategies/ablation.hpp"

namespace stealbench::analysis {
namespace {

using cell_text = std::string (*)(const dataset::cell&);

std::string scheduler_of(const dataset::cell& which) { return which.scheduler; }
std::string instance_of(const dataset::cell& which) { return label_of(which.what); }

std::set<std::string> texts_of(const measurements& data, cell_text text_of) {
  std::set<std::string> texts;
  for (const measured_cell& each : data.cells()) texts.insert(text_of(each.which));
  return texts;
}

std::set<std::string> common_texts(const std::vector<measurements>& all, cell_text text_of) {
  std::set<std::string> common = texts_of(all.front(), text_of);
  for (const measurements& each : all) {
    const std::set<std::string> own = texts_of(each, text_of);
    std::erase_if(common, [&](const std::string& text) { return !own.contains(text); });
  }
  return common;
}

}  // namespace

std::vector<family> families_of(const estimates& known) {
  std::vector<family> families(1);
  for (std::size_t i = 0; i < known.instances().size(); ++i) {
    families.front().instances.push_back(i);
    const std::string name = known.data().family_of(known.instances()[i].workload);
    if (name.empty()) continue;
    auto own = std::ranges::find(families, name, &family::name);
    if (own == families.end()) own = families.insert(own, {name, {}});
    own->instances.push_back(i);
  }
  return families;
}

std::size_t strategies_with(const measurements& data, unsigned workers) {
  std::set<std::string> names;
  for (const measured_cell& each : data.cells()) {
    if (each.which.workers == workers) names.insert(each.which.scheduler);
  }
  return names.size();
}

bool has_regret(const measurements& data) {
  const bool is_comparison = data.experiment() == "compare" || data.experiment() == "simulate";
  std::map<unsigned, std::set<std::string>> names;  // By the number of workers.
  for (const measured_cell& each : data.cells()) {
    names[each.which.workers].insert(each.which.scheduler);
  }
  return is_comparison && std::ranges::any_of(names, [](const auto& each) {
           return each.second.size() >= fewest_strategies;
         });
}

std::string base_of(const measurements& data) {
  std::map<std::string, std::size_t> counts;
  for (const contrast& each : contrasts_of(data)) ++counts[each.against];
  const auto most =
      std::ranges::max_element(counts, {}, [](const auto& each) { return each.second; });
  return most == counts.end() ? "" : most->first;
}

std::vector<unsigned> reported_workers(const estimates& known) {
  std::vector<unsigned> reported = known.worker_counts();
  if (known.data().is_simulated()) {
    reported = known.data().header().at("about").at("workers").get<std::vector<unsigned>>();
    std::ranges::sort(reported);
  }
  std::erase_if(reported, [&](unsigned workers) {
    return strategies_with(known.data(), workers) < fewest_strategies;
  });
  return reported;
}

std::vector<measurements> comparable(std::span<const measurements> all) {
  std::vector<measurements> kept;
  std::ranges::copy_if(all, std::back_inserter(kept), has_regret);
  while (!kept.empty()) {
    const std::set<std::string> schedulers = common_texts(kept, scheduler_of);
    const std::set<std::string> instances = common_texts(kept, instance_of);
    if (schedulers.size() < fewest_strategies || instances.empty()) return {};
    const bool are_alike = std::ranges::all_of(kept, [&](const measurements& each) {
      return texts_of(each, scheduler_of) == schedulers && texts_of(each, instance_of) == instances;
    });
    if (are_alike) break;
    // It may take a scheduler away that a dataset has on other instances alone, so look once more.
    for (measurements& each : kept) {
      each = each.restricted_to([&](const dataset::cell& which) {
        return schedulers.contains(which.scheduler) && instances.contains(label_of(which.what));
      });
    }
  }
  return kept;
}

json regret_in_json(const estimates& known, const std::string& scheduler) {
  json all = json::array();
  const auto at = std::ranges::find(known.schedulers(), scheduler) - known.schedulers().begin();
  const std::vector<std::size_t> instances = families_of(known).front().instances;
  for (const unsigned workers : reported_workers(known)) {
    const overall_standing own =
        known.over(instances, workers).standings[static_cast<std::size_t>(at)];
    if (!own.mean_slowdown) continue;
    json& added = all.emplace_back(json{{"workers", workers},
                                        {"mean", *own.mean_slowdown},
                                        {"low", own.around.low},
                                        {"high", own.around.high},
                                        {"leads", own.leads},
                                        {"worst", nullptr},
                                        {"worst_on", nullptr}});
    if (!own.worst) continue;
    added["worst"] = known.standing_of(*own.worst).slowdown->median;
    added["worst_on"] = label_of(known.cell(*own.worst).which.what);
  }
  return all;
}

}  // namespace stealbench::analysis
