#include "results/analysis/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "results/report/format.hpp"

namespace stealbench::analysis {
namespace {

bool is_positive(double value) { return std::isfinite(value) && value > 0; }

void require(bool holds, const char* message) {
  if (!holds) throw std::invalid_argument(message);
}

void require_sweep(const std::vector<grain_point>& points, double workers) {
  require(is_positive(workers), "a sweep needs a worker");
  require(!points.empty(), "a sweep needs a point");
  const std::size_t rounds = points.front().seconds.size();
  require(rounds > 0, "a sweep needs a round");
  for (const grain_point& each : points) {
    require(std::isfinite(each.grain), "a grain is finite");
    require(std::isfinite(each.tasks) && each.tasks >= 0, "tasks are finite and not less than 0");
    require(each.seconds.size() == rounds, "the points of a sweep come from the same rounds");
    require(std::all_of(each.seconds.begin(), each.seconds.end(), is_positive),
            "a time is finite and greater than 0");
  }
}

/// `12 % slower`.
std::string slower(const grain_sweep& of, std::size_t row) {
  const double excess = of.rows[row].seconds.median / of.rows[of.best].seconds.median - 1;
  return excess < 1 ? fmt::format("{:.0f} % slower", 100 * excess)
                    : fmt::format("{:.1f} times as slow", 1 + excess);
}

/// `28,000 tasks of 1.20 µs`.
std::string tasks_of(const grain_row& row) {
  if (row.tasks == 0) return "no branch";
  if (row.tasks == 1) return "one branch";
  return fmt::format("{} branches of {} each", report::count(row.tasks),
                     report::seconds(row.task_seconds));
}

std::string flatness_of(const grain_sweep& of, std::string_view parameter) {
  const std::size_t good = of.coarsest_good - of.finest_good + 1;
  if (good == 1) {
    return fmt::format("It is sharp: no other {} is within {:.0f} %.", parameter, 100 * flatness);
  }
  const auto [least, most] =
      std::minmax(of.rows[of.finest_good].grain, of.rows[of.coarsest_good].grain);
  return fmt::format("It is flat from {} to {}: {} of {} values lie within {:.0f} % of it.",
                     report::count(least), report::count(most), good, of.rows.size(),
                     100 * flatness);
}

std::string fine_side_of(const grain_sweep& of) {
  const auto row = of.too_fine();
  if (!row)
    return fmt::format("No overhead shows down to {}.", report::count(of.rows.front().grain));
  return fmt::format("Overhead sets in at {}: {}, with {}.", report::count(of.rows[*row].grain),
                     slower(of, *row), tasks_of(of.rows[*row]));
}

std::string coarse_side_of(const grain_sweep& of) {
  const auto row = of.too_coarse();
  const bool is_alone = of.workers <= 1;
  if (!row) {
    return fmt::format("No {} shows up to {}.", is_alone ? "cost of coarse pieces" : "imbalance",
                       report::count(of.rows.back().grain));
  }
  // One worker has all pieces, so whatever slows it is something else, such as the caches.
  return fmt::format("{} at {}: {}, with {}.",
                     is_alone ? "Coarse pieces cost without imbalance, for there is one worker,"
                              : "Imbalance sets in",
                     report::count(of.rows[*row].grain), slower(of, *row), tasks_of(of.rows[*row]));
}

}  // namespace

grain_sweep analyse(std::vector<grain_point> points, double workers, greater_grain greater) {
  require_sweep(points, workers);
  std::sort(points.begin(), points.end(), [&](const grain_point& a, const grain_point& b) {
    return greater == greater_grain::is_coarser ? a.grain < b.grain : a.grain > b.grain;
  });
  const auto twice = std::adjacent_find(points.begin(), points.end(),
                                        [](const grain_point& a, const grain_point& b) {
                                          return !(a.grain < b.grain) && !(b.grain < a.grain);
                                        });
  require(twice == points.end(), "every grain comes once");

  const auto fastest = std::min_element(points.begin(), points.end(),
                                        [](const grain_point& a, const grain_point& b) {
                                          return median(a.seconds) < median(b.seconds);
                                        });
  const auto best = static_cast<std::size_t>(fastest - points.begin());
  grain_sweep found{
      .workers = workers, .rows = {}, .best = best, .finest_good = best, .coarsest_good = best};
  for (const grain_point& each : points) {
    const estimate time = estimate_median(each.seconds);
    found.rows.push_back({.grain = each.grain,
                          .tasks = each.tasks,
                          .seconds = time,
                          .efficiency = estimate_ratio(fastest->seconds, each.seconds),
                          .task_seconds = time.median * workers / std::max(each.tasks, 1.0)});
  }
  const double limit = (1 + flatness) * found.rows[best].seconds.median;
  const auto is_good = [&](std::size_t row) { return found.rows[row].seconds.median <= limit; };
  while (found.finest_good > 0 && is_good(found.finest_good - 1)) --found.finest_good;
  while (found.coarsest_good + 1 < points.size() && is_good(found.coarsest_good + 1)) {
    ++found.coarsest_good;
  }
  return found;
}

std::string verdict_of(const grain_sweep& of, std::string_view parameter) {
  const grain_row& best = of.rows[of.best];
  const std::string spot =
      fmt::format("The best {} is {}, with {}: {}.", parameter, report::count(best.grain),
                  tasks_of(best), report::seconds_with_interval(best.seconds));
  if (of.rows.size() == 1) return spot;
  return fmt::format("{} {} {} {}", spot, flatness_of(of, parameter), fine_side_of(of),
                     coarse_side_of(of));
}

}  // namespace stealbench::analysis
