#include <cmath>

#include "results/sections/parts.hpp"

namespace stealbench::sections {
namespace {

/// The counters that any cell has, as they come: those of a scheduler are its own affair.
std::vector<std::string> counters_of(const measurements& data) {
  std::vector<std::string> names;
  for (const measured_cell& cell : data.cells()) {
    for (const auto& [name, value] : cell.counters.items()) {
      if (value.is_number()) names.push_back(name);
    }
  }
  return dataset::distinct(names);
}

/// The name of a column, and what it has.
using field = std::pair<std::string, std::string>;

/// The shortest text that reads back as the same number; empty for a quotient that overflowed.
std::string text_of(std::optional<double> value) {
  return value && std::isfinite(*value) ? fmt::format("{}", *value) : std::string();
}

/// The median and the ends of its interval.
void add(std::vector<field>& to, std::string_view name, const std::optional<estimate>& value) {
  to.emplace_back(name, text_of(median_of(value)));
  to.emplace_back(fmt::format("{}_low", name), value ? text_of(value->around.low) : "");
  to.emplace_back(fmt::format("{}_high", name), value ? text_of(value->around.high) : "");
}

std::vector<field> fields_of(const estimates& known, const std::vector<std::string>& counters,
                             bool has_builds, std::size_t at) {
  const measured_cell& cell = known.cell(at);
  const standing& own = known.standing_of(at);
  std::vector<field> all{{"cell", name_of(cell.which)},
                         {"workload", cell.which.what.workload},
                         {"instance", label_of(cell.which.what)},
                         {"scheduler", cell.which.scheduler},
                         {"workers", fmt::format("{}", cell.which.workers)},
                         {"rounds", fmt::format("{}", cell.samples.size())},
                         {"failure", has_finished(cell) ? "" : reason_of(cell)},
                         {"rank", own.rank ? fmt::format("{}", *own.rank) : ""}};
  if (has_builds) all.emplace_back("build", cell.which.build);
  const bool is_simulated = known.data().is_simulated();
  const json& header = known.data().header();
  const bool is_mixed = header.contains("about") && header.at("about").contains("machines");
  if (is_simulated || is_mixed) {
    all.emplace_back("simulated_with", is_mixed
                                           ? cell.which.machine
                                           : header.at("about").at("profile").value("name", ""));
    all.emplace_back("varied", cell.which.varied);
  }
  add(all, "seconds_per_fork", own.per_fork);
  add(all, "speedup", own.speedup);
  add(all, "overhead", own.overhead);
  add(all, "slowdown", own.slowdown);
  for (std::size_t i = 0; i < dataset::metrics.size(); ++i) {
    const auto which = static_cast<metric>(i);
    if (!is_mixed && !is_written(which, is_simulated)) continue;
    const std::optional<estimate> value = known.of(which, at);
    if (which == metric::fork_count || which == metric::worker_count) {  // Of all rounds the same.
      all.emplace_back(name_of(which), text_of(median_of(value)));
    } else {
      add(all, name_of(which), value);
    }
  }
  for (const std::string& name : counters) {
    all.emplace_back(name, text_of(counter_of(cell, name.c_str())));
  }
  return all;
}

}  // namespace

report::table csv_table(const measurements& data) {
  const estimates known(data);
  const std::vector<std::string> counters = counters_of(data);
  const bool has_builds = std::ranges::any_of(
      data.cells(), [](const measured_cell& each) { return !each.which.build.empty(); });
  report::table table;
  for (std::size_t i = 0; i < data.cells().size(); ++i) {
    std::vector<std::string>& row = table.rows.emplace_back();
    for (auto& [name, text] : fields_of(known, counters, has_builds, i)) {
      if (i == 0) table.columns.push_back({name});
      row.push_back(std::move(text));
    }
  }
  return table;
}

}  // namespace stealbench::sections
