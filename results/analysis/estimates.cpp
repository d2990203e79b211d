#include "results/analysis/estimates.hpp"

#include <algorithm>
#include <set>
#include <span>

namespace stealbench::analysis {
namespace {

using dataset::measured_cell;
using dataset::metric;

/// All rounds have the same tasks and workers.
std::optional<estimate> per_fork(const estimate& seconds, const dataset::sample& any) {
  const double forks = any[metric::fork_count].value();
  if (forks <= 0) return {};
  return seconds * (any[metric::worker_count].value() / forks);
}

std::size_t index_in(const auto& all, const auto& one) {
  return static_cast<std::size_t>(std::find(all.begin(), all.end(), one) - all.begin());
}

}  // namespace

std::size_t common_rounds(const std::vector<const measured_cell*>& cells) {
  const auto rounds_of = [](const measured_cell* each) { return each->samples.size(); };
  return cells.empty() ? 0 : rounds_of(*std::ranges::min_element(cells, {}, rounds_of));
}

std::optional<estimate> paired_ratio(const measured_cell* over, const measured_cell* under) {
  if (over == nullptr || under == nullptr || !has_finished(*over) || !has_finished(*under)) {
    return {};
  }
  const std::vector<double> above = values_of(*over, metric::seconds);
  const std::vector<double> below = values_of(*under, metric::seconds);
  const std::size_t rounds = std::min(above.size(), below.size());
  return estimate_ratio(std::span(above).first(rounds), std::span(below).first(rounds));
}

std::optional<estimate> mean_ratio(const std::vector<cell_pair>& pairs) {
  std::vector<const measured_cell*> cells;
  for (const cell_pair& each : pairs) cells.insert(cells.end(), {each.over, each.under});
  const std::size_t rounds = common_rounds(cells);
  if (rounds == 0) return {};
  std::vector<double> means;
  means.reserve(rounds);
  for (std::size_t round = 0; round < rounds; ++round) {
    std::vector<double> ratios;
    for (const cell_pair& each : pairs) {
      ratios.push_back(*each.over->samples[round][metric::seconds] /
                       *each.under->samples[round][metric::seconds]);
    }
    means.push_back(geometric_mean(ratios));
  }
  return estimate_median(means);
}

estimates::estimates(const dataset::measurements& data)
    : data_(data), standings_(data.cells().size()) {
  index_cells();
  for (std::size_t i = 0; i < instances_.size(); ++i) compare_instance(i);
  for (const unsigned workers : workers_) rank_cells(workers);
  find_leader();
}

void estimates::index_cells() {
  std::set<unsigned> counts;
  for (const measured_cell& each : data_.cells()) {
    instances_.push_back(each.which.what);
    schedulers_.push_back(each.which.scheduler);
    counts.insert(each.which.workers);
  }
  instances_ = dataset::distinct(instances_);
  schedulers_ = dataset::distinct(schedulers_);
  workers_.assign(counts.begin(), counts.end());
  for (std::size_t i = 0; i < data_.cells().size(); ++i) {
    const dataset::cell& which = cell(i).which;
    if (!which.varied.empty()) continue;
    places_.emplace(std::tuple(index_in(instances_, which.what),
                               index_in(schedulers_, which.scheduler), which.workers),
                    i);
  }
}

std::optional<std::size_t> estimates::cell_at(std::size_t instance, std::size_t scheduler,
                                              unsigned workers) const {
  const auto found = places_.find(std::tuple(instance, scheduler, workers));
  if (found == places_.end()) return {};
  return found->second;
}

std::vector<std::size_t> estimates::cells_of(std::size_t instance, unsigned workers) const {
  std::vector<std::size_t> cells;
  for (std::size_t i = 0; i < schedulers_.size(); ++i) {
    if (const auto at = cell_at(instance, i, workers)) cells.push_back(*at);
  }
  return cells;
}

std::optional<estimate> estimates::of(metric which, std::size_t index) const {
  if (!has_finished(cell(index))) return {};
  const std::vector<double> values = values_of(cell(index), which);
  if (values.empty()) return {};
  return estimate_median(values);
}

bool estimates::have_rounds(std::size_t least) const {
  return std::ranges::all_of(data_.cells(), [=](const measured_cell& each) {
    return !has_finished(each) || each.samples.size() >= least;
  });
}

std::size_t estimates::fewest_rounds() const {
  std::optional<std::size_t> fewest;
  for (const measured_cell& each : data_.cells()) {
    if (has_finished(each))
      fewest = std::min(fewest.value_or(each.samples.size()), each.samples.size());
  }
  return fewest.value_or(0);
}

double estimates::seconds_until_evidence() const {
  double samples = 0;
  double missing = 0;
  for (const measured_cell& each : data_.cells()) {
    samples += static_cast<double>(each.samples.size());
    if (!has_finished(each) || each.samples.size() >= fewest_for_interval) continue;
    missing += static_cast<double>(fewest_for_interval - each.samples.size());
  }
  return data_.spent_seconds() * missing / samples;
}

void estimates::compare_instance(std::size_t instance) {
  // Of each scheduler the cell with the fewest workers that it finished with.
  std::map<std::string, const measured_cell*> smallest;
  for (const unsigned workers : workers_) {
    for (const std::size_t at : cells_of(instance, workers)) {
      if (has_finished(cell(at))) smallest.emplace(cell(at).which.scheduler, &cell(at));
    }
  }
  const std::string name = data_.header().at("baseline").get<std::string>();
  const auto found = smallest.find(name);
  const measured_cell* const baseline = found == smallest.end() ? nullptr : found->second;
  for (const unsigned workers : workers_) {
    for (const std::size_t at : cells_of(instance, workers)) {
      const measured_cell& each = cell(at);
      if (!has_finished(each)) continue;
      standing& made = standings_[at];
      made.seconds = estimate_median(values_of(each, metric::seconds));
      made.per_fork = per_fork(*made.seconds, each.samples.front());
      const measured_cell* const fewest = smallest.at(each.which.scheduler);
      const measured_cell* const alone = fewest->which.workers == 1 ? fewest : nullptr;
      made.speedup = paired_ratio(name == own_baseline ? alone : baseline, &each);
      made.overhead = paired_ratio(alone, baseline);
    }
  }
}

void estimates::rank_cells(unsigned workers) {
  std::vector<std::vector<std::size_t>> cells;  // That have finished, by instance.
  std::vector<separation::table> times;
  for (std::size_t instance = 0; instance < instances_.size(); ++instance) {
    cells.push_back(cells_of(instance, workers));
    std::erase_if(cells.back(), [&](std::size_t at) { return !has_finished(cell(at)); });
    separation::table& added = times.emplace_back();
    for (const std::size_t at : cells.back()) added.push_back(values_of(cell(at), metric::seconds));
  }
  const separation known(std::move(times));
  for (std::size_t instance = 0; instance < instances_.size(); ++instance) {
    const std::vector<std::size_t>& places = cells[instance];
    if (places.empty()) continue;
    const auto least = std::ranges::min_element(
        places, {}, [&](std::size_t at) { return standings_[at].seconds->median; });
    const auto best = static_cast<std::size_t>(least - places.begin());
    const auto ranks = known.ranks(instance);
    for (std::size_t i = 0; i < places.size(); ++i) {
      standing& made = standings_[places[i]];
      made.slowdown = paired_ratio(&cell(places[i]), &cell(places[best]));
      if (ranks) made.rank = (*ranks)[i];
      made.is_behind = known.is_slower(instance, i, best);
    }
  }
}

void estimates::find_leader() {
  overall_.resize(schedulers_.size());
  // Of each scheduler with a mean, one cell for each instance.
  std::vector<std::vector<const measured_cell*>> rows(schedulers_.size());
  for (std::size_t i = 0; i < schedulers_.size(); ++i) {
    std::vector<double> slowdowns;
    for (std::size_t instance = 0; instance < instances_.size(); ++instance) {
      const auto at = cell_at(instance, i, most_workers());
      if (!at) continue;
      rows[i].push_back(&cell(*at));
      if (standings_[*at].slowdown) {
        slowdowns.push_back(standings_[*at].slowdown->median);
      } else {
        ++overall_[i].failed_cells;
      }
    }
    if (slowdowns.size() < instances_.size()) continue;
    overall_[i].mean_slowdown = geometric_mean(slowdowns);
    if (!leader_ || *overall_[i].mean_slowdown < *overall_[*leader_].mean_slowdown) leader_ = i;
  }
  if (leader_) find_who_leads(rows);
}

void estimates::find_who_leads(const std::vector<std::vector<const measured_cell*>>& rows) {
  std::vector<std::size_t> places;  // Of those with a mean.
  std::vector<const measured_cell*> cells;
  for (std::size_t i = 0; i < schedulers_.size(); ++i) {
    if (!overall_[i].mean_slowdown) continue;
    places.push_back(i);
    cells.insert(cells.end(), rows[i].begin(), rows[i].end());
  }
  const std::size_t rounds = common_rounds(cells);
  if (rounds < fewest_for_interval) return;
  separation::table means;
  for (const std::size_t place : places) {
    separation::times& added = means.emplace_back();
    for (std::size_t round = 0; round < rounds; ++round) {
      std::vector<double> times;
      for (const measured_cell* each : rows[place]) {
        times.push_back(*each->samples[round][metric::seconds]);
      }
      added.push_back(geometric_mean(times));
    }
  }
  const separation known({std::move(means)});
  const auto leader =
      static_cast<std::size_t>(std::ranges::find(places, *leader_) - places.begin());
  for (std::size_t i = 0; i < places.size(); ++i) {
    overall_[places[i]].leads = !known.is_slower(0, i, leader);
  }
}

}  // namespace stealbench::analysis
