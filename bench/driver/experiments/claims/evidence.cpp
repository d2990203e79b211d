// How values become verdicts: the same for every claim.
#include <algorithm>
#include <iterator>
#include <numeric>

#include <fmt/format.h>

#include "bench/driver/experiments/claims/claims.hpp"
#include "bench/driver/experiments/options.hpp"

namespace stealbench::experiments::claims {
namespace {

const dataset::measured_cell& cell_in(const reader& from, const cell& which) {
  const auto found = std::ranges::find(from.cells, which, &dataset::measured_cell::which);
  analysis::require(found != from.cells.end(), "a claim reads a benchmark that it does not need");
  return *found;
}

}  // namespace

double reader::operator()(const instance& what, const std::string& scheduler, unsigned workers,
                          metric which) const {
  const cell wanted{.what = what, .scheduler = scheduler, .workers = workers, .machine = machine};
  const dataset::measured_cell& from = cell_in(*this, wanted);
  std::vector<double> values;
  for (const std::size_t round : rounds) values.push_back(from.samples[round][which].value());
  return analysis::median(values);
}

double reader::counter(const instance& what, const std::string& scheduler, unsigned workers,
                       const char* name) const {
  const std::optional<double> value = dataset::counter_of(
      cell_in(*this,
              {.what = what, .scheduler = scheduler, .workers = workers, .machine = machine}),
      name);
  analysis::require(value.has_value(), "a benchmark lacks a counter");
  return *value;
}

double reader::recorded(const instance& what, const char* key) const {
  for (const json& each : records) {
    if (dataset::instance_of(each) != what) continue;
    const json& runs = each.at("runs");
    std::vector<double> values;
    for (const std::size_t round : rounds) {
      values.push_back(runs.at(round % runs.size()).at(key).get<double>());
    }
    return analysis::median(values);
  }
  throw std::invalid_argument("a claim reads a record that it does not need");
}

figures evidence::of(const std::function<double(const reader&)>& figure, double confidence) const {
  std::vector<std::string> machines;
  for (const dataset::measured_cell& each : cells) machines.push_back(each.which.machine);
  const std::size_t rounds = std::ranges::min(cells, {}, [](const auto& each) {
                               return each.samples.size();
                             }).samples.size();
  std::vector<std::size_t> all(rounds);
  std::iota(all.begin(), all.end(), 0U);
  figures found;
  for (const std::string& machine : dataset::distinct(machines)) {
    const auto in = [&](std::span<const std::size_t> some) {
      return figure({cells, records, machine, some});
    };
    const double middle = in(all);
    found.push_back({middle, analysis::bootstrap_rounds_interval(rounds, middle, in,
                                                                 {.confidence = confidence})});
  }
  return found;
}

json most_parallel(const std::vector<json>& records) {
  return *std::ranges::max_element(
      records, {}, [](const json& each) { return each.at("parallelism").get<double>(); });
}

bool is_simulated(const claim& which) { return !which.cells.front().machine.empty(); }

std::vector<cell> cells_on(const std::vector<cell>& cells,
                           const std::vector<std::string>& profiles) {
  std::vector<cell> all;
  for (cell each : cells) {
    if (each.machine != every_profile) {
      all.push_back(each);
      continue;
    }
    for (const std::string& profile : profiles) {
      each.machine = profile;
      all.push_back(each);
    }
  }
  return all;
}

std::vector<cell> all_cells_of(const claim& which, const std::vector<std::string>& profiles) {
  std::vector<cell> all = cells_on(which.cells, profiles);
  if (which.in_model) std::ranges::copy(which.in_model->cells, std::back_inserter(all));
  return all;
}

claim also_in_model(claim which) {
  which.in_model = theorem{cells_on(which.cells, {free_machine}), which.rule};
  return which;
}

instance program(const std::string& workload, const std::vector<std::string>& set) {
  return rounds::instance_of(workload,
                             kit::parameters(rounds::find_workload(workload), assignments_in(set)));
}

std::vector<cell> grid(const std::vector<instance>& programs,
                       const std::vector<std::string>& schedulers,
                       const std::vector<unsigned>& workers, const std::string& machine) {
  std::vector<cell> all;
  for (const instance& what : programs) {
    for (const std::string& scheduler : schedulers) {
      for (const unsigned count : workers) {
        all.push_back({.what = what, .scheduler = scheduler, .workers = count, .machine = machine});
      }
    }
  }
  return all;
}

verdict decide(const figures& all, const bound& within, double error) {
  const auto all_are = [&](const auto& so) { return std::ranges::all_of(all, so); };
  const auto low = [&](const estimate& each) { return each.around.low / error; };
  const auto high = [&](const estimate& each) { return each.around.high * error; };
  if (all_are([&](const auto& each) {
        return low(each) >= within.least && high(each) <= within.most;
      })) {
    return verdict::holds;
  }
  return all_are([&](const auto& each) { return high(each) < within.least; }) ||
                 all_are([&](const auto& each) { return low(each) > within.most; })
             ? verdict::does_not_hold
             : verdict::undecided;
}

verdict both(verdict one, verdict other) {
  if (one == verdict::holds || other == verdict::does_not_hold) return other;
  return one;
}

verdict of_theorem(verdict in_model, verdict at_costs) {
  if (in_model == verdict::does_not_hold) return in_model;
  if (at_costs != verdict::does_not_hold) return at_costs;
  return in_model == verdict::holds ? verdict::holds_in_model : verdict::undecided;
}

estimate hull(const figures& all) {
  std::vector<double> medians;
  estimate found = all.front();
  for (const auto& [median, around] : all) {
    medians.push_back(median);
    found.around = {std::min(found.around.low, around.low),
                    std::max(found.around.high, around.high)};
  }
  found.median = analysis::median(medians);
  return found;
}

std::string number_with_interval(const estimate& value) {
  return fmt::format("{:.2f} [{:.2f}, {:.2f}]", value.median, value.around.low, value.around.high);
}

line line_through(const std::vector<std::pair<double, double>>& points) {
  double w = 0;
  double wx = 0;
  double wxx = 0;
  double wy = 0;
  double wxy = 0;
  for (const auto& [x, y] : points) {
    const double weight = 1 / (y * y);
    w += weight;
    wx += weight * x;
    wxx += weight * x * x;
    wy += weight * y;
    wxy += weight * x * y;
  }
  const double slope = (w * wxy - wx * wy) / (w * wxx - wx * wx);
  line found{.at_zero = (wy - slope * wx) / w, .slope = slope, .misfit = 1};
  for (const auto& [x, y] : points) {
    const double factor = y / (found.at_zero + slope * x);
    // A line below 0 fits nothing.
    constexpr double none = 1e6;
    found.misfit = factor > 0 ? std::max({found.misfit, factor, 1 / factor}) : none;
  }
  return found;
}

}  // namespace stealbench::experiments::claims
