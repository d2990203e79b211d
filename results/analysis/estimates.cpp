#include "results/analysis/estimates.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <span>

namespace stealbench::analysis {
namespace {

/// All rounds have the same tasks and workers.
std::optional<estimate> per_fork(const estimate& seconds, const dataset::sample& any) {
  const double forks = any[metric::fork_count].value();
  if (forks <= 0) return {};
  return seconds * (any[metric::worker_count].value() / forks);
}

/// Of each of the first rounds, the geometric mean of the times of these cells.
std::vector<double> mean_times(const std::vector<const measured_cell*>& cells, std::size_t rounds) {
  std::vector<double> means;
  for (std::size_t round = 0; round < rounds; ++round) {
    std::vector<double> times(cells.size());
    std::ranges::transform(cells, times.begin(), [=](const measured_cell* each) {
      return each->samples[round][metric::seconds].value();
    });
    means.push_back(geometric_mean(times));
  }
  return means;
}

std::size_t index_in(const auto& all, const auto& one) {
  return static_cast<std::size_t>(std::find(all.begin(), all.end(), one) - all.begin());
}

}  // namespace

std::size_t common_rounds(const std::vector<const measured_cell*>& cells) {
  const auto rounds_of = [](const measured_cell* each) { return each->samples.size(); };
  return cells.empty() ? 0 : rounds_of(*std::ranges::min_element(cells, {}, rounds_of));
}

std::size_t fewest_rounds(const measurements& data) {
  std::vector<const measured_cell*> finished;
  for (const measured_cell& each : data.cells()) {
    if (has_finished(each)) finished.push_back(&each);
  }
  return common_rounds(finished);
}

std::optional<estimate> paired_ratio(const measured_cell* over, const measured_cell* under,
                                     double confidence) {
  if (over == nullptr || under == nullptr || !has_finished(*over) || !has_finished(*under)) {
    return {};
  }
  const std::vector<double> above = values_of(*over, metric::seconds);
  const std::vector<double> below = values_of(*under, metric::seconds);
  const std::size_t rounds = std::min(above.size(), below.size());
  return estimate_ratio(std::span(above).first(rounds), std::span(below).first(rounds), confidence);
}

std::optional<estimate> mean_ratio(const std::vector<const measured_cell*>& over,
                                   const std::vector<const measured_cell*>& under) {
  const std::size_t rounds = std::min(common_rounds(over), common_rounds(under));
  if (rounds == 0) return {};
  std::vector<double> ratios = mean_times(over, rounds);
  std::ranges::transform(ratios, mean_times(under, rounds), ratios.begin(), std::divides());
  return estimate_median(ratios);
}

bool lost_processor(const dataset::sample& process) {
  constexpr double most_waiting = 0.1;  // Of each worker's time.
  const auto waiting = process[metric::waiting_threads];
  return waiting && *waiting > most_waiting * process[metric::worker_count].value();
}

bool lost_processor(const measured_cell& cell) {
  constexpr std::ptrdiff_t part = 3;
  const auto lost = std::ranges::count_if(
      cell.samples, [](const dataset::sample& each) { return lost_processor(each); });
  return lost > 0 && lost * part >= std::ssize(cell.samples);
}

std::optional<std::vector<std::string>> cells_without_processor(const measurements& data) {
  std::vector<std::string> names;
  bool is_known = false;
  for (const measured_cell& each : data.cells()) {
    is_known |= std::ranges::any_of(each.samples, [](const dataset::sample& process) {
      return process[metric::waiting_threads].has_value();
    });
    if (has_finished(each) && lost_processor(each)) names.push_back(name_of(each.which));
  }
  if (!is_known) return {};
  return names;
}

estimates::estimates(const measurements& data) : data_(data), standings_(data.cells().size()) {
  index_cells();
  for (std::size_t i = 0; i < instances_.size(); ++i) compare_instance(i);
  for (const unsigned workers : workers_) {
    rank_cells(workers, {});
    for (const std::string& each : variations_) rank_cells(workers, each);
  }
  std::vector<std::size_t> all(instances_.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  overall_ = over(all, most_workers());
}

void estimates::index_cells() {
  for (const measured_cell& each : data_.cells()) {
    instances_.push_back(each.which.what);
    schedulers_.push_back(each.which.scheduler);
    workers_.push_back(each.which.workers);
    if (!each.which.varied.empty()) variations_.push_back(each.which.varied);
  }
  instances_ = dataset::distinct(instances_);
  schedulers_ = dataset::distinct(schedulers_);
  variations_ = dataset::distinct(variations_);
  workers_ = dataset::distinct(workers_);
  std::ranges::sort(workers_);
}

std::vector<std::size_t> estimates::finished_cells(std::size_t instance, unsigned workers,
                                                   const std::string& varied) const {
  std::vector<std::size_t> cells;
  for (std::size_t i = 0; i < schedulers_.size(); ++i) {
    const auto at = cell_at(instance, i, workers, varied);
    if (at && has_finished(cell(*at))) cells.push_back(*at);
  }
  return cells;
}

std::optional<estimate> estimates::of(metric which, std::size_t index) const {
  if (!has_finished(cell(index))) return {};
  const std::vector<double> values = values_of(cell(index), which);
  if (values.empty()) return {};
  return estimate_median(values);
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
  std::vector<std::size_t> finished;  // The fewest workers first.
  for (const unsigned workers : workers_) {
    std::ranges::copy(finished_cells(instance, workers), std::back_inserter(finished));
  }
  std::map<std::string, const measured_cell*> smallest;  // Of each scheduler.
  for (const std::size_t at : finished) smallest.emplace(cell(at).which.scheduler, &cell(at));
  const std::string name = data_.header().at("baseline");
  const measured_cell* const baseline = smallest.contains(name) ? smallest.at(name) : nullptr;
  for (const std::size_t at : finished) {
    standing& own = standings_[at];
    own.seconds = of(metric::seconds, at);
    own.per_fork = per_fork(*own.seconds, cell(at).samples.front());
    const measured_cell* const fewest = smallest.at(cell(at).which.scheduler);
    const measured_cell* const alone = fewest->which.workers == 1 ? fewest : nullptr;
    own.speedup = paired_ratio(name == own_baseline ? alone : baseline, &cell(at));
    own.overhead = paired_ratio(alone, baseline);
  }
}

void estimates::rank_cells(unsigned workers, const std::string& varied) {
  std::vector<separation::table> times;
  for (std::size_t instance = 0; instance < instances_.size(); ++instance) {
    separation::table& added = times.emplace_back();
    for (const std::size_t at : finished_cells(instance, workers, varied)) {
      added.push_back(values_of(cell(at), metric::seconds));
    }
  }
  const separation known(std::move(times));
  for (std::size_t instance = 0; instance < instances_.size(); ++instance) {
    const std::vector<std::size_t> cells = finished_cells(instance, workers, varied);
    if (cells.empty()) continue;
    const auto least = std::ranges::min_element(
        cells, {}, [&](std::size_t at) { return median(values_of(cell(at), metric::seconds)); });
    const auto ranks = known.ranks(instance);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      standing& own = standings_[cells[i]];
      own.slowdown = paired_ratio(&cell(cells[i]), &cell(*least));
      if (ranks) own.rank = (*ranks)[i];
      own.is_best = cells[i] == *least;
      own.is_behind = known.is_slower(instance, i, index_in(cells, *least));
    }
  }
}

ranking estimates::over(const std::vector<std::size_t>& instances, unsigned workers,
                        const std::string& varied) const {
  ranking found{std::vector<overall_standing>(schedulers_.size()), {}};
  std::vector<const measured_cell*> best;  // Of each instance.
  for (const std::size_t instance : instances) {
    for (const std::size_t at : finished_cells(instance, workers, varied)) {
      if (standings_[at].is_best) best.push_back(&cell(at));
    }
  }
  std::vector<std::size_t> with_mean;
  std::vector<std::vector<const measured_cell*>> rows;  // Of these, a cell for each instance.
  std::size_t rounds = dataset::most_rounds;            // That all of them have.
  for (std::size_t i = 0; i < schedulers_.size(); ++i) {
    overall_standing& own = found.standings[i];
    std::vector<const measured_cell*> row;
    std::vector<double> slowdowns;
    for (const std::size_t instance : instances) {
      const auto at = cell_at(instance, i, workers, varied);
      if (!at) continue;
      row.push_back(&cell(*at));
      const auto& slowdown = standings_[*at].slowdown;
      own.failed_cells += slowdown ? 0 : 1;
      if (!slowdown) continue;
      slowdowns.push_back(slowdown->median);
      const bool is_shown = standings_[*at].is_behind || !have_intervals();
      if (is_shown && (!own.worst || slowdown->median > standings_[*own.worst].slowdown->median)) {
        own.worst = at;
      }
    }
    if (slowdowns.size() < instances.size() || instances.empty()) continue;
    own.mean_slowdown = geometric_mean(slowdowns);
    own.around = mean_ratio(row, best)->around;
    own.around = {std::min(own.around.low, *own.mean_slowdown),
                  std::max(own.around.high, *own.mean_slowdown)};
    with_mean.push_back(i);
    rounds = std::min(rounds, common_rounds(row));
    rows.push_back(std::move(row));
  }
  if (with_mean.empty()) return found;
  found.leader = *std::ranges::min_element(
      with_mean, {}, [&](std::size_t i) { return *found.standings[i].mean_slowdown; });
  if (rounds < fewest_for_interval) return found;
  separation::table means;
  for (const auto& row : rows) means.push_back(mean_times(row, rounds));
  const separation known({std::move(means)});
  for (std::size_t i = 0; i < with_mean.size(); ++i) {
    found.standings[with_mean[i]].leads =
        !known.is_slower(0, i, index_in(with_mean, *found.leader));
  }
  return found;
}

}  // namespace stealbench::analysis
