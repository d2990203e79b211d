#include "results/analysis/grain.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace stealbench::analysis {
namespace {

/// The rows around the best that are good, from the medians of all rows.
void find_good_rows(grain_sweep& found) {
  const auto seconds = [](const grain_row& row) { return row.seconds.median; };
  const auto fastest = std::ranges::min_element(found.rows, {}, seconds);
  found.best = static_cast<std::size_t>(fastest - found.rows.begin());
  found.finest_good = found.coarsest_good = found.best;
  const double limit = (1 + flatness) * seconds(*fastest);
  const auto is_good = [&](std::size_t row) { return seconds(found.rows[row]) <= limit; };
  while (found.finest_good > 0 && is_good(found.finest_good - 1)) --found.finest_good;
  while (found.coarsest_good + 1 < found.rows.size() && is_good(found.coarsest_good + 1)) {
    ++found.coarsest_good;
  }
}

/// A program without branches is one task.
double tasks_in(double tasks) { return std::max(tasks, 1.0); }

}  // namespace

double grain_model::seconds(double tasks, double workers) const {
  return (work_seconds + task_seconds * tasks_in(tasks)) / workers +
         waited_for * (1 - 1 / workers) * work_seconds / tasks_in(tasks);
}

std::optional<grain_model> model_of(const grain_sweep& sweep) {
  using parts = std::array<double, 3>;  // Of work, of what tasks cost, and of the span.
  constexpr unsigned enough = 100'000;
  const double others = 1 - 1 / sweep.workers;
  std::vector<parts> rows;  // What a second of each part adds to a time, over that time.
  std::vector<double> counts;
  for (const grain_row& row : sweep.rows) {
    const double tasks = counts.emplace_back(tasks_in(row.tasks));
    const double seconds = row.seconds.median;
    rows.push_back(
        {1 / sweep.workers / seconds, tasks / sweep.workers / seconds, others / tasks / seconds});
  }
  if (dataset::distinct(counts).size() < (others > 0 ? 4U : 3U)) return {};
  // By coordinate descent: the error is convex, and each step takes the least in one part.
  parts found{};
  const auto missed = [&](const parts& row) {
    return 1 - std::inner_product(row.begin(), row.end(), found.begin(), 0.0);
  };
  for (unsigned step = 0; step < enough; ++step) {
    const std::size_t i = step % found.size();
    double missing = 0;
    double size = 0;
    for (const parts& row : rows) {
      missing += row[i] * missed(row);
      size += row[i] * row[i];
    }
    if (size > 0) found[i] = std::max(0.0, found[i] + missing / size);
  }
  if (!(found[0] > 0)) return {};
  grain_model model{found[0], found[1], found[2] / found[0], 0};
  for (const parts& row : rows) {
    model.greatest_error = std::max(model.greatest_error, std::abs(missed(row)));
  }
  return model;
}

grain_sweep predicted(const grain_model& model, const grain_sweep& sweep, double workers) {
  grain_sweep other = sweep;
  other.workers = workers;
  for (grain_row& row : other.rows) {
    const double seconds = model.seconds(row.tasks, workers);
    row.seconds = {seconds, {seconds, seconds}};
  }
  find_good_rows(other);
  return other;
}

grain_sweep analyse(std::vector<sweep_point> points, double workers, greater_grain greater) {
  points = descending(std::move(points), workers);
  if (greater == greater_grain::is_coarser) std::ranges::reverse(points);
  grain_sweep found{.workers = workers};
  for (const sweep_point& each : points) {
    const estimate time = estimate_median(each.seconds);
    found.rows.push_back({.grain = each.value,
                          .tasks = each.tasks,
                          .seconds = time,
                          .efficiency = {},
                          .task_seconds = time.median * workers / tasks_in(each.tasks)});
  }
  find_good_rows(found);
  for (std::size_t i = 0; i < points.size(); ++i) {
    found.rows[i].efficiency = estimate_ratio(points[found.best].seconds, points[i].seconds);
  }
  return found;
}

grain_parameter grain_parameter_of(const measurements& data) {
  const json& about = data.header().at("about");
  return {.name = about.at("parameter"),
          .greater =
              about.at("greater") == "finer" ? greater_grain::is_finer : greater_grain::is_coarser,
          .is_size = about.at("unit") == "size"};
}

json json_of(const grain_parameter& parameter) {
  return {{"parameter", parameter.name},
          {"greater", parameter.greater == greater_grain::is_finer ? "finer" : "coarser"},
          {"unit", parameter.is_size ? "size" : "levels"}};
}

std::vector<swept_cells> sweeps_of(const measurements& data) {
  const grain_parameter parameter = grain_parameter_of(data);
  std::vector<swept_cells> all;
  for (sweep& each : sweeps_over(data, parameter.name)) {
    all.push_back({std::move(each)});
    if (all.back().points.empty()) continue;
    all.back().found = analyse(all.back().points, all.back().workers_used, parameter.greater);
  }
  return all;
}

}  // namespace stealbench::analysis
