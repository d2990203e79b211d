// The values of one process, from what it wrote.
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "results/dataset/measurements.hpp"
#include "results/dataset/shape.hpp"
#include "schedulers/input.hpp"

namespace stealbench::dataset {
namespace {

using schedulers::bad_input;

/// Seconds in the unit that Google Benchmark wrote.
double seconds_in_unit(const json& entry) {
  constexpr std::array<std::pair<std::string_view, double>, 4> units{
      {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1.0}}};
  const json unit = entry.value("time_unit", json());
  for (const auto& [name, seconds] : units) {
    if (unit == name) return seconds;
  }
  throw bad_input(fmt::format("'time_unit' is {}; valid: ns, us, ms, s", shown(unit)));
}

/// The greatest value of a metric that can be one.
double most_of(metric which) {
  if (which == metric::worker_count) return most_workers;
  const std::string_view name = name_of(which);
  if (name.ends_with("_share")) return 1.000001;  // A quotient of rounded sums.
  return name.ends_with("seconds") ? most_seconds : most_events;
}

double least_of(metric which) {
  if (which == metric::seconds) return least_seconds;
  return which == metric::worker_count || which == metric::runs ? 1 : 0;
}

constexpr std::string_view in_shares = "shares/";

/// Where a simulation says the value of a metric.
constexpr std::array<std::pair<metric, const char*>, 10> simulated_metrics{
    {{metric::seconds, "seconds"},
     {metric::fork_count, "fork_count"},
     {metric::worker_count, "workers"},
     {metric::work_share, "shares/work"},
     {metric::overhead_share, "shares/overhead"},
     {metric::search_share, "shares/search"},
     {metric::lines_share, "shares/lines"},
     {metric::asleep_share, "shares/asleep"},
     {metric::tasks_moved, "tasks_moved"},
     {metric::steal_attempts, "steal_attempts"}}};

}  // namespace

sample read_sample(const json& entry) {
  if (!entry.is_object()) throw bad_input(fmt::format("it is {}, not an object", shown(entry)));
  const double unit = seconds_in_unit(entry);
  sample read;
  read.set(metric::seconds,
           unit * number_at(entry, "real_time", least_seconds / unit, most_seconds / unit));
  for (std::size_t i = 1; i < metrics.size(); ++i) {
    const metric_description& each = metrics.at(i);
    const bool is_left_out = !is_required(each.of) && !entry.contains(each.name);
    if (each.of == presence::simulated || is_left_out) continue;
    const auto which = static_cast<metric>(i);
    read.set(which, number_at(entry, each.name, least_of(which), most_of(which)));
  }
  return read;
}

sample read_simulated_sample(const json& simulation) {
  if (!simulation.is_object()) {
    throw bad_input(fmt::format("it is {}, not an object", shown(simulation)));
  }
  sample read;
  for (const auto& [which, place] : simulated_metrics) {
    const std::string_view key = place;
    const bool is_share = key.starts_with(in_shares);
    const json within = is_share ? simulation.value("shares", json::object()) : json();
    const json& place_of = is_share ? within : simulation;
    const std::string_view name = is_share ? key.substr(in_shares.size()) : key;
    read.set(which, number_at(place_of, name, least_of(which), most_of(which)));
  }
  return read;
}

std::optional<sample> sample_of(const json& entry) try {
  return read_sample(entry);
} catch (const bad_input&) {
  return {};
}

std::optional<sample> simulated_sample_of(const json& simulation) try {
  return read_simulated_sample(simulation);
} catch (const bad_input&) {
  return {};
}

}  // namespace stealbench::dataset
