#include <array>

#include <fmt/format.h>

#include "results/sections/parts.hpp"
#include "results/sections/sections.hpp"

namespace stealbench::sections {
namespace {

using analysis::estimate;
using dataset::metric;

constexpr std::array counters{"jobs_spawned",  "jobs_run", "jobs_inlined", "steals",
                              "failed_steals", "parks",    "wakes",        "most_live_jobs"};
constexpr std::array ends{"", "_low", "_high"};

/// The same of all processes of a cell.
bool is_constant(metric which) {
  return which == metric::fork_count || which == metric::worker_count;
}

/// The shortest text that reads back as the same number.
std::string text_of(std::optional<double> value) {
  return value ? fmt::format("{}", *value) : std::string();
}

void add_texts(std::vector<std::string>& row, const std::optional<estimate>& value) {
  row.push_back(text_of(median_of(value)));
  row.push_back(text_of(value ? std::optional(value->around.low) : std::nullopt));
  row.push_back(text_of(value ? std::optional(value->around.high) : std::nullopt));
}

/// Each metric has three columns: its median and the ends of its interval.
report::table header() {
  report::table table;
  for (const char* const name :
       {"cell", "workload", "instance", "scheduler", "workers", "rounds", "failure", "rank"}) {
    table.columns.push_back({name});
  }
  const auto add = [&](std::string_view name) {
    for (const char* const end : ends) table.columns.push_back({fmt::format("{}{}", name, end)});
  };
  for (const char* const name : {"seconds_per_fork", "speedup", "overhead", "slowdown"}) add(name);
  for (std::size_t i = 0; i < dataset::metrics.size(); ++i) {
    if (is_constant(static_cast<metric>(i))) {
      table.columns.push_back({std::string(dataset::metrics.at(i).name)});
    } else {
      add(dataset::metrics.at(i).name);
    }
  }
  for (const char* const name : counters) table.columns.push_back({name});
  return table;
}

}  // namespace

report::table csv_table(const measurements& data) {
  const analysis::estimates known(data);
  report::table table = header();
  for (std::size_t i = 0; i < data.cells().size(); ++i) {
    const dataset::measured_cell& cell = known.cell(i);
    const analysis::standing& own = known.standing_of(i);
    std::vector<std::string> row{name_of(cell.which),
                                 cell.which.what.workload,
                                 label_of(cell.which.what),
                                 cell.which.scheduler,
                                 fmt::format("{}", cell.which.workers),
                                 fmt::format("{}", cell.samples.size()),
                                 has_finished(cell) ? "" : reason_of(cell),
                                 own.rank ? fmt::format("{}", *own.rank) : ""};
    for (const auto* const each : {&own.per_fork, &own.speedup, &own.overhead, &own.slowdown}) {
      add_texts(row, *each);
    }
    for (std::size_t m = 0; m < dataset::metrics.size(); ++m) {
      const auto which = static_cast<metric>(m);
      const std::optional<estimate> value = known.of(which, i);
      if (is_constant(which)) {
        row.push_back(text_of(median_of(value)));
      } else {
        add_texts(row, value);
      }
    }
    for (const char* const name : counters) row.push_back(text_of(counter_of(cell, name)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace stealbench::sections
