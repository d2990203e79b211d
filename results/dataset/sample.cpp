// The values of one process, from what it wrote.
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "results/dataset/measurements.hpp"
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

/// The value of a metric that `entry` has under this key.
double value_at(const json& entry, std::string_view key, metric which, double unit = 1) {
  const bool is_share = name_of(which).ends_with("_share");
  const bool is_time = name_of(which).ends_with("seconds");
  const double most = which == metric::worker_count ? most_workers
                      : is_share                    ? 1.000001  // A quotient of rounded sums.
                      : is_time                     ? most_seconds
                                                    : most_events;
  const double least = which == metric::seconds                                 ? least_seconds
                       : which == metric::worker_count || which == metric::runs ? 1
                                                                                : 0;
  const auto found = entry.find(key);
  if (found == entry.end()) {
    throw bad_input(fmt::format("the key '{}' is missing; it must be a number", key));
  }
  const double value = found->is_number() ? found->get<double>() : -1;
  if (value >= least / unit && value <= most / unit) return unit * value;
  throw bad_input(fmt::format("'{}' is {}, not a number from {:g} to {:g}", key, shown(*found),
                              least / unit, most / unit));
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
    const auto which = static_cast<metric>(i);
    const auto& [name, where] = metrics.at(i);
    if (!is_written(which, is_simulated)) continue;
    if (where == presence::sometimes && !entry.contains(name)) continue;
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
