#include "results/analysis/simulation.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "results/analysis/strategies/regret.hpp"

namespace stealbench::analysis {
namespace {

/// Whole numbers as such.
json number(double value) {
  const double whole = std::round(value);
  if (whole == value && std::abs(whole) < 1e15) return static_cast<std::int64_t>(whole);
  return value;
}

/// Null if there is none.
json median_in(const std::optional<estimate>& value) {
  return value ? json(value->median) : json();
}

/// The same with every seed; null if there is none.
json said_of(const measured_cell& cell, const char* key) {
  return cell.simulations.empty() ? json() : cell.simulations.front().value(key, json());
}

json json_of_point(const estimates& known, std::size_t at) {
  const measured_cell& cell = known.cell(at);
  json point{{"workers", cell.which.workers}};
  for (const char* const key : {"seconds", "low", "high", "speedup", "verified", "tasks_moved",
                                "steal_attempts", "shares", "lines"}) {
    point[key] = nullptr;
  }
  if (!has_finished(cell)) {
    point["failure"] = reason_of(cell);
    return point;
  }
  const standing& own = known.standing_of(at);
  point["seconds"] = own.seconds->median;
  point["low"] = own.seconds->around.low;
  point["high"] = own.seconds->around.high;
  point["speedup"] = median_in(own.speedup);
  point["verified"] = said_of(cell, "verified");
  for (const auto& [key, which] : {std::pair("tasks_moved", metric::tasks_moved),
                                   std::pair("steal_attempts", metric::steal_attempts)}) {
    if (const auto value = known.of(which, at)) point[key] = number(value->median);
  }
  for (std::size_t i = 0; i < share_names.size(); ++i) {
    point["shares"][share_names[i]] = share_of(cell, i);
  }
  point["lines"] = json::array();
  for (const hot_line& each : hot_lines_of(cell)) {
    point["lines"].push_back({{"name", each.name}, {"share", each.share}});
  }
  return point;
}

}  // namespace

std::vector<simulated_curve> curves_of(const estimates& known) {
  const auto reported =
      known.data().header().at("about").at("workers").get<std::vector<unsigned>>();
  const std::vector<measured_cell>& cells = known.data().cells();
  std::vector<simulated_curve> curves;
  for (std::size_t instance = 0; instance < known.instances().size(); ++instance) {
    for (std::size_t i = 0; i < known.schedulers().size(); ++i) {
      simulated_curve curve{known.instances()[instance], known.schedulers()[i], {}, {}};
      for (const unsigned workers : known.worker_counts()) {
        const auto at = known.cell_at(instance, i, workers);
        if (at && std::ranges::count(reported, workers) > 0) curve.points.push_back(*at);
      }
      for (std::size_t at = 0; at < cells.size(); ++at) {
        const dataset::cell& which = cells[at].which;
        const bool is_on_curve = which.what == curve.what && which.scheduler == curve.scheduler;
        if (is_on_curve && !which.varied.empty()) curve.varied.push_back(at);
      }
      if (!curve.points.empty()) curves.push_back(std::move(curve));
    }
  }
  return curves;
}

cost_variation variation_of(const estimates& known, std::size_t cell) {
  const std::vector<measured_cell>& cells = known.data().cells();
  dataset::cell unvaried = cells[cell].which;
  const std::string text = std::exchange(unvaried.varied, {});  // `transfer=0.5`.
  const std::size_t equals = std::min(text.find('='), text.size() - 1);
  cost_variation found{.cost = text.substr(0, equals), .factor = 1, .ratio = {}};
  std::from_chars(text.data() + equals + 1, text.data() + text.size(), found.factor);
  const auto same = known.data().place_of(unvaried);
  if (same) found.ratio = paired_ratio(&cells[cell], &cells[*same]);
  return found;
}

double share_of(const measured_cell& cell, std::size_t share) {
  const auto which = static_cast<metric>(static_cast<std::size_t>(metric::work_share) + share);
  double sum = 0;
  for (const dataset::sample& each : cell.samples) sum += each[which].value_or(0);
  return sum / static_cast<double>(cell.samples.size());
}

std::vector<hot_line> hot_lines_of(const measured_cell& cell) {
  std::map<std::string, double> shares;
  for (const json& simulation : cell.simulations) {
    for (const json& each : simulation.value("lines", json::array())) {
      shares[each.at("name")] += each.at("share").get<double>();
    }
  }
  std::vector<hot_line> lines;
  lines.reserve(shares.size());
  for (const auto& [name, sum] : shares) {
    lines.push_back({name, sum / static_cast<double>(cell.simulations.size())});
  }
  std::ranges::stable_sort(lines, std::ranges::greater(), &hot_line::share);
  return lines;
}

std::string foreign_unit_of(const measured_cell& cell) {
  const json whose = said_of(cell, "unit_from");
  return whose.is_null() || whose == "this instance" ? "" : whose.get<std::string>();
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
  for (const std::size_t at : curve.varied) {
    const measured_cell& cell = known.cell(at);
    const cost_variation varied = variation_of(known, at);
    sensitivity.push_back({{"cost", varied.cost},
                           {"factor", number(varied.factor)},
                           {"workers", cell.which.workers},
                           {"seconds", median_in(known.of(metric::seconds, at))},
                           {"ratio", median_in(varied.ratio)}});
    if (!has_finished(cell)) sensitivity.back()["failure"] = reason_of(cell);
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
          {"sensitivity", std::move(sensitivity)},
          {"regret", regret_in_json(known, curve.scheduler)}};
}

}  // namespace stealbench::analysis
