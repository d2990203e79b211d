// The values of one process, from what it wrote.
#include <array>
#include <cmath>
#include <utility>

#include "results/dataset/measurements.hpp"

namespace stealbench::dataset {
namespace {

/// Seconds in one of Google Benchmark's units; 0 for a word that is none.
double seconds_in(const std::string& unit) {
  constexpr std::array<std::pair<std::string_view, double>, 4> units{
      {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1.0}}};
  for (const auto& [name, seconds] : units) {
    if (name == unit) return seconds;
  }
  return 0;
}

double number_at(const json& entry, std::string_view key) {
  const auto found = entry.find(std::string(key));
  return found != entry.end() && found->is_number() ? found->get<double>() : std::nan("");
}

/// Where a simulation says the value of a metric.
constexpr std::array<std::pair<metric, const char*>, 10> simulated_metrics{
    {{metric::seconds, "/seconds"},
     {metric::fork_count, "/fork_count"},
     {metric::worker_count, "/workers"},
     {metric::work_share, "/shares/work"},
     {metric::overhead_share, "/shares/overhead"},
     {metric::search_share, "/shares/search"},
     {metric::lines_share, "/shares/lines"},
     {metric::asleep_share, "/shares/asleep"},
     {metric::tasks_moved, "/tasks_moved"},
     {metric::steal_attempts, "/steal_attempts"}}};

}  // namespace

std::optional<sample> sample_of(const json& entry) {
  if (!entry.is_object()) return {};
  sample read;
  const auto unit = entry.find("time_unit");
  const bool has_unit = unit != entry.end() && unit->is_string();
  const double seconds =
      number_at(entry, "real_time") * (has_unit ? seconds_in(unit->get<std::string>()) : 0);
  // Written so that what is not a number fails too.
  if (!(seconds > 0) || !std::isfinite(seconds)) return {};
  read.set(metric::seconds, seconds);
  for (std::size_t i = 1; i < metrics.size(); ++i) {
    if (metrics.at(i).of == presence::simulated) continue;
    const double value = number_at(entry, metrics.at(i).name);
    if (value >= 0 && std::isfinite(value)) {
      read.set(static_cast<metric>(i), value);
    } else if (is_required(metrics.at(i).of)) {
      return {};
    }
  }
  if (*read[metric::worker_count] < 1 || *read[metric::runs] < 1) return {};
  return read;
}

std::optional<sample> simulated_sample_of(const json& simulation) {
  if (!simulation.is_object()) return {};
  sample read;
  for (const auto& [which, place] : simulated_metrics) {
    const json::json_pointer at(place);
    if (!simulation.contains(at) || !simulation.at(at).is_number()) return {};
    const auto value = simulation.at(at).get<double>();
    if (!(value >= 0) || !std::isfinite(value)) return {};
    read.set(which, value);
  }
  if (*read[metric::seconds] <= 0 || *read[metric::worker_count] < 1) return {};
  return read;
}

}  // namespace stealbench::dataset
