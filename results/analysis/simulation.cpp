#include "results/analysis/simulation.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <utility>

namespace stealbench::analysis {
namespace {

using dataset::json;
using dataset::measured_cell;
using dataset::metric;

/// `transfer=0.5`.
std::pair<std::string, double> cost_and_factor(const std::string& varied) {
  const std::size_t equals = std::min(varied.find('='), varied.size() - 1);
  double factor = 1;
  std::from_chars(varied.data() + equals + 1, varied.data() + varied.size(), factor);
  return {varied.substr(0, equals), factor};
}

/// Whole numbers as such.
json number(std::optional<double> value) {
  if (!value) return nullptr;
  const double whole = std::round(*value);
  if (whole == *value && std::abs(whole) < 1e15) return static_cast<std::int64_t>(whole);
  return *value;
}

std::optional<double> median_in(const estimates& known, metric which, std::size_t cell) {
  const std::optional<estimate> value = known.of(which, cell);
  return value ? std::optional(value->median) : std::nullopt;
}

/// The same with every seed; null if there is none.
json said_of(const measured_cell& cell, const char* key) {
  return cell.simulations.empty() ? json() : cell.simulations.front().value(key, json());
}

json json_of_point(const estimates& known, std::size_t at) {
  const measured_cell& cell = known.cell(at);
  json made{{"workers", cell.which.workers}};
  if (!has_finished(cell)) {
    for (const char* const key : {"seconds", "low", "high", "speedup", "verified", "tasks_moved",
                                  "steal_attempts", "shares", "lines"}) {
      made[key] = nullptr;
    }
    made["failure"] = reason_of(cell);
    return made;
  }
  const standing& own = known.standing_of(at);
  json shares = json::object();
  for (std::size_t i = 0; i < share_names.size(); ++i) shares[share_names[i]] = share_of(cell, i);
  json lines = json::array();
  for (const hot_line& each : hot_lines_of(cell)) {
    lines.push_back({{"name", each.name}, {"share", each.share}});
  }
  made.update({{"seconds", own.seconds->median},
               {"low", own.seconds->around.low},
               {"high", own.seconds->around.high},
               {"speedup", own.speedup ? json(own.speedup->median) : json()},
               {"verified", said_of(cell, "verified")},
               {"tasks_moved", number(median_in(known, metric::tasks_moved, at))},
               {"steal_attempts", number(median_in(known, metric::steal_attempts, at))},
               {"shares", std::move(shares)},
               {"lines", std::move(lines)}});
  return made;
}

}  // namespace

std::vector<simulated_curve> curves_of(const estimates& known) {
  const auto reported =
      known.data().header().at("about").at("workers").get<std::vector<unsigned>>();
  const auto is_reported = [&](unsigned workers) {
    return std::ranges::count(reported, workers) > 0;
  };
  const std::vector<measured_cell>& cells = known.data().cells();
  std::vector<simulated_curve> curves;
  for (std::size_t instance = 0; instance < known.instances().size(); ++instance) {
    for (std::size_t i = 0; i < known.schedulers().size(); ++i) {
      simulated_curve curve{known.instances()[instance], known.schedulers()[i], {}, {}};
      for (const unsigned workers : known.worker_counts()) {
        const auto at = known.cell_at(instance, i, workers);
        if (at && is_reported(workers)) curve.points.push_back(*at);
      }
      for (std::size_t at = 0; at < cells.size(); ++at) {
        const dataset::cell& which = cells[at].which;
        if (which.varied.empty() || which.what != curve.what || which.scheduler != curve.scheduler)
          continue;
        auto [cost, factor] = cost_and_factor(which.varied);
        const auto unvaried = known.cell_at(instance, i, which.workers);
        curve.variations.push_back(
            {std::move(cost), factor, at,
             unvaried ? paired_ratio(&cells[at], &cells[*unvaried]) : std::nullopt});
      }
      if (!curve.points.empty()) curves.push_back(std::move(curve));
    }
  }
  return curves;
}

double share_of(const measured_cell& cell, std::size_t share) {
  const auto which = static_cast<metric>(static_cast<std::size_t>(metric::work_share) + share);
  double sum = 0;
  for (const dataset::sample& each : cell.samples) sum += each[which].value_or(0);
  return sum / static_cast<double>(cell.samples.size());
}

std::vector<hot_line> hot_lines_of(const measured_cell& cell) {
  std::vector<hot_line> lines;
  const auto seeds = static_cast<double>(cell.simulations.size());
  for (const json& simulation : cell.simulations) {
    for (const json& each : simulation.value("lines", json::array())) {
      const std::string name = each.at("name");
      const double share = each.at("share").get<double>() / seeds;
      const auto known = std::ranges::find(lines, name, &hot_line::name);
      if (known == lines.end()) {
        lines.push_back({name, share});
      } else {
        known->share += share;
      }
    }
  }
  std::ranges::stable_sort(lines, std::ranges::greater(), &hot_line::share);
  return lines;
}

json json_of(const simulated_curve& curve, const estimates& known) {
  const json& header = known.data().header();
  const json& profile = header.at("about").at("profile");
  // The process knows the defaults of the parameters too.
  json parameters = json_of(curve.what).at("parameters");
  json points = json::array();
  for (const std::size_t at : curve.points) {
    const json all = said_of(known.cell(at), "parameters");
    if (all.is_object()) parameters = all;
    points.push_back(json_of_point(known, at));
  }
  json sensitivity = json::array();
  for (const cost_variation& each : curve.variations) {
    const measured_cell& cell = known.cell(each.cell);
    const auto seconds = median_in(known, metric::seconds, each.cell);
    json& added = sensitivity.emplace_back(json{{"cost", each.cost},
                                                {"factor", number(each.factor)},
                                                {"workers", cell.which.workers},
                                                {"seconds", nullptr},
                                                {"ratio", nullptr}});
    if (seconds) added["seconds"] = *seconds;
    if (each.ratio) added["ratio"] = each.ratio->median;
    if (!has_finished(cell)) added["failure"] = reason_of(cell);
  }
  return {{"workload", curve.what.workload},
          {"scheduler", curve.scheduler},
          {"parameters", std::move(parameters)},
          {"profile", profile.at("name")},
          {"processor", profile.at("processor")},
          {"date", profile.at("date")},
          {"changes", header.at("about").value("changes", json::array())},
          {"seeds", header.at("settings").at("seeds")},
          {"simulated", true},
          {"accuracy", profile.at("accuracy")},
          {"points", std::move(points)},
          {"sensitivity", std::move(sensitivity)}};
}

}  // namespace stealbench::analysis
