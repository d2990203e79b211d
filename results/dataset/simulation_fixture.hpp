// Small simulated datasets in the raw format, for tests that read or show some.
#pragma once

#include <string>
#include <vector>

#include "results/dataset/fixture.hpp"

namespace stealbench::dataset {

[[nodiscard]] inline json simulated_profile() {
  return {{"format", 1},
          {"name", "reference"},
          {"processor", "A processor"},
          {"date", "2026-11-22"},
          {"measured", true},
          {"source", "stealbench calibrate"},
          {"costs", {{"transfer_ns", 90.0}, {"jitter", 0.2}}},
          {"schedulers", json::object()},
          {"work", json::array()},
          {"accuracy", nullptr}};
}

/// As stealbench-simulated-NAME prints it.
[[nodiscard]] inline json simulation_of(const cell& which, std::size_t seed, double seconds) {
  return {{"workload", which.what.workload},
          {"scheduler", which.scheduler},
          {"parameters", {{"n", 20}, {"hidden", "default"}}},
          {"workers", which.workers},
          {"seed", seed},
          {"profile", "reference"},
          {"verified", true},
          {"answer", 6765},
          {"seconds", seconds},
          {"fork_count", 10945},
          {"work_units", 21891},
          {"tasks_moved", 10 * std::size_t{which.workers} + seed},
          {"steal_attempts", 20 * which.workers},
          {"shares",
           {{"work", 0.5}, {"overhead", 0.1}, {"search", 0.05}, {"lines", 0.3}, {"asleep", 0.05}}},
          {"lines",
           {{{"name", "idle count of the parking lot"}, {"share", 0.25}, {"waits", 1234}},
            {{"name", "top of a deque"}, {"share", 0.04}, {"waits", 99}}}},
          {"counters", {{"steals", 7}}},
          {"unit_ns", 57.9},
          {"unit_from", "this instance"},
          {"host_seconds", 0.4}};
}

/// What a cell was simulated to take, by seed from 1.
struct simulated {
  cell which;
  std::vector<double> seconds;
  std::string failure = {};  ///< Of the process after these seeds; empty if all finished.
};

/// Not finished: finished_line is to be added. `workers` are the worker counts to report.
[[nodiscard]] inline raw_lines simulated_lines(const std::vector<simulated>& all,
                                               const std::vector<unsigned>& workers) {
  std::vector<measured> cells;
  cells.reserve(all.size());
  for (const simulated& each : all) cells.push_back({.which = each.which, .seconds = {}});
  raw_lines lines{header_of("simulate", cells)};
  lines[0]["settings"] = {{"workers", workers}, {"seeds", 3}};
  lines[0]["baseline"] = "itself";
  lines[0]["about"] = {{"profile", simulated_profile()}, {"workers", workers}};
  lines[0]["host_checks"] = json::array();
  lines.push_back({{"type", "context"}, {"context", {{"commit", "0123456789ab"}}}});
  for (const simulated& each : all) {
    std::size_t round = 1;
    for (const double seconds : each.seconds) {
      lines.push_back({{"type", "process"},
                       {"cell", name_of(each.which)},
                       {"round", round},
                       {"spent_seconds", 0.5},
                       {"simulation", simulation_of(each.which, round, seconds)}});
      ++round;
    }
    if (each.failure.empty()) continue;
    lines.push_back({{"type", "process"},
                     {"cell", name_of(each.which)},
                     {"round", round},
                     {"spent_seconds", 0.5},
                     {"failure", each.failure}});
  }
  return lines;
}

/// fib measured, and simulated on the machine `reference`: after the header and the context a
/// process of each.
[[nodiscard]] inline raw_lines made_mixture() {
  std::vector<measured> all{{fib_on("work-stealing", 2), {1.0}}, {fib_on("work-stealing", 2), {}}};
  all[1].which.machine = "reference";
  raw_lines lines = lines_of("compare", {all[0]});
  lines[0] = header_of("compare", all);
  lines.back() = {{"type", "process"},
                  {"cell", name_of(all[1].which)},
                  {"round", 1},
                  {"spent_seconds", 0.5},
                  {"simulation", simulation_of(all[1].which, 1, 2.0)}};
  lines.push_back(finished_line());
  return lines;
}

[[nodiscard]] inline cell varied(cell which, const std::string& how) {
  which.varied = how;
  return which;
}

/// work-stealing with one, two and eight workers, three seeds; the last with two costs varied.
[[nodiscard]] inline raw_lines made_simulation() {
  const auto on = [](unsigned workers) { return fib_on("work-stealing", workers); };
  return simulated_lines({{on(1), {8.0, 8.0, 8.0}},
                          {on(2), {4.0, 4.0, 5.0}},
                          {on(8), {4.0, 2.0, 1.0}},
                          {varied(on(8), "transfer=0.5"), {2.0, 1.0, 0.5}},
                          {varied(on(8), "jitter=0"), {4.0, 2.0, 1.0}}},
                         {1, 2, 8});
}

}  // namespace stealbench::dataset
