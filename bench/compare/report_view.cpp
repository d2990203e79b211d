#include "bench/compare/report_view.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include "bench/compare/names.hpp"

namespace stealbench::compare {
namespace {

using analysis::estimate;

/// The scheduler whose time is Ts.
constexpr std::string_view baseline = "serial";

std::vector<double> seconds_of(const cell_result& of) { return values_of(of, &sample::seconds); }

/// Over the rounds that both have.
std::optional<estimate> ratio_of(const cell_result& over, const cell_result& under) {
  if (!has_finished(over) || !has_finished(under)) return {};
  std::vector<double> above = seconds_of(over);
  std::vector<double> below = seconds_of(under);
  const std::size_t rounds = std::min(above.size(), below.size());
  above.resize(rounds);
  below.resize(rounds);
  return analysis::estimate_ratio(above, below);
}

}  // namespace

report_view::report_view(const document& of) : of_(of), cells_(of.cells.size()) {
  index_cells();
  for (std::size_t i = 0; i < instances_.size(); ++i) compare_instance(i);
  find_leader();
}

void report_view::index_cells() {
  std::set<unsigned> counts;
  for (const cell_result& each : of_.cells) {
    instances_.push_back(each.which.what);
    schedulers_.push_back(each.which.scheduler);
    counts.insert(each.which.workers);
  }
  instances_ = without_repetitions(instances_);
  schedulers_ = without_repetitions(schedulers_);
  workers_.assign(counts.begin(), counts.end());
  const auto index_in = [](const auto& all, const auto& one) {
    return static_cast<std::size_t>(std::find(all.begin(), all.end(), one) - all.begin());
  };
  for (std::size_t i = 0; i < of_.cells.size(); ++i) {
    const compare::cell& which = of_.cells[i].which;
    places_.emplace(std::tuple(index_in(instances_, which.what),
                               index_in(schedulers_, which.scheduler), which.workers),
                    i);
  }
}

std::optional<std::size_t> report_view::cell_at(std::size_t instance, std::size_t scheduler,
                                                unsigned workers) const {
  const auto found = places_.find(std::tuple(instance, scheduler, workers));
  if (found == places_.end()) return {};
  return found->second;
}

void report_view::compare_instance(std::size_t instance) {
  const cell_result* serial = nullptr;  // With the fewest workers that it finished with.
  std::vector<std::size_t> members;
  for (const unsigned workers : workers_) {
    for (std::size_t i = 0; i < schedulers_.size(); ++i) {
      const auto at = cell_at(instance, i, workers);
      if (!at) continue;
      members.push_back(*at);
      if (serial == nullptr && schedulers_[i] == baseline && has_finished(of_.cells[*at])) {
        serial = &of_.cells[*at];
      }
    }
  }
  for (const std::size_t at : members) {
    const cell_result& each = of_.cells[at];
    if (!has_finished(each)) continue;
    cells_[at].seconds = analysis::estimate_median(seconds_of(each));
    if (serial == nullptr) continue;
    cells_[at].speedup = ratio_of(*serial, each);
    if (each.which.workers == 1) cells_[at].overhead = ratio_of(each, *serial);
  }
  for (const unsigned workers : workers_) rank_rows(instance, workers);
}

void report_view::rank_rows(std::size_t instance, unsigned workers) {
  std::vector<std::size_t> places;
  std::vector<estimate> times;
  for (std::size_t i = 0; i < schedulers_.size(); ++i) {
    const auto at = cell_at(instance, i, workers);
    if (!at || !cells_[*at].seconds) continue;
    places.push_back(*at);
    times.push_back(*cells_[*at].seconds);
  }
  if (places.empty()) return;
  const std::vector<unsigned> ranked = analysis::ranks(times);
  const auto least = std::min_element(
      times.begin(), times.end(),
      [](const estimate& left, const estimate& right) { return left.median < right.median; });
  const cell_result& best = of_.cells[places[static_cast<std::size_t>(least - times.begin())]];
  for (std::size_t i = 0; i < places.size(); ++i) {
    const cell_result& each = of_.cells[places[i]];
    cells_[places[i]].slowdown = ratio_of(each, best);
    // One measurement cannot be told apart from anything.
    if (each.samples.size() > 1) cells_[places[i]].rank = ranked[i];
  }
}

void report_view::find_leader() {
  overall_.resize(schedulers_.size());
  // Of each scheduler with a mean, one cell for each instance.
  std::vector<std::vector<std::size_t>> rows(schedulers_.size());
  for (std::size_t i = 0; i < schedulers_.size(); ++i) {
    std::vector<double> slowdowns;
    for (std::size_t instance = 0; instance < instances_.size(); ++instance) {
      const auto at = cell_at(instance, i, most_workers());
      if (!at) continue;
      rows[i].push_back(*at);
      if (cells_[*at].slowdown) {
        slowdowns.push_back(cells_[*at].slowdown->median);
      } else {
        ++overall_[i].failed_cells;
      }
    }
    if (slowdowns.size() < instances_.size()) continue;
    overall_[i].mean_slowdown = analysis::geometric_mean(slowdowns);
    if (!leader_ || *overall_[i].mean_slowdown < *overall_[*leader_].mean_slowdown) leader_ = i;
  }
  for (std::size_t i = 0; i < schedulers_.size(); ++i) {
    if (!overall_[i].mean_slowdown) continue;
    std::size_t rounds = of_.cells[rows[i].front()].samples.size();
    for (const std::size_t row : {i, *leader_}) {
      for (const std::size_t at : rows[row]) {
        rounds = std::min(rounds, of_.cells[at].samples.size());
      }
    }
    std::vector<double> means;
    for (std::size_t round = 0; round < rounds; ++round) {
      std::vector<double> ratios;
      for (std::size_t instance = 0; instance < rows[i].size(); ++instance) {
        ratios.push_back(of_.cells[rows[i][instance]].samples[round].seconds /
                         of_.cells[rows[*leader_][instance]].samples[round].seconds);
      }
      means.push_back(analysis::geometric_mean(ratios));
    }
    overall_[i].over_leader = analysis::estimate_median(means);
  }
}

}  // namespace stealbench::compare
