#include <array>
#include <string>

#include <fmt/format.h>

#include "bench/compare/report_sections.hpp"

namespace stealbench::compare {
namespace {

using analysis::estimate;

/// A figure of the entries, and what its column is called.
struct column_of_entries {
  const char* member;
  const char* name;
  const char* unit;  ///< Ends the names; empty for a count.
};

constexpr std::array measured_columns{
    column_of_entries{"cpu_seconds", "cpu", "_s"},
    column_of_entries{"user_seconds", "user", "_s"},
    column_of_entries{"system_seconds", "system", "_s"},
    column_of_entries{"start_up_seconds", "start_up", "_s"},
    column_of_entries{"first_run_seconds", "first_run", "_s"},
    column_of_entries{"voluntary_switches", "voluntary_switches", ""},
    column_of_entries{"forced_switches", "forced_switches", ""},
    column_of_entries{"peak_rss_bytes", "peak_rss", "_bytes"},
    column_of_entries{"energy_joules", "energy", "_joules"},
};

constexpr std::array counted_columns{"jobs_spawned",  "jobs_run", "jobs_inlined", "steals",
                                     "failed_steals", "parks",    "wakes",        "most_live_jobs"};

void add_columns(report::table& to, const std::string& name, const std::string& unit) {
  for (const char* const end : {"", "_low", "_high"}) to.columns.push_back({name + end + unit});
}

void add_texts(std::vector<std::string>& to, const std::optional<estimate>& value) {
  if (!value) {
    to.insert(to.end(), 3, "");
    return;
  }
  // The shortest text that reads back as the same number.
  for (const double each : {value->median, value->around.low, value->around.high}) {
    to.push_back(fmt::format("{}", each));
  }
}

/// All rounds count the same branches.
std::optional<estimate> per_fork(const cell_result& of, const std::optional<estimate>& seconds) {
  if (!seconds || of.samples.front().fork_count <= 0) return {};
  const double factor = of.samples.front().worker_count / of.samples.front().fork_count;
  return estimate{seconds->median * factor,
                  {seconds->around.low * factor, seconds->around.high * factor}};
}

std::string counter_of(const cell_result& of, const char* member) {
  if (!of.counted.is_object()) return {};
  const auto found = of.counted.find(member);
  return found != of.counted.end() && found->is_number() ? found->dump() : std::string();
}

}  // namespace

report::table csv_table(const report_view& view) {
  report::table made;
  for (const char* const name : {"cell", "workload", "instance", "scheduler", "workers", "rounds",
                                 "failure", "rank", "fork_count", "worker_count"}) {
    made.columns.push_back({name});
  }
  add_columns(made, "time", "_s");
  add_columns(made, "time_per_fork", "_s");
  for (const char* const name : {"speedup", "overhead", "slowdown"}) add_columns(made, name, "");
  for (const auto& each : measured_columns) add_columns(made, each.name, each.unit);
  for (const char* const name : counted_columns) made.columns.push_back({name});

  for (std::size_t i = 0; i < view.source().cells.size(); ++i) {
    const cell_result& cell = view.cell(i);
    const standing_of_cell& standing = view.standing(i);
    std::vector<std::string> row{name_of(cell.which),
                                 cell.which.what.workload,
                                 label_of(cell.which.what),
                                 cell.which.scheduler,
                                 fmt::format("{}", cell.which.workers),
                                 fmt::format("{}", cell.samples.size()),
                                 cell.failure,
                                 standing.rank ? fmt::format("{}", *standing.rank) : ""};
    const bool is_there = has_finished(cell);
    row.push_back(is_there ? fmt::format("{}", cell.samples.front().fork_count) : "");
    row.push_back(is_there ? fmt::format("{}", cell.samples.front().worker_count) : "");
    add_texts(row, standing.seconds);
    add_texts(row, per_fork(cell, standing.seconds));
    for (const auto* const each : {&standing.speedup, &standing.overhead, &standing.slowdown}) {
      add_texts(row, *each);
    }
    for (const auto& each : measured_columns) {
      const std::vector<double> values =
          is_there ? figures_of(view.source(), i, each.member) : std::vector<double>{};
      add_texts(row,
                values.empty() ? std::nullopt : std::optional(analysis::estimate_median(values)));
    }
    for (const char* const name : counted_columns) row.push_back(counter_of(cell, name));
    made.rows.push_back(std::move(row));
  }
  return made;
}

}  // namespace stealbench::compare
