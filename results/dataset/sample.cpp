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

/// The value of a metric that `entry` has under this key.
double value_at(const json& entry, std::string_view key, metric which, double unit = 1) {
  return unit * number_at(entry, key, least_of(which) / unit, most_of(which) / unit);
}

double value_of_process(const json& entry, metric which) {
  if (which != metric::seconds) return value_at(entry, name_of(which), which);
  return value_at(entry, "real_time", which, seconds_in_unit(entry));
}

double value_of_simulation(const json& simulation, metric which) {
  constexpr std::string_view share = "_share";
  std::string_view name = name_of(which);
  if (which == metric::worker_count) return value_at(simulation, "workers", which);
  if (!name.ends_with(share)) return value_at(simulation, name, which);
  name.remove_suffix(share.size());
  return value_at(simulation.value("shares", json::object()), name, which);
}

}  // namespace

sample read_sample(const json& entry, source from) {
  if (!entry.is_object()) throw bad_input(fmt::format("it is {}, not an object", shown(entry)));
  const bool is_simulated = from == source::simulation;
  sample read;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const auto& [name, of] = metrics.at(i);
    if (of != presence::always && (of == presence::simulated) != is_simulated) continue;
    if (of == presence::sometimes && !entry.contains(name)) continue;
    const auto which = static_cast<metric>(i);
    read.set(which,
             is_simulated ? value_of_simulation(entry, which) : value_of_process(entry, which));
  }
  return read;
}

std::optional<sample> sample_of(const json& entry, source from) try {
  return read_sample(entry, from);
} catch (const bad_input&) {
  return {};
}

}  // namespace stealbench::dataset
