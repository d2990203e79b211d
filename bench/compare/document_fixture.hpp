// A small comparison in the raw format, for tests that read or show one.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace stealbench::compare {

inline nlohmann::ordered_json made_cell(const std::string& scheduler, unsigned workers) {
  nlohmann::ordered_json counters = nullptr;
  if (scheduler == "work-stealing") {
    counters = {{"jobs_spawned", 1000}, {"jobs_run", 1000}, {"steals", 7}, {"most_live_jobs", 12}};
    auto per_worker = nlohmann::ordered_json::array();
    for (unsigned i = 0; i < workers; ++i) {
      per_worker.push_back(
          {{"jobs_run", 1000 / workers + i}, {"busy_ns", 2'000'000 + 100'000 * i}});
    }
    counters["per_worker"] = std::move(per_worker);
  }
  return {{"name", "fib/" + scheduler + "/n:20/workers:" + std::to_string(workers)},
          {"workload", "fib"},
          {"parameters", {{"n", "20"}}},
          {"scheduler", scheduler},
          {"workers", workers},
          {"counters", counters},
          {"was_counted", true},
          {"failure", nullptr}};
}

inline nlohmann::ordered_json made_entry(const nlohmann::ordered_json& cell, unsigned round,
                                         double milliseconds) {
  const double cpu_seconds = milliseconds * 1e-3 * cell["workers"].get<double>();
  return {{"name", cell["name"]},
          {"real_time", milliseconds},
          {"time_unit", "ms"},
          {"runs", 5},
          {"start_up_seconds", 1e-4},
          {"first_run_seconds", milliseconds * 2e-3},
          {"cpu_seconds", cpu_seconds},
          {"user_seconds", cpu_seconds},
          {"system_seconds", 0.0},
          {"voluntary_switches", 3.0},
          {"forced_switches", 1.0},
          {"fork_count", 10945.0},
          {"worker_count",
           cell["scheduler"] == "serial" ? nlohmann::ordered_json(1.0) : cell["workers"]},
          {"peak_rss_bytes", 8388608.0},
          {"verified", 1.0},
          {"cell", cell["name"]},
          {"round", round}};
}

/// fib on three schedulers with one and two workers, three rounds; openmp with two did not finish.
/// At two workers work-stealing takes 1 ms, serial 2 ms.
inline nlohmann::ordered_json made_comparison() {
  using nlohmann::ordered_json;
  ordered_json cells = ordered_json::array();
  ordered_json entries = ordered_json::array();
  for (const unsigned workers : {1U, 2U}) {
    for (const char* const scheduler : {"serial", "work-stealing", "openmp"}) {
      ordered_json cell = made_cell(scheduler, workers);
      const bool is_serial = cell["scheduler"] == "serial";
      const double milliseconds = is_serial ? 2.0 : 2.0 / workers;
      if (cell["scheduler"] == "openmp" && workers == 2) {
        cell["failure"] = "timed out after 120 s";
        entries.push_back({{"name", cell["name"]},
                           {"error_occurred", true},
                           {"error_message", cell["failure"]},
                           {"cell", cell["name"]},
                           {"round", 1}});
      } else {
        for (const unsigned round : {1U, 2U, 3U}) {
          entries.push_back(made_entry(cell, round, milliseconds * (1 + 0.01 * round)));
        }
      }
      cells.push_back(std::move(cell));
    }
  }
  ordered_json context{{"date", "2026-11-21T20:41:35+00:00"},
                       {"num_cpus", 2},
                       {"host_name", "a-secret"},
                       {"commit", "0123456789ab"},
                       {"processor", "A <processor>"},
                       {"format", 2},
                       {"kind", "comparison"},
                       {"finished", true},
                       {"rounds", 3},
                       {"host_checks",
                        {{{"check", "governor"}, {"status", "pass"}, {"detail", "performance"}},
                         {{"check", "load"}, {"status", "warn"}, {"detail", "1.24"}}}},
                       {"energy", "no counter of energy can be read"},
                       {"cells", std::move(cells)}};
  return {{"context", std::move(context)}, {"benchmarks", std::move(entries)}};
}

}  // namespace stealbench::compare
